"""Decorators: the functions of an area have the same decorator, or one decorator goes with another.

A decorator of the class counts for its methods. Decorators that only describe the syntax of a
function (`property`, `staticmethod`, fixtures) are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from quartermaster.decisions.base_rates import base_rate
from quartermaster.decisions.candidates import Candidate, Statistics
from quartermaster.decisions.codebase import CodeBase
from quartermaster.decisions.consensus import Case, Consensus, find_consensus
from quartermaster.decisions.facts import FileFacts
from quartermaster.decisions.signals import Signals
from quartermaster.decisions.words import area_of, area_word, called, share, short

_SYNTAX: Final = frozenset(
    {"property", "staticmethod", "classmethod", "setter", "getter", "deleter", "cached_property"}
    | {"abstractmethod", "overload", "override", "wraps", "contextmanager", "total_ordering"}
)
_LEAST_LIFT: Final = 0.2


def mine(signals: Signals) -> Iterator[Candidate]:
    """See the module."""
    code = signals.code
    for tests in (False, True):
        for rule in find_consensus(
            code, code.mined(tests=tests), lambda facts: cases(code, facts)
        ):
            outside = rule.outside or 0.0
            if not code.is_own(str(rule.property)):
                key = f"decorator:{area_word(rule.area)}:{rule.subject}:{rule.property}"
                outside = max(outside, base_rate(key, 0.2))
            if 1 - outside < _LEAST_LIFT or _is_trivial(rule):
                continue
            yield _candidate(code, rule, tests, rule.followed / rule.cases - outside)


def cases(code: CodeBase, facts: FileFacts) -> Iterator[Case]:
    for each in facts.classes:
        if not each.nested:
            names = _names(code, [one.name for one in each.decorators])
            yield Case(("class", ""), names)
            for one in names:
                yield Case(("class", one), names - {one})
    for each in facts.functions:
        if each.nested or each.name.startswith("_"):
            continue
        kind = "method" if each.owner else "function"
        names = _names(code, [one.name for one in each.decorators])
        yield Case((kind, ""), names)
        for one in names:
            yield Case((kind, one), names - {one})


def _names(code: CodeBase, names: list[str]) -> frozenset[str]:
    return frozenset(
        code.canonical(name)
        for name in names
        if short(name) not in _SYNTAX and name.rpartition(".")[2] not in _SYNTAX
    )


def _is_trivial(rule: Consensus) -> bool:
    """Fixtures and parametrised tests go with each other by their nature."""
    both = f"{rule.subject} {rule.property}"
    return "fixture" in both or "pytest.mark.parametrize" in both or "route" in short(both)


def _candidate(code: CodeBase, rule: Consensus, tests: bool, lift: float) -> Candidate:
    kind, with_ = rule.subject if isinstance(rule.subject, tuple) else ("function", "")
    name = str(rule.property)
    where = {"public": True} | ({"decorators": code.variants(with_)} if with_ else {})
    plural = {"class": "classes", "method": "methods", "function": "functions"}[kind]
    what = f"{plural} that have `@{short(with_)}`" if with_ else f"public {plural}"
    return Candidate(
        miner="decorators",
        pattern=f"{area_of(rule.area, tests=tests)}decorate {what} with {called(name)}"
        + (" as well." if with_ else "."),
        scope=rule.area,
        check={
            "form": "decorator",
            "paths": [rule.area],
            "tests": tests,
            "subject": kind,
            "where": where,
            "decorators": code.variants(name),
        },
        rationale=f"{share(rule.followed, rule.cases, plural)} here have it"
        + (f", {rule.outside:.0%} elsewhere." if rule.outside is not None else "."),
        instead=f"{plural} without this decorator",
        weight=(1.5 if code.is_own(name) else 1.1) * (0.5 if tests else 1.0),
        topic=f"decorator:{name}",
        keywords=[short(name), *([short(with_)] if with_ else [])],
        statistics=Statistics(rule.cases, rule.followed, rule.files, lift),
    )
