"""Replaced imports: commits stop importing a name from one module and begin to take it from another.

A replacement counts if at least two commits and three files made it, if hardly anybody went the
other way, and if the new module is still imported. Renamed modules of the code base itself are left
out: nobody can import the old one any more.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final

from quartermaster.decisions.candidates import Candidate, Evidence, Statistics
from quartermaster.decisions.codebase import EVERYWHERE, CodeBase
from quartermaster.decisions.history import ImportChange
from quartermaster.decisions.signals import Signals
from quartermaster.decisions.words import share

_LEAST_COMMITS: Final = 2
_LEAST_FILES: Final = 3
_MOST_BACK: Final = 0.1
_MOST_NAMES: Final = 12


def mine(signals: Signals) -> Iterator[Candidate]:
    """See the module."""
    for old, new, changes in replacements(signals.history.imports):
        commits = {change.commit for change in changes}
        files = {change.path for change in changes}
        if len(commits) < _LEAST_COMMITS or len(files) < _LEAST_FILES:
            continue
        now_old, now_new = _users(signals.code, old), _users(signals.code, new)
        if not now_new or now_old > now_new or _is_gone(signals.code, old):
            continue
        yield _candidate(signals, old, new, changes, now_old, now_new)


def replacements(
    changes: list[ImportChange],
) -> Iterator[tuple[str, str, list[ImportChange]]]:
    """Pairs of an old and a new place of names, with the changes from the old to the new."""
    moved: dict[tuple[str, str], list[ImportChange]] = defaultdict(list)
    for change in changes:
        if len(change.begun) > _MOST_NAMES or len(change.ended) > _MOST_NAMES:
            continue
        for old, new in _pairs(change):
            moved[old, new].append(change)
    counts = Counter({pair: len(found) for pair, found in moved.items()})
    for (old, new), found in sorted(moved.items()):
        if counts[new, old] <= _MOST_BACK * counts[old, new]:
            yield old, new, found


def _pairs(change: ImportChange) -> set[tuple[str, str]]:
    """The same name from another module, or one whole module instead of another."""
    begun = [one.split(":") for one in change.begun]
    ended = [one.split(":") for one in change.ended]
    pairs: set[tuple[str, str]] = set()
    for old_module, old_name in ended:
        for new_module, new_name in begun:
            if old_module == new_module:
                continue
            if old_name and old_name == new_name:
                pairs.add((f"{old_module}.{old_name}", f"{new_module}.{new_name}"))
            elif not old_name and not new_name and len(begun) == len(ended) == 1:
                pairs.add((old_module, new_module))
    return pairs


def _users(code: CodeBase, target: str) -> int:
    return sum(
        any(each.target == target or each.module == target for each in facts.imports)
        for facts in code.files.values()
    )


def _is_gone(code: CodeBase, old: str) -> bool:
    """Whether the old place is a part of the code base that does not exist any more."""
    if not code.is_own(old):
        return old.startswith(".")
    module = old.rpartition(".")[0]
    return old not in code.modules and (
        module not in code.modules or not (old in code.classes or old in code.functions)
    )


def _candidate(
    signals: Signals, old: str, new: str, changes: list[ImportChange], now_old: int, now_new: int
) -> Candidate:
    commits = sorted({change.commit for change in changes}, reverse=True)[:3]
    known = [signals.history.commits[number] for number in commits]
    return Candidate(
        miner="replaced",
        pattern=f"Import `{new}` instead of `{old}`.",
        scope=EVERYWHERE,
        check={"form": "replaced_import", "old": [old], "new": [new]},
        rationale=f"{len({one.path for one in changes})} files were changed from the one to the"
        f" other; {share(now_new, now_new + now_old, 'files')} import the new one now.",
        instead=f"`{old}`",
        weight=1.3,
        topic=f"import:{new}",
        keywords=[old.rpartition(".")[2], new.rpartition(".")[2], "import"],
        rejected=[f"`{old}`"],
        statistics=Statistics(now_new + now_old, now_new, now_new, 0.6),
        evidence=[
            Evidence("commit", commit=commit.id, excerpt=commit.subject[:200]) for commit in known
        ],
    )
