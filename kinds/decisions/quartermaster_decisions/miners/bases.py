"""Base classes: the classes of an area, or the classes with a certain suffix, derive from the same
class.

The miner proposes a base class only if the code base defines it, or if it is rare in other areas.
If it proposes a class and a base class of it, it keeps only the class.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from quartermaster_decisions.base_rates import DEFAULT_RATE, base_rate
from quartermaster_decisions.candidates import DecisionCandidate
from quartermaster_decisions.checks import is_record
from quartermaster_decisions.codebase import WHOLE_TREE, CodeBase
from quartermaster_decisions.consensus import Consensus, ConsensusCase, find_consensus
from quartermaster_decisions.facts import Class, FileFacts
from quartermaster_decisions.signals import Signals
from quartermaster_decisions.words import (
    LAST_WORD,
    area_word,
    called,
    is_implied,
    share,
    short,
)

_PLAIN_BASES: Final = frozenset({"object", "Exception", "ABC", "Protocol", "Generic", "Enum"})
_MOST_NAMES: Final = 150
_LEAST_LIFT: Final = 0.3
_LEAST_TREND: Final = 0.8


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each base class that nearly all classes of an area share."""
    for tests in (False, True):
        yield from _mine(signals.code, tests)


def _mine(code: CodeBase, tests: bool) -> Iterator[DecisionCandidate]:
    found = list(
        find_consensus(code, code.mined(tests=tests), lambda facts: cases(code, facts, tests))
    )
    best: dict[tuple[object, str], list[Consensus]] = {}
    for each in found:
        best.setdefault((each.subject, each.area), []).append(each)
    named = {str(each.has) for each in found if each.subject == "class" and each.area != WHOLE_TREE}
    for (subject, area), rules in best.items():
        named_ones = [one for one in rules if not short(str(one.has)).startswith("_")]
        if not named_ones:
            continue
        most = max(rule.followed for rule in named_ones)
        base = _nearest(code, [str(rule.has) for rule in named_ones if rule.followed == most])
        rule = next(each for each in rules if each.has == base)
        if short(base) in _PLAIN_BASES or (subject != "class" and base in named):
            continue
        if subject != "class" and short(base) == subject:
            continue
        usual = 0.0
        if not code.is_own(base) and (is_implied(area, base) or _is_passed_on(code, base)):
            continue
        if not code.is_own(base):
            usual = base_rate(f"base:{area_word(area)}:{subject}:{base}", DEFAULT_RATE)
        # What a new file defines depends on what it is about.
        is_vague = rule.is_trend and rule.share < _LEAST_TREND
        if not is_vague and 1 - max(usual, rule.outside or 0.0) >= _LEAST_LIFT:
            yield _candidate(code, rule, base, str(subject), tests, usual)


def cases(code: CodeBase, facts: FileFacts, tests: bool) -> Iterator[ConsensusCase]:
    for each in facts.classes:
        if each.nested or each.name.startswith("_"):
            continue
        bases = frozenset(code.ancestors(facts, each))
        if each.name.endswith(("Error", "Exception")):
            yield ConsensusCase(
                each.name[-5:] if each.name.endswith("Error") else "Exception", bases
            )
        if _is_helper(code, facts, each):
            continue
        yield ConsensusCase("class", bases)
        if (match := LAST_WORD.search(each.name)) and not tests:
            yield ConsensusCase(match[0], bases)


def _is_helper(code: CodeBase, facts: FileFacts, each: Class) -> bool:
    """Returns whether other classes derive from a class, or the class only holds values."""
    if is_record(each) or code.descendants.get(f"{facts.module}.{each.name}"):
        return True
    names = {short(base) for base in code.ancestors(facts, each)}
    return bool(names & {"Enum", "NamedTuple", "TypedDict", "Protocol"})


def _is_passed_on(code: CodeBase, base: str) -> bool:
    """Returns whether most classes derive from a library's class indirectly, through a class of the
    code base.
    """
    children = code.descendants.get(base, set())
    direct = sum(base in map(code.canonical, code.classes[one][1].bases) for one in children)
    return direct < len(children) / 2


def _nearest(code: CodeBase, bases: list[str]) -> str:
    """Returns the base class with the fewest subclasses. Classes of the code base come first."""
    own = [base for base in bases if code.is_own(base)] or bases
    return min(own, key=lambda base: (len(code.descendants.get(base, ())), base))


def _candidate(
    code: CodeBase, rule: Consensus, base: str, subject: str, tests: bool, usual: float
) -> DecisionCandidate:
    names = code.family(base, all_below=False)
    where = {"public": True} | ({} if subject == "class" else {"name_ends": subject})
    what = "new classes" if subject == "class" else f"classes whose name ends in `{subject}`"
    is_own = code.is_own(base)
    return rule.candidate(
        f"derive {what} from {called(base)}",
        {"form": "base_class", "where": where, "bases": names[:_MOST_NAMES]},
        rule.share - max(rule.outside or 0.0, usual),
        tests=tests,
        rationale=_why(code, base, share(rule.followed, rule.cases, "classes")),
        instead="a plain class, or the base class of a library directly",
        weight=(1.5 if is_own else 0.8) * (0.6 if tests else 1.0),
        topic=f"base:{base}",
        keywords=[short(base), "class", *([subject] if subject != "class" else [])],
    )


def _why(code: CodeBase, base: str, counted: str) -> str:
    known = code.classes.get(base)
    where = f" It is defined in {known[0].path}." if known else ""
    if known and len(known[1].documented) > 3:
        where += f" {known[1].documented}"
    return f"{counted} here derive from it.{where}"
