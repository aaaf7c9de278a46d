"""Style of areas: names of classes and functions, annotations, docstrings, loggers and parameters.

Leaves out rules that a linter of the project enforces, and habits of most packages (table of base
rates).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from quartermaster_decisions.base_rates import base_rate
from quartermaster_decisions.candidates import DecisionCandidate
from quartermaster_decisions.checks import first_parameter
from quartermaster_decisions.codebase import WHOLE_TREE, is_test
from quartermaster_decisions.consensus import Consensus, ConsensusCase, find_consensus
from quartermaster_decisions.facts import FileFacts, Function
from quartermaster_decisions.signals import Signals
from quartermaster_decisions.words import (
    LAST_WORD,
    PLURALS,
    POSITIONAL_PARAMETERS,
    area_word,
    is_implied,
    share,
)

_FUTURE_ANNOTATIONS: Final = "__future__.annotations"
_LEAST_LIFT: Final = 0.25
_TEXTS: Final = {
    "documented": ("begin {what} with a docstring", "docstrings"),
    "returns_annotated": ("annotate what {what} return", "annotations"),
    "is_async": ("write {what} as `async def`", ""),
    "name_ends": ("end the names of {what} in `{value}`", ""),
    "name_starts": ("begin the names of {what} with `{value}`", ""),
    "first_parameter": ("take `{value}` as the first parameter of {what}", ""),
    "logger": ("name the logger of a module `{value}`", ""),
    "assigned": ("list what {what} export in `{value}`", ""),
    "assigned_from": ("get the logger of a module from `{value}`", ""),
    "header": ("begin each file with the comment `# {value}`", ""),
    "imports": ("write `from __future__ import annotations` in each module", ""),
    "imports_are": ("write {value} imports for modules of the same package", ""),
    "methods": ("group tests in classes, as methods", ""),
    "functions": ("write tests as plain functions, not in classes", ""),
    "file_ends": ("name files of tests `*{value}`", ""),
}
"""For each key of a check: the text of the instruction, and the topic (see `Signals.enforced`) if
linters can enforce the rule.
"""
_LIGHT_TRAITS: Final = frozenset({"documented", "returns_annotated", "is_async"})
_RARE_TRAITS: Final = frozenset(
    {"name_ends", "name_starts", "assigned", "first_parameter", "header", "imports", "file_ends"}
)
_OF_CODE: Final = frozenset({"returns_annotated", "documented"})
"""Keys that apply only to the code, and not to its tests."""


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each trait of style that nearly all cases of an area share."""
    code = signals.code
    said: set[tuple[str, str]] = set()
    for tests in (False, True):
        for rule in find_consensus(code, code.mined(tests=tests), cases):
            subject, (key, value) = str(rule.subject), rule.has
            if key in _TEXTS and _TEXTS[key][1] in signals.enforced:
                continue
            if rule.area in code.files or (tests and (key in _OF_CODE or (key, value) in said)):
                continue
            if key == "imports_are" and not tests:
                said.add((key, value))
            # Files that only have their name in common seldom agree on this on purpose.
            if key in _LIGHT_TRAITS and rule.area.startswith("**/"):
                continue
            default = 0.05 if key in _RARE_TRAITS else 0.5
            area = area_word(rule.area) if key == "name_ends" else ""
            usual = base_rate(f"style:{area}:{subject}:{key}:{value}", default)
            lift = rule.share - max(usual, rule.outside or 0.0)
            if rule.area == WHOLE_TREE:
                lift = rule.share - usual
            if lift >= _LEAST_LIFT:
                yield _candidate(rule, subject, key, value, tests, lift)


