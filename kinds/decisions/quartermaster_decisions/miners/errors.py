"""Errors: the errors that an area raises, and the errors of the code base that it raises instead of
errors that it has caught.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final

from quartermaster_decisions.candidates import DecisionCandidate, Statistics
from quartermaster_decisions.codebase import CodeBase
from quartermaster_decisions.consensus import LEAST_CASES, Consensus, ConsensusCase, find_consensus
from quartermaster_decisions.facts import FileFacts
from quartermaster_decisions.signals import Signals
from quartermaster_decisions.words import called, share, short

_LEAST_LIFT: Final = 0.3
_LEAST_TURNED: Final = 6
_INTERNAL_ERRORS: Final = frozenset({"NotImplementedError", "AssertionError", "StopIteration"})


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each area that nearly always raises the same error. Also yields one
    for each caught error that code nearly always replaces with the same other error.
    """
    code = signals.code
    files = list(code.mined(tests=False))
    best: dict[str, Consensus] = {}
    for rule in find_consensus(code, files, lambda facts: _raised(code, facts), least_cases=12):
        if rule.is_trend:  # which errors are raised depends on what a new file is about
            continue
        other = best.setdefault(rule.area, rule)
        # Of several, the one with the fewest subclasses.
        best[rule.area] = min(other, rule, key=lambda one: len(_family(code, str(one.has))))
    for rule in best.values():
        lift = rule.share - (rule.outside or 0.0)
        if code.origin(str(rule.has)) == "builtin" and rule.cases < LEAST_CASES:
            continue
        if lift >= _LEAST_LIFT and short(str(rule.has)) not in _INTERNAL_ERRORS:
            yield _candidate(code, rule, lift)
    yield from _turned(code, files)


def _raised(code: CodeBase, facts: FileFacts) -> Iterator[ConsensusCase]:
    for each in facts.raises:
        name = code.canonical(each.name)
        if name.startswith("~") or not name or name in _INTERNAL_ERRORS:
            continue
        has = {name}
        if name in code.classes:
            has.update(code.ancestors(*code.classes[name]))
        yield ConsensusCase("raise", frozenset(has - {"Exception", "BaseException"}))


def _family(code: CodeBase, base: str) -> list[str]:
    """Returns all names of a class and of its subclasses."""
    return code.family(base, all_below=True)[:150]


def _candidate(code: CodeBase, rule: Consensus, lift: float) -> DecisionCandidate:
    base = str(rule.has)
    family = _family(code, base)
    what = f"{called(base)} or its subclasses" if len(family) > 1 else called(base)
    return rule.candidate(
        f"raise {what}, no other errors",
        {"form": "raised", "names": family},
        lift,
        rationale=f"{share(rule.followed, rule.cases, 'errors')} raised here are of this kind"
        + (f", {rule.outside:.0%} elsewhere." if rule.outside is not None else "."),
        instead="an error of Python or of a library",
        weight=1.3 if code.is_own(base) else 1.0,
        topic=f"raise:{base}",
        keywords=[short(base), "raise", "error"],
    )


def _turned(code: CodeBase, files: list[FileFacts]) -> Iterator[DecisionCandidate]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    where: dict[str, set[str]] = defaultdict(set)
    for facts in files:
        for each in facts.raises:
            for caught in each.caught:
                if each.name and not each.name.startswith("~") and caught:
                    counts[code.canonical(caught)][code.canonical(each.name)] += 1
                    where[code.canonical(caught)].add(facts.path)
    for caught, raised in sorted(counts.items()):
        [(name, count)] = raised.most_common(1)
        total = sum(raised.values())
        if count < _LEAST_TURNED or count / total < 0.9 or len(where[caught]) < 3:
            continue
        if name == caught:
            continue
        yield DecisionCandidate(
            pattern=f"Turn a caught {called(caught)} into {called(name)}.",
            check={
                "form": "raised",
                "tests": False,
                "names": _family(code, name),
                "caught": code.variants(caught),
            },
            rationale=f"{share(count, total, 'handlers')} that raise another error do so.",
            instead=f"letting `{short(caught)}` escape, or another error",
            weight=1.4 if code.is_own(name) else 1.1,
            topic=f"raise:{name}",
            keywords=[short(caught), short(name), "error"],
            statistics=Statistics(total, count, len(where[caught]), 0.7),
        )
