"""The data that the miners read."""

from __future__ import annotations

from dataclasses import dataclass, field

from quartermaster_decisions.codebase import CodeBase
from quartermaster_decisions.history import History


@dataclass
class Signals:
    """The state of a code base at a commit, and its history.

    Attributes:
        commit: the commit that was read.
        code: facts of the source files.
        history: the commits that were read.
        blobs: git's id for the content of each file, by path.
        documents: texts of files such as CONTRIBUTING, AGENTS and ADR, by path.
        enforced: topics that the project's linters already enforce, such as `docstrings`.
    """

    commit: str
    code: CodeBase
    history: History
    blobs: dict[str, str] = field(default_factory=dict[str, str])
    documents: dict[str, str] = field(default_factory=dict[str, str])
    enforced: frozenset[str] = frozenset()