def cases(facts: FileFacts) -> Iterator[ConsensusCase]:
    """Yields cases for the classes, functions, imports, tests and loggers of a file, and for the
    module itself.
    """
    for each in facts.classes:
        if not each.nested and not each.name.startswith("_"):
            has: set[tuple[str, str]] = {("documented", "True")} if each.documented else set()
            if match := LAST_WORD.search(each.name):
                has.add(("name_ends", match[0]))
            yield ConsensusCase("class", frozenset(has))
    for each in facts.functions:
        if not each.nested and not each.name.startswith(("_", "test")):
            kind = "method" if each.owner else "function"
            yield ConsensusCase(kind, frozenset(_of_function(each)))
    if facts.functions or facts.classes:
        yield ConsensusCase("module", frozenset(_of_module(facts)))
    if own := facts.imports_of_own():
        kinds = {"relative" if one.relative else "absolute" for one in own}
        yield ConsensusCase("imports", _if_alone("imports_are", kinds))
    if is_test(facts.path) and (tests := facts.tests()):
        kinds = {"methods" if one.owner else "functions" for one in tests}
        ending = {("file_ends", "_test.py")} if facts.path.endswith("_test.py") else ()
        yield ConsensusCase("tests", _if_alone("tests_are", kinds).union(ending))
    yield from _loggers(facts)


def _loggers(facts: FileFacts) -> Iterator[ConsensusCase]:
    for name, value in facts.assigned.items():
        if value.removesuffix("()").endswith(("getLogger", "get_logger")):
            yield ConsensusCase("logger", frozenset({("assigned", name), ("assigned_from", value)}))


def _if_alone(key: str, kinds: set[str]) -> frozenset[tuple[str, str]]:
    return frozenset((key, kind) for kind in kinds) if len(kinds) == 1 else frozenset()


def _of_function(each: Function) -> Iterator[tuple[str, str]]:
    flags = {"documented": each.documented, "returns_annotated": each.returns}
    yield from (
        (key, "True") for key, value in (flags | {"is_async": each.is_async}).items() if value
    )
    head, _, rest = each.name.partition("_")
    if rest and not each.owner and len(head) > 1:
        yield "name_starts", f"{head}_"
    if not each.owner and (first := first_parameter(each)) not in POSITIONAL_PARAMETERS:
        yield "first_parameter", first


def _of_module(facts: FileFacts) -> Iterator[tuple[str, str]]:
    if facts.documented:
        yield "documented", "True"
    if "__all__" in facts.assigned:
        yield "assigned", "__all__"
    if facts.header:
        yield "header", facts.header
    if any(each.target == _FUTURE_ANNOTATIONS for each in facts.imports):
        yield "imports", _FUTURE_ANNOTATIONS


def _demanded(key: str, value: str) -> Any:
    """Returns a value in the form that a check uses."""
    if key == "imports":
        return [value]
    return True if value == "True" else value


def _candidate(
    rule: Consensus, subject: str, key: str, value: str, tests: bool, lift: float
) -> DecisionCandidate:
    what = "modules with a logger" if subject == "logger" else PLURALS.get(subject, "modules")
    public = f"public {what}" if subject != "module" else what
    if key == "assigned" and subject == "logger":
        key_of_text = "logger"
    else:
        key_of_text = value if key == "tests_are" else key
    text = _TEXTS[key_of_text][0].format(what=public, value=value.removesuffix("()"))
    name = "module" if subject in {"logger", "imports", "tests"} else subject
    check = {
        "form": "pattern",
        "subject": name,
        "where": {} if name == "module" else {"public": True},
        "require": {key: _demanded(key, value)},
    }
    return rule.candidate(
        text,
        check,
        lift,
        tests=tests,
        rationale=f"{share(rule.followed, rule.cases, what)} here do so.",
        instead="another name" if key in {"name_ends", "assigned"} else "leaving it out",
        weight=(0.6 if key in _LIGHT_TRAITS or is_implied(rule.area, value) else 0.9)
        * (0.5 if tests else 1.0),
        topic=f"names:{value}" if key == "name_ends" else f"style:{subject}:{key}",
        keywords=[subject, value],
    )
