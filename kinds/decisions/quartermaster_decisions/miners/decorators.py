"""Decorators: the functions of an area have the same decorator, or two decorators are used
together.

A decorator of a class counts for its methods. Decorators that only change the syntax of a function
(`property`, `staticmethod`, fixtures) are left out. Two other patterns count as well. First, the
functions have one of several decorators from the same module with similar names (`authorize`,
`authorize_read`). Second, an area uses a decorator of the code base (`shop_view`), and other areas
use a library's decorator (`view`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from quartermaster_decisions.base_rates import base_rate
from quartermaster_decisions.candidates import DecisionCandidate
from quartermaster_decisions.codebase import CodeBase, is_test
from quartermaster_decisions.consensus import Consensus, ConsensusCase, find_consensus
from quartermaster_decisions.facts import Decorator, FileFacts
from quartermaster_decisions.signals import Signals
from quartermaster_decisions.words import (
    PLURALS,
    area_of,
    area_word,
    called,
    sentence,
    share,
    short,
    words_of,
)

_SYNTAX: Final = frozenset(
    {"property", "staticmethod", "classmethod", "setter", "getter", "deleter", "cached_property"}
    | {"abstractmethod", "overload", "override", "wraps", "contextmanager", "total_ordering"}
)
_LEAST_LIFT: Final = 0.2
_LEAST_TREND: Final = 0.8


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each decorator that nearly all functions or classes of an area
    have.
    """
    code = signals.code
    for tests in (False, True):
        rules = list(
            find_consensus(code, code.mined(tests=tests), lambda facts: cases(code, facts))
        )
        whole = {(rule.area, rule.has) for rule in rules if rule.subject[1:] == ("",)}
        for rule in rules:
            if len(rule.subject) > 2 and (rule.area, rule.has) in whole:
                continue
            outside = rule.outside or 0.0
            if not code.is_own(str(rule.has)):
                key = f"decorator:{area_word(rule.area)}:{rule.subject}:{rule.has}"
                outside = max(outside, base_rate(key, 0.2))
            # Which rights are demanded depends on what a new file is about.
            is_vague = rule.is_trend and rule.share < _LEAST_TREND
            if 1 - outside < _LEAST_LIFT or _is_trivial(rule) or is_vague:
                continue
            yield _candidate(code, rule, tests, rule.share - outside)
        yield from _of_families(code, tests)
    yield from _of_rivals(code)


def _of_rivals(code: CodeBase) -> Iterator[DecisionCandidate]:
    """Yields candidates for areas that use a decorator of the code base instead of a library's
    decorator with a similar name.
    """
    rivals, given = _rivals(code)

    def alike(facts: FileFacts) -> Iterator[ConsensusCase]:
        for case in cases(code, facts):
            if case.subject[1:] == ("",):
                for name in map(str, case.properties):
                    yield ConsensusCase((case.subject[0], _last_word(name)), frozenset({name}))

    for rule in find_consensus(code, code.mined(tests=False), alike):
        kind, word = rule.subject
        name = str(rule.has)
        # They must be for the same purpose: they take the same arguments.
        others = {
            one
            for one in rivals[word]
            if one != name and not code.is_own(one) and len(given[one] & given[name]) > 1
        }
        lift = rule.share - (rule.outside or 0.0)
        if not code.is_own(name) or not others or lift < 2 * _LEAST_LIFT:
            continue
        other = max(others, key=lambda one: (len(code.variants(one)), one))
        found = _candidate(code, rule, False, lift, [name], sorted(rivals[word]))
        plural = PLURALS[kind]
        yield replace(
            found,
            pattern=sentence(
                area_of(rule.area),
                f"decorate {plural} with {called(name)}, not with {called(other)}",
            ),
            instead=called(other),
            rejected=[called(other)],
        )


