"""Calls in functions: methods of one name, or functions with one decorator, all call something.

Own functions and methods count, and what is reached through `self` or a parameter; what Python
itself offers does not. A first parameter that all functions with a decorator have counts as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

from quartermaster.decisions.candidates import Candidate, Statistics
from quartermaster.decisions.codebase import CodeBase
from quartermaster.decisions.consensus import Case, Consensus, find_consensus
from quartermaster.decisions.facts import FileFacts
from quartermaster.decisions.signals import Signals
from quartermaster.decisions.words import area_of, called, share, short

_LEAST_LIFT: Final = 0.3
_USUAL: Final = frozenset({"super", "append", "get", "items", "join", "format", "add", "update"})
_LIFE: Final = frozenset({"__init__", "setUp", "tearDown", "__str__", "__repr__", "includeme"})


def mine(signals: Signals) -> Iterator[Candidate]:
    """See the module."""
    code = signals.code
    for tests in (False, True):
        for rule in find_consensus(code, code.mined(tests=tests), lambda one: _cases(code, one)):
            lift = rule.followed / rule.cases - max(rule.outside or 0.0, 0.1)
            if lift >= _LEAST_LIFT:
                yield _candidate(code, rule, tests, lift)


def _cases(code: CodeBase, facts: FileFacts) -> Iterator[Case]:
    inside: dict[str, set[str]] = defaultdict(set)
    for call in facts.calls:
        name = code.canonical(call.name)
        if "(" not in name and short(name).split(".")[-1] not in _USUAL:
            if code.is_own(name) or name.startswith(("~self.", "~request.")):
                inside[call.function].add(name)
    for each in facts.functions:
        if each.nested or each.name in _LIFE or each.name.startswith("test"):
            continue
        has: set[tuple[str, str]] = {("calls", name) for name in inside[each.name]}
        if each.owner:
            yield Case(("method", each.name), frozenset(has))
        parameters = [one for one in each.parameters if one not in {"self", "cls"}]
        if parameters and not each.owner:
            has.add(("first_parameter", parameters[0]))
        for one in each.decorators:
            kind = "method" if each.owner else "function"
            yield Case((kind, "@", code.canonical(one.name)), frozenset(has))


def _candidate(code: CodeBase, rule: Consensus, tests: bool, lift: float) -> Candidate:
    subject: tuple[str, ...] = rule.subject if isinstance(rule.subject, tuple) else ("function", "")
    key, value = rule.property if isinstance(rule.property, tuple) else ("", "")
    where: dict[str, Any]
    if len(subject) == 3:
        where = {"decorators": code.variants(subject[2])}
        what = f"each {subject[0]} that has `@{short(subject[2])}`"
    else:
        where = {"name": subject[1]}
        what = f"each method `{subject[1]}`"
    if key == "calls":
        text = f"call {called(value)} in {what}"
        require: dict[str, Any] = {"calls": code.variants(value)}
    else:
        text = f"take `{value}` as the first parameter of {what}"
        require = {"first_parameter": value}
    return Candidate(
        miner="calls",
        pattern=f"{area_of(rule.area, tests=tests)}{text}.",
        scope=rule.area,
        check={
            "form": "pattern",
            "paths": [rule.area],
            "tests": tests,
            "subject": subject[0],
            "where": where,
            "require": require,
        },
        rationale=f"{share(rule.followed, rule.cases, 'of them')} do so.".replace("of them of", ""),
        instead="leaving it out" if key == "calls" else "another parameter first",
        weight=(1.2 if key == "calls" else 0.8) * (0.4 if tests else 1.0),
        topic=f"calls:{subject}",
        keywords=[short(value), short(subject[-1])],
        statistics=Statistics(rule.cases, rule.followed, rule.files, lift),
    )
