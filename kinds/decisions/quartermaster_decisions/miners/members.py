"""Members: subclasses of a class set the same attribute or define the same method, or modules
define the same function.

Members that a framework requires are left out, because its users know them. So only base classes of
the code base count, and only members that are rarer in the rest of the code base.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from typing import Final

from quartermaster_decisions.base_rates import base_rate
from quartermaster_decisions.candidates import DecisionCandidate
from quartermaster_decisions.codebase import CodeBase
from quartermaster_decisions.consensus import Consensus, ConsensusCase, find_consensus
from quartermaster_decisions.facts import FileFacts
from quartermaster_decisions.signals import Signals
from quartermaster_decisions.words import (
    LAST_WORD,
    area_word,
    called,
    is_implied,
    share,
    short,
)

_LEAST_LIFT: Final = 0.3
_COMMON_CALLS: Final = frozenset(
    {"getLogger", "get_logger", "Blueprint", "compile", "get_user_model", "namedtuple", "_"}
)
_USUAL_MEMBERS: Final = frozenset(
    {"__init__", "__str__", "setUp", "tearDown", "Meta", "model", "fields"}
    | {"__tablename__", "__table_args__", "id", "name", "get", "post", "description"}
)


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each member that nearly all subclasses of a class, or nearly all
    modules of an area, define.
    """
    code = signals.code
    for tests in (False, True):
        yield from _of_bases(code, tests)
        yield from _of_areas(code, tests)
    for rule in find_consensus(code, code.mined(tests=False), _created, least_cases=12):
        if (lift := _lift(rule)) >= _LEAST_LIFT:
            yield _of_init(rule, lift)


def _of_bases(code: CodeBase, tests: bool) -> Iterator[DecisionCandidate]:
    # Of several bases, the one with the most subclasses.
    best: dict[tuple[str, object], Consensus] = {}
    hooks = _hooks(code)
    described = partial(_classes, code, hooks=hooks)
    for rule in find_consensus(code, code.mined(tests=tests), described):
        other = best.setdefault((rule.area, rule.has), rule)
        best[rule.area, rule.has] = max(other, rule, key=lambda one: one.cases)
    for rule in best.values():
        if (lift := _lift(rule)) >= _LEAST_LIFT:
            yield _of_classes(code, rule, tests, lift)


def _of_areas(code: CodeBase, tests: bool) -> Iterator[DecisionCandidate]:
    rules = list(find_consensus(code, code.mined(tests=tests), module_cases, least_cases=12))
    exact = {(rule.area, rule.has[1]) for rule in rules if rule.has[0] == "function"}
    for rule in rules:
        key, name = rule.has
        if key == "function_ends" and (rule.area, name) in exact:
            continue
        if key == "calls" and short(name) in _COMMON_CALLS:
            continue
        if (lift := _lift(rule)) >= _LEAST_LIFT:
            yield _of_modules(rule, tests, lift)


def _lift(rule: Consensus) -> float:
    usual = base_rate(f"member:{area_word(rule.area)}:{rule.has}", 0.05)
    return rule.share - max(rule.outside or 0.0, usual)


