"""Keyword arguments: calls of a function, or uses of a decorator, nearly always pass a certain
argument.

The miner leaves out required arguments, and arguments that other packages pass as often (table of
base rates). An argument in a decorator of a class counts for the methods of the class. If nearly
all calls pass the same value, or a member of the same class (`Permission.READ`), the instruction
includes it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from quartermaster_decisions.base_rates import base_rate
from quartermaster_decisions.candidates import DecisionCandidate
from quartermaster_decisions.codebase import CodeBase
from quartermaster_decisions.consensus import LEAST_CASES, Consensus, ConsensusCase, find_consensus
from quartermaster_decisions.facts import FileFacts
from quartermaster_decisions.signals import Signals
from quartermaster_decisions.words import called, share, short, words_of

_LEAST_LIFT: Final = 0.2
_LEAST_CASES: Final = 10
_MOST_OUTSIDE: Final = 0.6
# What is passed to these is data.
_DATA: Final = (
    *(".create", ".filter", ".filter_by", ".values", ".exclude", ".order_by", ".get", ".update"),
    *(".post", "override_settings", "timedelta"),
)
_MEMBER: Final = re.compile(r"([A-Z][a-z]\w*)\.[\w.]+$")
_CONSTANTS: Final = frozenset({"True", "False", "None"})


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each keyword argument that nearly all calls of a function or uses of a
    decorator pass.
    """
    code = signals.code
    for tests in (False, True):
        rules: dict[tuple[str, str, str], list[Consensus]] = defaultdict(list)
        families: list[Consensus] = []
        said: set[tuple[str, str]] = set()
        least = LEAST_CASES if tests else _LEAST_CASES
        for rule in find_consensus(
            code, code.mined(tests=tests), lambda one: cases(code, one), least_cases=least
        ):
            if isinstance(rule.subject, tuple):
                families.append(rule)
            elif _is_telling(code, rule, tests):
                rules[str(rule.subject), rule.has[0], rule.area].append(rule)
        for (name, keyword, _), same in rules.items():
            # With the value, if nearly all have the same one.
            rule = max(same, key=lambda one: bool(one.has[1]))
            # Whoever calls a library knows what it needs, unless others here leave it out.
            is_known = rule.outside is None or rule.outside > _MOST_OUTSIDE
            if is_known and not rule.has[1] and not code.is_own(name):
                continue
            usual = base_rate(f"keyword:{name}:{keyword}")
            lift = rule.share - (0.0 if code.is_own(name) else usual)
            if lift >= _LEAST_LIFT:
                said.add((name, keyword))
                yield _candidate(code, rule, tests, lift)
        if not tests:
            yield from _of_families(code, families, said)


def _of_families(
    code: CodeBase, families: list[Consensus], said: set[tuple[str, str]]
) -> Iterator[DecisionCandidate]:
    """Yields candidates for arguments that the calls of several classes of one library pass, such
    as all model fields.
    """
    for rule in families:
        _, module, word = rule.subject
        keyword, value = rule.has
        names = _alike(code, module, word)
        if (
            value
            or rule.area in code.files
            or len(names) < 2
            or any((name, keyword) in said for name in names)
        ):
            continue
        usual = max(base_rate(f"keyword:{name}:{keyword}", 0.0) for name in names)
        lift = rule.share - max(usual, rule.outside or 0.0)
        if lift >= 2 * _LEAST_LIFT:
            yield _candidate(code, rule, False, lift, names)


def _alike(code: CodeBase, module: str, word: str) -> list[str]:
    """Returns the called names of a module that end in a word, the most used first."""
    used = Counter(
        name
        for facts in code.mined(tests=False)
        for call in facts.calls
        if (name := code.canonical(call.name)).startswith(f"{module}.") and name.endswith(word)
    )
    return [name for name, _ in used.most_common(20)]


