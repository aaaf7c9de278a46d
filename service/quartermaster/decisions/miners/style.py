"""Style of areas: names of classes and functions, annotations, docstrings, loggers, parameters.

What a linter of the project enforces is left out, and so is what most packages do (base rates).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from quartermaster.decisions.base_rates import base_rate
from quartermaster.decisions.candidates import Candidate, Statistics
from quartermaster.decisions.codebase import EVERYWHERE, CodeBase
from quartermaster.decisions.consensus import Case, Consensus, find_consensus
from quartermaster.decisions.facts import FileFacts
from quartermaster.decisions.signals import Signals
from quartermaster.decisions.words import area_of, area_word, share

_LEAST_LIFT: Final = 0.25
_LAST_WORD: Final = re.compile(r"[A-Z][a-z0-9]+$")
_TEXTS: Final = {
    "documented": ("begin {what} with a docstring", "docstrings"),
    "returns_annotated": ("annotate what {what} return", "annotations"),
    "is_async": ("write {what} as `async def`", ""),
}
_RARE: Final = frozenset(
    {"name_ends", "name_starts", "assigned", "first_parameter", "header", "imports", "file_ends"}
)
_PLURALS: Final = {
    "class": "classes", "function": "functions", "method": "methods", "module": "modules"
}


def mine(signals: Signals) -> Iterator[Candidate]:
    """See the module."""
    code = signals.code
    for tests in (False, True):
        for rule in find_consensus(code, code.mined(tests=tests), lambda one: cases(code, one)):
            subject, key, value = str(rule.subject), *_parts(rule)
            if key in _TEXTS and _TEXTS[key][1] in signals.enforced:
                continue
            default = 0.05 if key in _RARE else 0.5
            area = area_word(rule.area) if key == "name_ends" else ""
            usual = base_rate(f"style:{area}:{subject}:{key}:{value}", default)
            lift = rule.followed / rule.cases - max(usual, rule.outside or 0.0)
            if rule.area == EVERYWHERE:
                lift = rule.followed / rule.cases - usual
            if lift >= _LEAST_LIFT:
                yield _candidate(rule, subject, key, value, tests, lift)


def _parts(rule: Consensus) -> tuple[str, Any]:
    key, value = rule.property if isinstance(rule.property, tuple) else ("", "")
    return str(key), value


def cases(code: CodeBase, facts: FileFacts) -> Iterator[Case]:
    for each in facts.classes:
        if each.nested or each.name.startswith("_"):
            continue
        has: set[tuple[str, Any]] = {("documented", True)} if each.documented else set()
        if match := _LAST_WORD.search(each.name):
            has.add(("name_ends", match[0]))
        yield Case("class", frozenset(has))
    for each in facts.functions:
        if each.nested or each.name.startswith("_") or each.name.startswith("test"):
            continue
        has = {("documented", True)} if each.documented else set()
        has |= {("returns_annotated", True)} if each.returns else set()
        has |= {("is_async", True)} if each.is_async else set()
        head, dash, rest = each.name.partition("_")
        if dash and rest and not each.owner and len(head) > 1:
            has.add(("name_starts", f"{head}_"))
        parameters = [one for one in each.parameters if one not in {"self", "cls"}]
        if parameters and not each.owner:
            has.add(("first_parameter", parameters[0]))
        yield Case("method" if each.owner else "function", frozenset(has))
    if facts.functions or facts.classes:
        has = {("documented", True)} if facts.documented else set()
        has |= {("assigned", name) for name in facts.assigned if name in {"__all__"}}
        has |= {("header", facts.header)} if facts.header else set()
        targets = {each.target for each in facts.imports}
        has |= {("imports", ("__future__.annotations",))} & {("imports", (one,)) for one in targets}
        yield Case("module", frozenset(has))
    if own := facts.imports_of_own():
        relative = {one.relative for one in own}
        kinds = {False: "absolute", True: "relative"}
        each = frozenset({("imports_are", kinds[one]) for one in relative})
        yield Case("imports", each if len(relative) == 1 else frozenset())
    if tests := facts.tests():
        owned = {bool(one.owner) for one in tests}
        kind = {True: "methods", False: "functions"}
        grouped = frozenset({("tests_are", kind[one]) for one in owned})
        stem = facts.path.rpartition("/")[2]
        ending = {("file_ends", "_test.py")} if stem.endswith("_test.py") else set()
        yield Case("tests", (grouped if len(owned) == 1 else frozenset()) | ending)
    for name, value in facts.assigned.items():
        if value.endswith("()") and value.removesuffix("()").endswith(("getLogger", "get_logger")):
            yield Case("logger", frozenset({("assigned", name), ("assigned_from", value)}))


def _candidate(
    rule: Consensus, subject: str, key: str, value: Any, tests: bool, lift: float
) -> Candidate:
    what = _PLURALS.get(subject, {"logger": "modules with a logger"}.get(subject, "modules"))
    public = f"public {what}" if subject != "module" else what
    match key:
        case "name_ends":
            text = f"end the names of {public} in `{value}`"
        case "name_starts":
            text = f"begin the names of {public} with `{value}`"
        case "first_parameter":
            text = f"take `{value}` as the first parameter of {public}"
        case "assigned":
            text = f"name the logger of a module `{value}`" if subject == "logger" else (
                f"list what {what} export in `{value}`"
            )
        case "header":
            text = f"begin each file with the comment `# {value}`"
        case "imports":
            text = "write `from __future__ import annotations` in each module"
        case "imports_are":
            text = f"write {value} imports for modules of the same package"
        case "tests_are" if value == "methods":
            text = "group tests in classes, as methods"
        case "tests_are":
            text = "write tests as plain functions, not in classes"
        case "file_ends":
            text = f"name files of tests `*{value}`"
        case "assigned_from":
            text = f"get the logger of a module from `{str(value).removesuffix('()')}`"
        case _:
            text = _TEXTS[key][0].format(what=public)
    area = area_of(rule.area, tests=tests)
    name = "module" if subject in {"logger", "imports", "tests"} else subject
    if key == "imports":
        value = list(value)
    check: dict[str, Any] | None = {
        "form": "pattern",
        "paths": [rule.area],
        "tests": tests,
        "subject": name,
        "where": {} if name == "module" else {"public": True},
        "require": {key: value},
    }
    return Candidate(
        miner="style",
        pattern=(f"{area}{text}." if area else f"{text[0].upper()}{text[1:]}."),
        scope=rule.area,
        check=check,
        rationale=f"{share(rule.followed, rule.cases, what)} here do so.",
        instead="another name" if key in {"name_ends", "assigned"} else "leaving it out",
        weight=(0.6 if key in _TEXTS else 0.9) * (0.5 if tests else 1.0),
        topic=f"style:{subject}:{key}",
        keywords=[subject, str(value) if isinstance(value, str) else key],
        statistics=Statistics(rule.cases, rule.followed, rule.files, lift),
    )