def _rivals(code: CodeBase) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Returns two mappings: from each word to the decorators whose names end in it, and from each
    decorator to its keyword arguments.
    """
    rivals: dict[str, set[str]] = defaultdict(set)
    given: dict[str, set[str]] = defaultdict(set)
    for facts in code.mined(tests=False):
        for one, _ in facts.decorated():
            for name in _names(code, [one]):
                rivals[_last_word(name)].add(name)
                given[name].update(one.keywords)
    return rivals, given


def _last_word(name: str) -> str:
    return words_of(name.rpartition(".")[2])[-1] if words_of(name) else name


def _of_families(code: CodeBase, tests: bool) -> Iterator[DecisionCandidate]:
    families: dict[tuple[str, str], set[str]] = defaultdict(set)
    for facts in code.mined(tests=tests):
        for name in _names(code, [one for one, _ in facts.decorated()]):
            families[_family(name)].add(name)
    families = {key: names for key, names in families.items() if len(names) > 1}

    def of_family(facts: FileFacts) -> Iterator[ConsensusCase]:
        for case in cases(code, facts):
            if case.subject in {("method", ""), ("function", ""), ("function", "takes", "request")}:
                found = {_family(str(name)) for name in case.properties} & families.keys()
                yield ConsensusCase(case.subject, frozenset(found))

    for rule in find_consensus(code, code.mined(tests=tests), of_family):
        names = sorted(families[cast("tuple[str, str]", rule.has)])
        used = Counter(
            name
            for facts in code.mined(tests=tests)
            if rule.area in code.areas(facts.path)
            for case in cases(code, facts)
            if case.subject == rule.subject
            for name in names
            if name in case.properties
        )
        common = [name for name, number in used.most_common(4) if number >= rule.cases / 20]
        lift = rule.share - max(rule.outside or 0.0, 0.1)
        if lift >= 2 * _LEAST_LIFT and len(common) > 1 and code.is_own(names[0]):
            yield _candidate(code, rule, tests, lift, common)


def _family(name: str) -> tuple[str, str]:
    """Returns the module of a decorator, and the first part of its name."""
    module, _, last = name.rpartition(".")
    return module, last.partition("_")[0]


def cases(code: CodeBase, facts: FileFacts) -> Iterator[ConsensusCase]:
    for each in facts.classes:
        if not each.nested:
            names = _names(code, each.decorators)
            yield ConsensusCase(("class", ""), names)
            for one in names:
                yield ConsensusCase(("class", one), names - {one})
    for function in facts.functions:
        if function.nested or function.name.startswith("_"):
            continue
        kind = "method" if function.owner else "function"
        names = _names(code, function.decorators)
        yield ConsensusCase((kind, ""), names)
        if not function.name.startswith("test"):
            yield ConsensusCase((kind, "name", function.name), names)
        if "request" in function.parameters and not is_test(facts.path):
            yield ConsensusCase((kind, "takes", "request"), names)
        for one in names:
            yield ConsensusCase((kind, one), names - {one})


def _names(code: CodeBase, decorators: Sequence[Decorator]) -> frozenset[str]:
    return frozenset(
        code.canonical(one.name)
        for one in decorators
        if not _SYNTAX.intersection((short(one.name), one.name.rpartition(".")[2]))
    )


def _is_trivial(rule: Consensus) -> bool:
    """Returns whether two decorators obviously belong together. Examples are two decorators of the
    same library, and a fixture with parametrised tests.
    """
    both = f"{rule.subject} {rule.has}"
    tops = [one.partition(".")[0] for one in (rule.subject[1], str(rule.has))]
    if len(rule.subject) == 2 and tops[0] == tops[1]:
        return True  # two decorators of one library belong together
    return "fixture" in both or "pytest.mark.parametrize" in both or "route" in short(both)


def _candidate(
    code: CodeBase,
    rule: Consensus,
    tests: bool,
    lift: float,
    family: Sequence[str] = (),
    among: Sequence[str] = (),
) -> DecisionCandidate:
    """Returns the candidate for a rule. `family` lists the accepted decorators, if there are
    several. `among` limits the rule to functions that already have one of its decorators.
    """
    kind, with_, *rest = rule.subject
    name = family[0] if family else str(rule.has)
    listed = " or ".join(called(one) for one in family or [name])
    plural = PLURALS[kind]
    where: dict[str, Any] = {"public": True}
    what = f"public {plural}"
    if rest and with_ == "name":
        where, what, with_ = {"name": rest[0]}, f"{plural} `{rest[0]}`", ""
    elif rest:
        where, what, with_ = where | {"takes": rest[0]}, f"{what} that take `{rest[0]}`", ""
    elif among:
        where, with_ = {"decorators": [each for one in among for each in code.variants(one)]}, ""
    elif with_:
        where |= {"decorators": code.variants(with_)}
        what = f"{plural} that have `@{short(with_)}`"
    return rule.candidate(
        f"decorate {what} with {listed}{' as well' if with_ else ''}",
        {
            "form": "decorator",
            "subject": kind,
            "where": where,
            "decorators": [each for one in family or [name] for each in code.variants(one)],
        },
        lift,
        tests=tests,
        rationale=f"{share(rule.followed, rule.cases, plural)} here have it"
        + (f", {rule.outside:.0%} elsewhere." if rule.outside is not None else "."),
        instead=f"{plural} without this decorator",
        weight=(1.5 if code.is_own(name) else 1.1) * (0.5 if tests else 1.0),
        topic=f"decorator:{name}",
        keywords=[short(name), *([short(with_)] if with_ else [])],
    )
