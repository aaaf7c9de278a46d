"""Substitutes: a class of the code base derives from a library's class, and other code uses the
derived class instead.

The name of the derived class ends like the name of the library's class (`ShopForm` for `Form`). New
classes derive from it, or code calls it instead of the library's class.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final

from quartermaster_decisions.candidates import DecisionCandidate, Statistics
from quartermaster_decisions.codebase import CodeBase, is_mined, is_test
from quartermaster_decisions.signals import Signals
from quartermaster_decisions.words import called, share, words_of

_LEAST_USES: Final = 8
_LEAST_FILES: Final = 3
_LEAST_SHARE: Final = 0.85
_MOST_NAMES: Final = 150


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each class of a library that a class of the code base replaces."""
    code = signals.code
    derived = _derived(code)
    if not derived:
        return
    uses = _Uses(code, derived)
    for base, classes in sorted(derived.items()):
        used = sorted(one for one in classes if uses.counts[one])
        if not used:
            continue
        best = max(used, key=lambda one: (len(uses.files[one]), one))
        is_called = uses.called[best] > uses.counts[best] / 2
        if is_called:
            used = [best]
        via = sum(uses.counts[one] for one in used)
        direct = uses.counts[base]
        if uses.counts[best] < _LEAST_USES or len(uses.files[best]) < _LEAST_FILES:
            continue
        if is_called and not _is_general(code, best, base):
            continue
        if via / (via + direct) >= _LEAST_SHARE:
            yield _candidate(code, best, base, used, uses, via, direct)


def _is_general(code: CodeBase, name: str, base: str) -> bool:
    """Returns whether the name of a class suggests a general replacement of the other class, not a
    special case.
    """
    more = set(words_of(name.rpartition(".")[2])) - set(words_of(base.rpartition(".")[2]))
    project = {word for top in code.tops for word in words_of(top)}
    return more <= project | {"base", "my", "custom", "app", "common", "default"}


def _derived(code: CodeBase) -> dict[str, set[str]]:
    """Maps each class of a library to the classes of the code base that derive from it and have
    similar names.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for name, (facts, each) in code.classes.items():
        if not is_mined(facts.path) or each.name.startswith("_"):
            continue
        words = words_of(each.name)
        for base in code.ancestors(facts, each):
            last = words_of(base.rpartition(".")[2])
            if code.origin(base) not in {"other", "stdlib"} or not last or not words:
                continue
            of_library = set(words_of(base.rpartition(".")[0])) | {"base"}
            missing = set(last) - of_library - set(words)
            if words[-1] == last[-1] and len(missing) <= len(last) // 3:
                found[base].add(name)
    return found


class _Uses:
    """Counts how often each class is subclassed or called. Uses in the file that defines the class
    do not count.
    """

    def __init__(self, code: CodeBase, derived: dict[str, set[str]]) -> None:
        self.counts: Counter[str] = Counter()
        self.called: Counter[str] = Counter()
        self.files: dict[str, set[str]] = defaultdict(set)
        wanted = {*derived, *(one for names in derived.values() for one in names)}
        # A class that only passes on what it derives from is no use of it.
        passing = {one for names in derived.values() for one in names if code.descendants.get(one)}
        for path, facts in code.files.items():
            if not is_mined(path):
                continue
            for each in facts.classes:
                if f"{facts.module}.{each.name}" in passing:
                    continue
                for base in {code.canonical(one) for one in each.bases} & wanted:
                    self._add(base, path)
            for call in facts.calls:
                name = code.canonical(call.name)
                if name in wanted and not (
                    name in code.classes and code.classes[name][0].path == path
                ):
                    self._add(name, path)
                    self.called[name] += 1

    def _add(self, name: str, path: str) -> None:
        self.counts[name] += 1
        self.files[name].add(path)


def _candidate(
    code: CodeBase, best: str, base: str, classes: list[str], uses: _Uses, via: int, direct: int
) -> DecisionCandidate:
    path = code.classes[best][0].path
    old = code.variants(base)[:_MOST_NAMES]
    new = [name for one in classes for name in code.variants(one)][:_MOST_NAMES]
    is_called = uses.called[best] > uses.counts[best] / 2
    homes = sorted({code.classes[one][0].path for one in classes})
    tests = all(is_test(one) for one in uses.files[best])
    check = {"except": homes[:_MOST_NAMES]} | ({"tests": True} if tests else {})
    if is_called:
        check |= {"form": "call_through", "old": old, "new": new}
        text = f"Call {called(best)} instead of {called(base)}."
    else:
        both = [*new, *old][:_MOST_NAMES]
        check |= {"form": "base_class", "where": {"bases": both}, "bases": new}
        text = f"Derive classes from {called(best)}, not from {called(base)} directly."
    documented = code.classes[best][1].documented
    return DecisionCandidate(
        pattern=f"In tests: {text[0].lower()}{text[1:]}" if tests else text,
        check=check,
        rationale=f"{share(via, via + direct, 'uses')} take it; it is defined in {path}."
        + (f" {documented}" if len(documented) > 3 else ""),
        instead=called(base),
        weight=1.6,
        topic=f"base:{best}",
        keywords=[best.rpartition(".")[2], base.rpartition(".")[2], "class"],
        rejected=[called(base)],
        statistics=Statistics(via + direct, via, len(uses.files[best]), via / (via + direct)),
    )
