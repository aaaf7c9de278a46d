"""Marks record why a value is untrusted. Facts are statements about the value that hold on one path
of the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, reduce
from typing import Any

from quartermaster.core.findings import FlowStep

# Characters are bits: ASCII, then one bit each for what else matters.
OTHER_LINE_BREAK = 1 << 128
OTHER_CHARACTERS = 1 << 129
ANY_CHARACTER = (1 << 130) - 1
ASCII = (1 << 128) - 1
MAX_STEPS = 12


def mask_of(text: Iterable[str]) -> int:
    """Returns the set of characters in a text as a bit mask."""
    mask = 0
    for char in text:
        code = ord(char)
        if code < 128:
            mask |= 1 << code
        elif char in "\x85\u2028\u2029":
            mask |= OTHER_LINE_BREAK
        else:
            mask |= OTHER_CHARACTERS
    return mask


DIGITS = mask_of("0123456789")
CONTROLS = mask_of(map(chr, range(32))) | mask_of("\x7f")
LETTERS = mask_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
WORD = DIGITS | LETTERS | mask_of("_")
ALNUM = DIGITS | LETTERS | OTHER_CHARACTERS
EVERY_RULE = frozenset({"*"})
MAX_SID = 120
MAX_MARKS = 24


@dataclass(frozen=True, slots=True)
class Mark:
    """A reason why a value is untrusted.

    Attributes:
        sid: identity of the data; two values with the same sid hold the same data.
        kind: kind of the source, such as ``request``.
        line: line where the data enters.
        text: description of the source.
        mask: characters that the data can contain.
        safe: weakness classes for which the data is harmless; ``*`` means all.
        flags: operations that were applied to the data, such as ``resolved``.
        steps: the steps from the source to the current place.
    """

    sid: str
    kind: str
    line: int = field(compare=False)
    text: str = field(compare=False)
    mask: int = ANY_CHARACTER
    safe: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()
    steps: tuple[FlowStep, ...] = field(default=(), compare=False)

    def step(self, line: int, text: str) -> Mark:
        """Returns the mark with one more step."""
        if len(self.steps) >= MAX_STEPS or (self.steps and self.steps[-1].line == line):
            return self
        return replace(self, steps=(*self.steps, FlowStep(line, text)))

    def part(self, name: str) -> Mark:
        """Returns the mark of a named part of the data."""
        return self if len(self.sid) >= MAX_SID else replace(self, sid=self.sid + name)

    def root(self) -> tuple[object, ...]:
        """Returns a key that parts of the same data share. Their marks have different keys only if
        their kinds, flags or harmless classes differ.
        """
        return (re.split(r"[.|]", self.sid, maxsplit=2)[0], self.kind, self.safe, self.flags)


def few(marks: frozenset[Mark]) -> frozenset[Mark]:
    """Reduces a large set of marks. Of marks with the same root, only the mark nearest to the
    source is kept.
    """
    if len(marks) <= MAX_MARKS:
        return marks
    nearest: dict[tuple[object, ...], Mark] = {}
    for mark in sorted(marks, key=lambda m: (len(m.sid), m.sid, -m.mask)):
        nearest.setdefault(mark.root(), mark)
    return frozenset(nearest.values())


@dataclass(frozen=True, slots=True)
class PathFact:
    """A fact: a statement about the data of one source that holds on one path of the program."""

    mask: int = ANY_CHARACTER
    safe: frozenset[str] = frozenset()

    def both(self, other: PathFact) -> PathFact:
        """Returns the fact that follows if both facts hold."""
        return PathFact(self.mask & other.mask, self.safe | other.safe)

    def either(self, other: PathFact) -> PathFact:
        """Returns the fact that follows if at least one of the two facts holds."""
        return PathFact(self.mask | other.mask, self.safe & other.safe)


Facts = Mapping[str, PathFact]
NO_FACTS: Facts = {}


def both(first: Facts, second: Facts) -> Facts:
    """Returns the facts that follow if two sets of facts both hold."""
    if not first:
        return second
    if not second:
        return first
    merged = dict(first)
    for sid, fact in second.items():
        merged[sid] = merged[sid].both(fact) if sid in merged else fact
    return _combined(merged)


def either(first: Facts, second: Facts) -> Facts:
    """Returns the facts that follow if at least one of two sets of facts holds."""
    if not first or not second:
        return NO_FACTS
    if first is second:
        return first
    return {sid: fact.either(second[sid]) for sid, fact in first.items() if sid in second}


def any_of(facts: Iterable[Facts]) -> Facts:
    """Returns the facts that follow if at least one of several sets of facts holds."""
    found = list(facts)
    return reduce(either, found) if found else NO_FACTS


# Facts that make a URL local together.
LOCAL_URL = ({"slash", "no-slashes"}, {"slash", "no-host"}, {"no-scheme", "no-host"})


def _combined(facts: dict[str, PathFact]) -> Facts:
    """Adds the fact that a URL is local if a combination of facts proves this, such as exactly one
    slash at the start.
    """
    for sid, fact in facts.items():
        if "url" not in fact.safe and any(proof <= fact.safe for proof in LOCAL_URL):
            facts[sid] = PathFact(fact.mask, fact.safe | {"url"})
    return facts


def _parents(sid: str) -> Iterable[str]:
    yield sid
    while "|part" in sid:
        sid = sid[: sid.rindex("|part")]
        yield sid


def under(mark: Mark, facts: Facts) -> Mark:
    """Returns a mark that includes the known facts about its source."""
    for sid in _parents(mark.sid):
        fact = facts.get(sid)
        if fact is not None and (mark.mask & ~fact.mask or fact.safe - mark.safe):
            mark = replace(mark, mask=mark.mask & fact.mask, safe=mark.safe | fact.safe)
    return mark


@lru_cache(maxsize=512)
def pattern_mask(pattern: str, ignore_case: bool = False) -> int | None:
    """Returns the characters that can occur in a text that matches the whole pattern; None if
    unknown.
    """
    try:
        from re import _parser  # pyright: ignore[reportAttributeAccessIssue,reportUnknownVariableType]

        parsed: Any = _parser.parse(pattern)  # pyright: ignore[reportUnknownMemberType,reportUnknownVariableType]
    except (re.error, ImportError, OverflowError, RecursionError):
        return None
    mask = _items_mask(parsed)  # pyright: ignore[reportUnknownArgumentType]
    if ignore_case and mask & LETTERS:
        mask |= LETTERS
    return mask


_CATEGORIES = {
    "CATEGORY_DIGIT": DIGITS | OTHER_CHARACTERS,
    "CATEGORY_WORD": WORD | OTHER_CHARACTERS,
    "CATEGORY_SPACE": mask_of(" \t\n\r\f\v\x1c\x1d\x1e\x1f") | OTHER_LINE_BREAK | OTHER_CHARACTERS,
}


def _category(name: str) -> int:
    if "_NOT_" in name:
        return ANY_CHARACTER & ~_CATEGORIES.get(name.replace("_NOT_", "_"), 0)
    return _CATEGORIES.get(name, ANY_CHARACTER)


def _set_mask(items: Iterable[tuple[object, Any]]) -> int:
    mask, negate = 0, False
    for op, arg in items:
        name = str(op)
        if name == "NEGATE":
            negate = True
        elif name == "LITERAL" and isinstance(arg, int):
            mask |= mask_of(chr(arg))
        elif name == "RANGE" and isinstance(arg, tuple):
            first, last = int(arg[0]), int(arg[1])  # pyright: ignore[reportUnknownArgumentType]
            mask |= mask_of(map(chr, range(first, min(last, 0x2100) + 1)))
        elif name == "CATEGORY":
            mask |= _category(str(arg))
        else:
            return ANY_CHARACTER
    return (ANY_CHARACTER & ~mask) | (OTHER_CHARACTERS if negate else 0) if negate else mask


def _items_mask(items: Iterable[tuple[object, Any]]) -> int:
    mask = 0
    for op, arg in items:
        mask |= _item_mask(str(op), arg)
    return mask


def _item_mask(name: str, arg: Any) -> int:  # noqa: PLR0911 - one for each kind
    if name == "LITERAL" and isinstance(arg, int):
        return mask_of(chr(arg))
    if name == "IN":
        return _set_mask(list(arg))
    if name in {"AT", "ASSERT", "ASSERT_NOT", "GROUPREF"}:
        return 0
    if name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
        return _items_mask(list(arg[2]))
    if name == "SUBPATTERN":
        return _items_mask(list(arg[3]))
    if name == "ATOMIC_GROUP":
        return _items_mask(list(arg))
    if name == "BRANCH":
        return _items_mask([i for branch in arg[1] for i in branch])
    if name == "ANY":
        return ANY_CHARACTER & ~mask_of("\n")
    return ANY_CHARACTER
