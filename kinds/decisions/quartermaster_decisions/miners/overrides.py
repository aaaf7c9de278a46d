"""Overrides: a method that overrides a method of a base class also calls it.

For example, nearly all classes that override `set_up` call `super().set_up()`. A class that does
not call the base method skips work on which the other classes rely. Only base classes of the code
base count. Special methods, which Python itself calls (`__init__`), do not count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from quartermaster_decisions.base_rates import base_rate
from quartermaster_decisions.candidates import DecisionCandidate
from quartermaster_decisions.checks import calls_in
from quartermaster_decisions.codebase import CodeBase
from quartermaster_decisions.consensus import (
    FEW_CASES,
    FEW_SHARE,
    Consensus,
    ConsensusCase,
    find_consensus,
)
from quartermaster_decisions.facts import FileFacts
from quartermaster_decisions.signals import Signals
from quartermaster_decisions.words import share, short

_LEAST_LIFT: Final = 0.2
_DEFAULT_RATE: Final = 0.5
_MOST_NAMES: Final = 150
_ABOVE_KEY: Final = "above"


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each method whose overrides nearly all call the overridden method."""
    code = signals.code
    owners = owners_of(code)
    for tests in (False, True):
        described = partial(cases, code, owners)
        for rule in find_consensus(code, code.mined(tests=tests), described, FEW_CASES, FEW_SHARE):
            usual = base_rate(f"override:{rule.subject}:{_ABOVE_KEY}", _DEFAULT_RATE)
            lift = rule.share - max(usual, rule.outside or 0.0)
            if lift >= _LEAST_LIFT and not rule.is_trend:
                yield _candidate(code, rule, owners[str(rule.subject)], tests, lift)


def owners_of(code: CodeBase) -> dict[str, set[str]]:
    """Returns the classes of the code base that define each method, by the method's name."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, (_, each) in code.classes.items():
        for method in each.methods:
            if not method.startswith("__"):
                found[method].add(name)
    return found


def cases(
    code: CodeBase, owners: Mapping[str, set[str]], facts: FileFacts
) -> Iterator[ConsensusCase]:
    """Yields a case for each method of a file that overrides a method of a class of the code
    base.
    """
    above = {
        each.name: frozenset(code.ancestors(facts, each))
        for each in facts.classes
        if not each.nested
    }
    for each in facts.functions:
        bases = above.get(each.owner, frozenset()) & owners.get(each.name, set())
        if each.nested or not bases:
            continue
        wanted = {f"super().{each.name}", *(f"{base}.{each.name}" for base in bases)}
        does = any(code.canonical(name) in wanted for name in calls_in(each, facts))
        yield ConsensusCase(each.name, frozenset({_ABOVE_KEY} if does else ()))


def _candidate(
    code: CodeBase, rule: Consensus, owners: set[str], tests: bool, lift: float
) -> DecisionCandidate:
    name = str(rule.subject)
    # The classes that others derive from, those of which most do first.
    bases = sorted(
        {one for owner in owners for one in (owner, *code.descendants.get(owner, ()))},
        key=lambda one: (-len(code.descendants.get(one, ())), one),
    )
    bases = [one for one in bases if code.descendants.get(one)]
    names = [each for one in bases for each in code.variants(one)][:_MOST_NAMES]
    shown = list(dict.fromkeys(short(one) for one in bases if one in owners))[:2]
    return rule.candidate(
        f"call `super().{name}()` in each `{name}` that overrides that of"
        f" {' or '.join(f'`{one}`' for one in shown)}",
        {
            "form": "pattern",
            "subject": "method",
            "where": {"name": name, "bases": names},
            "require": {
                "calls": [f"super().{name}", *(f"{one}.{name}" for one in names)][:_MOST_NAMES]
            },
        },
        lift,
        tests=tests,
        rationale=f"{share(rule.followed, rule.cases, 'methods')} do so.",
        instead=f"a `{name}` that leaves out what is done above",
        weight=1.1 * (0.6 if tests else 1.0),
        topic=f"override:{name}",
        keywords=[name, "super", *shown],
    )
