"""Calls in functions: all functions with the same name, or with the same decorator, call the same
function.

Functions are counted together if they have the same name (`notify`), begin with the same verb
(`delete_...`), or have the same decorator. Only calls of functions and methods of the code base
count, also through `self` or a parameter. Functions with similar names (`_get_check_for_user`,
`_get_rw_check_for_user`) can count as one function. The miner also proposes a first parameter that
all functions with a decorator share.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, Final

from quartermaster_decisions.candidates import DecisionCandidate
from quartermaster_decisions.codebase import CodeBase
from quartermaster_decisions.consensus import Consensus, ConsensusCase, Property, find_consensus
from quartermaster_decisions.facts import FileFacts
from quartermaster_decisions.signals import Signals
from quartermaster_decisions.words import POSITIONAL_PARAMETERS, called, share, short

_LEAST_LIFT: Final = 0.3
_USUAL_NAMES: Final = frozenset(
    {"super", "append", "get", "items", "join", "format", "add", "update", "save", "delete"}
    | {"filter", "all", "first", "create", "pop", "keys", "values", "split", "strip", "copy"}
)
_LIFE: Final = frozenset({"__init__", "setUp", "tearDown", "__str__", "__repr__"})
_LOGGERS: Final = frozenset({"log", "logger", "_log", "_logger", "LOG", "LOGGER"})
_VERBS: Final = frozenset(
    {"create", "update", "delete", "add", "remove", "edit", "set", "clone", "import", "export"}
    | {"send", "notify", "sync", "index", "list", "show", "handle", "on", "build", "render"}
    | {"process"}
)
_MOST_FAMILY: Final = 8
_MOST_SAID: Final = 2


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each call that nearly all functions of a group make."""
    code = signals.code
    families = _families(code)
    methods = Counter(
        each.name for facts in code.files.values() for each in facts.functions if each.owner
    )
    described = _CallCases(code, families, methods)
    for tests in (False, True):
        rules = list(find_consensus(code, code.mined(tests=tests), described.of))
        single = {(rule.subject, rule.has[1]) for rule in rules}
        said: Counter[tuple[str, Property]] = Counter()
        for rule in sorted(rules, key=lambda one: (-one.followed, str(one.has))):
            if said[rule.area, rule.subject] >= _MOST_SAID:
                continue
            if _family(rule, families) & {
                name for subject, name in single if subject == rule.subject
            }:
                continue
            lift = rule.share - max(rule.outside or 0.0, 0.1)
            if lift >= _LEAST_LIFT and not _is_repeated(rule, families):
                said[rule.area, rule.subject] += 1
                yield _candidate(code, rule, tests, lift, families)


