"""Replaced names: commits replaced one name with another, in an import or a call.

A changed line counts if only the name changed. A replacement counts if commits made it in at least
four files and three commits. One commit is enough if only the source of an import changed. Most
changes of the old name must lead to the same new name, and hardly any commit may change the new
name back. The old name must still be available: in the code base, or in a library.
"""

from __future__ import annotations

import builtins
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from quartermaster_decisions.candidates import DecisionCandidate, Evidence, Statistics
from quartermaster_decisions.codebase import CodeBase, is_mined
from quartermaster_decisions.history import Substitution
from quartermaster_decisions.signals import Signals
from quartermaster_decisions.words import share

_LEAST_FILES: Final = 4
_LEAST_COMMITS: Final = 3
_LEAST_SHARE: Final = 0.6
_MOST_BACK: Final = 0.1
_MOST_NAMES: Final = 200


class Replacements:
    """Counts the replacements of each name. A file counts once in each commit."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, str], dict[str, set[tuple[int, str]]]] = defaultdict(
            lambda: defaultdict(set)
        )

    def add(self, one: Substitution) -> None:
        """Counts one replacement in a changed line."""
        if _is_other(one):
            return
        self._made[one.kind, one.old][one.new].add((one.commit, one.path))

    def successor(self, kind: str, old: str) -> str | None:
        """Returns the name that replaced an old name. Returns None if too few changes support
        it.
        """
        made = self._made.get((kind, old))
        if not made:
            return None
        new, changes = max(made.items(), key=lambda item: (len(item[1]), item[0]))
        commits = {commit for commit, _ in changes}
        back = len(self._made.get((kind, new), {}).get(old, ()))
        # One commit is enough only if the same thing is taken from elsewhere.
        is_moved = kind == "import" and old.rpartition(".")[2] == new.rpartition(".")[2]
        is_frequent = len({path for _, path in changes}) >= _LEAST_FILES and (
            is_moved or len(commits) >= _LEAST_COMMITS
        )
        is_usual = len(changes) >= _LEAST_SHARE * sum(len(each) for each in made.values())
        return new if is_frequent and is_usual and back <= _MOST_BACK * len(changes) else None

    def all(self) -> Iterator[tuple[str, str, str, set[tuple[int, str]]]]:
        """Yields the kind, the old name, the new name, and the changed files with their commits."""
        for (kind, old), made in sorted(self._made.items()):
            if (new := self.successor(kind, old)) is not None:
                yield kind, old, new, made[new]


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each name that commits replaced with another name."""
    found = counted(signals.history.substitutions)
    for kind, old, new, changes in found.all():
        if kind == "import":
            names = {old}, {new}
            now_old, now_new = _importers(signals.code, old), _importers(signals.code, new)
        else:
            names = _ending(signals.code, old), _ending(signals.code, new)
            now_old, now_new = _callers(signals.code, names[0]), _callers(signals.code, names[1])
        is_over = not now_old and (kind == "call" or signals.code.is_own(old) or old[0] == ".")
        if now_new and now_old <= now_new and not is_over and not names[0] & names[1]:
            yield _candidate(signals, kind, (old, new), names, changes, (now_old, now_new))


def _is_other(one: Substitution) -> bool:
    """Returns whether a replacement shows no decision, because it can have many reasons.

    This is so if code no longer calls one of Python's built-in functions, or if it imports another
    member of the same module. `ugettext` and `gettext` count as the same member.
    """
    if one.kind == "call":
        return hasattr(builtins, one.old)
    old_module, _, old = one.old.rpartition(".")
    new_module, _, new = one.new.rpartition(".")
    return old_module == new_module and old not in new and new not in old


def counted(substitutions: Iterable[Substitution]) -> Replacements:
    """Counts all substitutions, and returns the counts."""
    found = Replacements()
    for each in substitutions:
        found.add(each)
    return found


def _importers(code: CodeBase, target: str) -> int:
    return sum(
        any(each.target == target or each.module == target for each in facts.imports)
        for path, facts in code.files.items()
        if is_mined(path)
    )


def _ending(code: CodeBase, text: str) -> set[str]:
    """Returns the full names of the calls that appear in the code as the given text."""
    tail = f".{text}"
    return {
        call.name
        for facts in code.files.values()
        for call in facts.calls
        if call.name.removeprefix("~") == text or call.name.endswith(tail)
    }


def _callers(code: CodeBase, names: set[str]) -> int:
    return sum(
        any(call.name in names for call in facts.calls)
        for path, facts in code.files.items()
        if is_mined(path)
    )


def _candidate(
    signals: Signals,
    kind: str,
    texts: tuple[str, str],
    names: tuple[set[str], set[str]],
    changes: set[tuple[int, str]],
    now: tuple[int, int],
) -> DecisionCandidate:
    old, new = texts
    listed = {"old": sorted(names[0])[:_MOST_NAMES], "new": sorted(names[1])[:_MOST_NAMES]}
    form = "replaced_import" if kind == "import" else "call_through"
    commits = Counter(commit for commit, _ in changes)
    known = [signals.history.commits[number] for number in sorted(commits, reverse=True)[:3]]
    return DecisionCandidate(
        pattern=f"{'Import' if kind == 'import' else 'Call'} `{new}` instead of `{old}`.",
        check={"form": form, **listed},
        rationale=f"{len({path for _, path in changes})} files were changed from the one to the"
        f" other; {share(now[1], sum(now), 'files')} take the new one now.",
        instead=f"`{old}`",
        weight=1.3,
        topic=f"import:{new}",
        keywords=[old.rpartition(".")[2], new.rpartition(".")[2], kind],
        rejected=[f"`{old}`"],
        statistics=Statistics(sum(now), now[1], now[1], 0.6),
        evidence=[
            Evidence("commit", commit=commit.id, excerpt=commit.subject[:200]) for commit in known
        ],
    )
