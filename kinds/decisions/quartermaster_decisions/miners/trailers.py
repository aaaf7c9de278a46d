"""Git trailers: `Constraint:`, `Directive:`, `Decision:` and `Rejected:` lines at the end of commit
messages.
"""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import commonpath, dirname
from typing import Final

from quartermaster_decisions.candidates import DecisionCandidate, Evidence, Statistics
from quartermaster_decisions.codebase import WHOLE_TREE
from quartermaster_decisions.history import Commit
from quartermaster_decisions.signals import Signals

_TRAILER_POLARITIES: Final = {
    "Constraint": "do",
    "Directive": "do",
    "Decision": "do",
    "Rejected": "avoid",
}


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each trailer with one of these names."""
    for commit in signals.history.commits:
        for name, text in commit.trailers.items():
            if name not in _TRAILER_POLARITIES:
                continue
            yield DecisionCandidate(
                pattern=("Do not use: " if name == "Rejected" else "") + text.rstrip(".") + ".",
                scope=_scope(commit),
                polarity="avoid" if name == "Rejected" else "do",
                rationale=f"Said in the trailer {name} of a commit: {commit.subject[:120]}",
                weight=1.5,
                topic=f"trailer:{text[:40]}",
                keywords=[word.strip(".,`") for word in text.split()[:8]],
                statistics=Statistics(1, 1, 1, 0.8),
                evidence=[Evidence("commit", commit=commit.id, excerpt=f"{name}: {text}")],
            )


def _scope(commit: Commit) -> str:
    """Returns the glob of the deepest folder that contains all changes of a commit."""
    folders = [dirname(change.path) for change in commit.changes]
    common = commonpath(folders) if folders else ""
    return f"{common}/**" if common else WHOLE_TREE