def _families(code: CodeBase) -> dict[tuple[str, str], list[str]]:
    """Returns groups of functions of one module whose names begin and end with the same words."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name in code.functions:
        module, _, last = name.rpartition(".")
        words = [word for word in last.split("_") if word]
        if len(words) > 2:
            found[module, f"{words[0]}_*_{words[-1]}"].append(name)
    return {key: names for key, names in found.items() if 1 < len(names) <= _MOST_FAMILY}


def _family(rule: Consensus, families: dict[tuple[str, str], list[str]]) -> set[str]:
    """Returns the functions of which a rule accepts any one. Returns an empty set if the rule names
    a single function.
    """
    return set(families[rule.has[1], rule.has[2]]) if rule.has[0] == "one_of" else set()


def _is_repeated(rule: Consensus, families: dict[tuple[str, str], list[str]]) -> bool:
    """Returns whether a rule is useless, because the functions of the group only call each
    other.
    """
    return rule.subject[-1] in {one.rpartition(".")[2] for one in _family(rule, families)}


class _CallCases:
    """Describes the functions in files by the functions that they call."""

    def __init__(
        self,
        code: CodeBase,
        families: dict[tuple[str, str], list[str]],
        methods: Counter[str],
    ) -> None:
        self._code = code
        self._family_of = {one: key for key, names in families.items() for one in names}
        self._methods = methods

    def of(self, facts: FileFacts) -> Iterator[ConsensusCase]:
        """Yields a case for each function of a file."""
        inside: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        for call in facts.calls:
            inside[call.function].update(self._called(call.name))
        for each in facts.functions:
            if each.nested or each.name in _LIFE or each.name.startswith("test"):
                continue
            has = set(inside[each.name])
            kind = "method" if each.owner else "function"
            yield ConsensusCase((kind, each.name), frozenset(has))
            verb = each.name.partition("_")[0]
            if verb in _VERBS and verb != each.name:
                yield ConsensusCase((kind, "starts", f"{verb}_"), frozenset(has))
            parameters = [one for one in each.parameters if one not in {"self", "cls"}]
            if parameters and not each.owner and parameters[0] not in POSITIONAL_PARAMETERS:
                has.add(("first_parameter", parameters[0]))
            for one in each.decorators:
                yield ConsensusCase((kind, "@", self._code.canonical(one.name)), frozenset(has))

    def _called(self, raw: str) -> Iterator[tuple[str, ...]]:
        name = self._code.canonical(raw)
        outer, _, last = name.rpartition(".")
        if "(" in name or last in _USUAL_NAMES:
            return
        if outer.rpartition(".")[2].lstrip("~") in _LOGGERS:
            yield "calls", f"*.{outer.rpartition('.')[2].lstrip('~')}.{last}"
        elif self._code.is_own(name):
            if name in self._code.functions or "._" not in name:
                yield "calls", name
            if key := self._family_of.get(name):
                yield ("one_of", *key)
        elif name.startswith(("~self.", "~request.", "~config.")) and "._" not in name:
            yield "calls", name
        elif name.startswith("~") and outer and 0 < self._methods[last] <= 3:
            # A method that few own classes have.
            yield "calls", f"*.{last}"


def _candidate(
    code: CodeBase,
    rule: Consensus,
    tests: bool,
    lift: float,
    families: dict[tuple[str, str], list[str]],
) -> DecisionCandidate:
    kind, *_, last = rule.subject
    key, value = rule.has[:2]
    where, what = _what(code, *rule.subject)
    require: dict[str, Any] = {"first_parameter": value}
    text = f"take `{value}` as the first parameter of {what}"
    names: list[str] = []
    if key == "one_of":
        names = families[value, rule.has[2]]
        listed = ", ".join(f"`{one.rpartition('.')[2]}`" for one in sorted(names)[:4])
        text = f"call one of {listed} (from `{value}`) in {what}"
    elif key == "calls":
        names = [value]
        shown = f"`{value.removeprefix('*.')}`" if value.startswith("*.") else called(value)
        text = f"call {shown} in {what}"
    if names:
        require = {"calls": [each for one in names for each in code.variants(one)]}
    return rule.candidate(
        text,
        {"form": "pattern", "subject": kind, "where": where, "require": require},
        lift,
        tests=tests,
        rationale=f"{share(rule.followed, rule.cases, f'such {kind}s')} do so.",
        instead="leaving it out" if names else "another parameter first",
        weight=(1.2 if names else 0.8) * (0.4 if tests else 1.0),
        topic=f"calls:{rule.subject}",
        keywords=[short(value), short(last)],
    )


def _what(code: CodeBase, kind: str, *rest: str) -> tuple[dict[str, Any], str]:
    """Returns a description of the functions: once for the check, and once in words."""
    if rest[0] == "@":
        return {"decorators": code.variants(rest[1])}, f"each {kind} that has `@{short(rest[1])}`"
    if rest[0] == "starts":
        return {"name_starts": rest[1]}, f"each {kind} `{rest[1]}...`"
    return {"name": rest[0]}, f"each {kind} `{rest[0]}`"