def _hooks(code: CodeBase) -> dict[str, frozenset[str]]:
    """Returns, for each class, the methods with a leading underscore that the class calls on
    itself. Subclasses may define these methods.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for facts in code.files.values():
        for call in facts.calls:
            if call.owner and call.name.startswith("~self._"):
                found[f"{facts.module}.{call.owner}"].add(call.name.removeprefix("~self."))
    return {name: frozenset(hooks) for name, hooks in found.items()}


def _classes(
    code: CodeBase, facts: FileFacts, hooks: dict[str, frozenset[str]]
) -> Iterator[ConsensusCase]:
    for each in facts.classes:
        if each.nested or code.descendants.get(f"{facts.module}.{each.name}"):
            continue
        called_above = {
            hook for base in code.ancestors(facts, each) for hook in hooks.get(base, ())
        }
        has = frozenset(
            {("attribute", name) for name in each.attributes if name not in _USUAL_MEMBERS}
            | {
                ("method", name)
                for name in each.methods
                if name not in _USUAL_MEMBERS
                and (not name.startswith("_") or name.endswith("__") or name in called_above)
            }
        )
        for base in code.ancestors(facts, each):
            if code.is_own(base):
                yield ConsensusCase(base, has)


def module_cases(facts: FileFacts) -> Iterator[ConsensusCase]:
    """Yields a case for each module. Its properties are the names of its functions, and the last
    words of the names of its functions and classes.
    """
    has: set[tuple[str, str]] = set()
    for each in facts.functions:
        if not each.owner and not each.nested:
            has.add(("function", each.name))
            last = each.name.rpartition("_")[2]
            if len(last) > 3 and not each.name.startswith("test"):
                has.add(("function_ends", last))
    for each in facts.classes:
        if not each.nested and (match := LAST_WORD.search(each.name)) and match[0] != each.name:
            has.add(("class_ends", match[0]))
    has.update(("calls", name) for name in _called_at_top(facts))
    stem = facts.path.rpartition("/")[2].removesuffix(".py")
    if "_" in stem.strip("_") and not stem.startswith("test") and not stem.endswith("test"):
        has.add(("file_ends", f"_{stem.rpartition('_')[2]}.py"))
    if facts.functions or facts.classes:
        yield ConsensusCase("module", frozenset(has))


def _called_at_top(facts: FileFacts) -> Iterator[str]:
    """Yields the names that a module calls while it is imported, except decorators."""
    decorators = {one.line for one, _ in facts.decorated()}
    for call in facts.calls:
        is_top = not call.function and not call.owner and "(" not in call.name
        if is_top and call.line not in decorators:
            yield call.name.removeprefix("~")


def _created(facts: FileFacts) -> Iterator[ConsensusCase]:
    """Yields a case for each `__init__` method: its first parameter after `self`."""
    classes = {each.name for each in facts.classes if not each.nested}
    for each in facts.functions:
        if each.name != "__init__" or each.owner not in classes or len(each.parameters) < 2:
            continue
        if each.parameters[1] not in {"args", "kwargs", "*", "_"}:
            yield ConsensusCase("init", frozenset({each.parameters[1]}))


def _of_classes(code: CodeBase, rule: Consensus, tests: bool, lift: float) -> DecisionCandidate:
    kind, name = rule.has
    base = str(rule.subject)
    bases = code.family(base, all_below=False)
    verb = "set the attribute" if kind == "attribute" else "define the method"
    return rule.candidate(
        f"{verb} `{name}` in each class that derives from {called(base)}",
        {
            "form": "pattern",
            "subject": "class",
            "where": {"bases": bases[:150]},
            "require": {kind: name},
        },
        lift,
        tests=tests,
        rationale=f"{share(rule.followed, rule.cases, 'subclasses')} have it.",
        instead=f"a subclass without `{name}`",
        weight=1.0 * (0.5 if tests else 1.0),
        topic=f"member:{base}",
        keywords=[short(base), name],
    )


_MEMBER_TEXTS: Final = {
    "function": "define a function {} in each module",
    "function_ends": "define a function whose name ends in {} in each module",
    "calls": "call {} at the top level of each module",
    "file_ends": "name files {}",
    "class_ends": "define a class whose name ends in {} in each module",
}


def _of_modules(rule: Consensus, tests: bool, lift: float) -> DecisionCandidate:
    key, name = rule.has
    shown = {"calls": called(name), "file_ends": f"`*{name}`"}.get(key, f"`{name}`")
    return rule.candidate(
        _MEMBER_TEXTS[key].format(shown),
        {
            "form": "pattern",
            "subject": "module",
            "where": {},
            "require": {key: [name, f"~{name}"] if key == "calls" else name},
        },
        lift,
        tests=tests,
        rationale=f"{share(rule.followed, rule.cases, 'modules')} here have one.",
        instead="a module without it",
        weight=1.3 * (0.6 if tests else 1.0) * (0.5 if is_implied(rule.area, name) else 1.0),
        topic=f"names:{name}" if key == "class_ends" else f"module:{rule.area}",
        keywords=[name.strip("_"), "module"],
    )


def _of_init(rule: Consensus, lift: float) -> DecisionCandidate:
    name = str(rule.has)
    return rule.candidate(
        f"take `{name}` as the first argument of `__init__`",
        {
            "form": "pattern",
            "subject": "method",
            "where": {"name": "__init__"},
            "require": {"first_parameter": name},
        },
        lift,
        rationale=f"{share(rule.followed, rule.cases, 'classes')} here do so.",
        instead=f"getting `{name}` from elsewhere",
        weight=1.2,
        topic=f"init:{name}",
        keywords=[name, "__init__"],
    )