def _is_telling(code: CodeBase, rule: Consensus, tests: bool) -> bool:
    """Returns whether a rule is useful as a candidate. A rule is useless if the call requires the
    argument anyway, or if the argument only passes data.
    """
    name, (keyword, value) = str(rule.subject), rule.has
    if (tests and value not in {"True", "False"}) or rule.area in code.files:
        return False
    if ".objects." in name or keyword.isupper() or name.endswith(_DATA):
        return False
    return not _is_demanded(code, name, keyword)


def cases(code: CodeBase, facts: FileFacts) -> Iterator[ConsensusCase]:
    """Yields a case for each call and each decorator: its keyword arguments, with and without their
    values.
    """
    at_class = {each.name: each.decorators for each in facts.classes}
    lines: set[int] = set()
    for one, owner in facts.decorated():
        lines.add(one.line)
        given = dict(one.keywords)
        for outer in at_class.get(owner, ()):
            given = {**outer.keywords, **given}
        yield from _case(code, one.name, given)
    for call in facts.calls:
        if call.line not in lines and "**" not in call.keywords:
            yield from _case(code, call.name, dict(call.keywords))


def _case(code: CodeBase, name: str, given: dict[str, str]) -> Iterator[ConsensusCase]:
    every = {(keyword, "") for keyword in given}
    every |= {(keyword, value) for keyword, value in given.items() if _is_constant(value)}
    every |= {
        (keyword, f"{match[1]}.")
        for keyword, value in given.items()
        if (match := _MEMBER.match(value))
    }
    known = code.canonical(name)
    yield ConsensusCase(known, frozenset(every))
    outer, _, last = known.rpartition(".")
    words = words_of(last)
    # Classes of one library that are named alike: `CharField`, `TextField`.
    if len(words) > 1 and last[:1].isupper() and code.origin(known) == "other":
        yield ConsensusCase(("family", outer, words[-1].title()), frozenset(every))


def _is_constant(value: str) -> bool:
    return value in _CONSTANTS or value[:1].isdigit()


def _of_value(value: str) -> dict[str, str]:
    if value.endswith("."):
        return {"value_begins": value}
    return {"value": value} if value else {}


def _is_demanded(code: CodeBase, name: str, keyword: str) -> bool:
    """Returns whether a function or class of the code base requires an argument. A class without an
    `__init__` method counts as requiring every argument.
    """
    if known := code.functions.get(name):
        return keyword in known[1].required
    if known_class := code.classes.get(name):
        facts, each = known_class
        init = [one for one in facts.functions if one.owner == each.name and one.name == "__init__"]
        return not init or keyword in init[0].required
    return False


def _candidate(
    code: CodeBase, rule: Consensus, tests: bool, lift: float, family: Sequence[str] = ()
) -> DecisionCandidate:
    """Returns the candidate for a rule. `family` lists the functions if the rule applies to
    several.
    """
    name = family[0] if family else str(rule.subject)
    keyword, value = rule.has
    check = {
        "form": "keyword",
        "names": [each for one in family or [name] for each in code.variants(one)],
        "keyword": keyword,
    }
    text = f"`{keyword}={value}`" if value else f"`{keyword}=`"
    if value.endswith("."):
        text = f"a member of `{value[:-1]}` as `{keyword}=`"
    whom = ", ".join(f"`{short(one)}`" for one in family[:3])
    whom = f"{whom} and others like them" if family else called(name)
    origin = {"own": 1.1, "other": 1.0, "stdlib": 0.8}.get(code.origin(name), 0.4)
    return rule.candidate(
        f"pass {text} to {whom}",
        check | _of_value(value),
        lift,
        tests=tests,
        rationale=f"{share(rule.followed, rule.cases, 'uses')} pass it, although it is optional.",
        instead=f"leaving {text} out",
        weight=origin * (0.4 if tests else 1.0) * (1.3 if value else 0.8),
        topic=f"call:{short(name)}",
        keywords=[short(name), keyword],
    )
