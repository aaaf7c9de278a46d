"""Everything that miners may look at."""

from __future__ import annotations

from dataclasses import dataclass, field

from quartermaster_decisions.codebase import CodeBase
from quartermaster_decisions.history import History


@dataclass
class Signals:
    """The state of a code base at a commit, and how it came there.

    Attributes:
        commit: the commit that was read.
        code: facts of the source files.
        history: the commits that were read.
        blobs: id of the content of each file.
        documents: texts of CONTRIBUTING, AGENTS, ADR and similar files, by path.
        enforced: words for what linters of the project enforce already, such as `docstrings`.
    """

    commit: str
    code: CodeBase
    history: History
    blobs: dict[str, str] = field(default_factory=dict[str, str])
    documents: dict[str, str] = field(default_factory=dict[str, str])
    enforced: frozenset[str] = frozenset()
