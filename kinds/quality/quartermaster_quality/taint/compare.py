"""Evaluates comparisons, and derives the facts that they prove about the compared data."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from quartermaster_quality.taint.marks import (
    ANY_CHARACTER,
    EVERY_RULE,
    NO_FACTS,
    Facts,
    Mark,
    PathFact,
    both,
    mask_of,
)
from quartermaster_quality.taint.values import (
    AbstractValue,
    ClassV,
    ComposedText,
    Const,
    Extern,
    Func,
    Instance,
    Map,
    Seq,
    Thing,
    UnionValue,
    Unknown,
    const_str,
    marks_of,
    truth,
    verdict,
    when,
)

ORDER: dict[type[ast.cmpop], Callable[..., object]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def fact(marks: frozenset[Mark], *, mask: int = ANY_CHARACTER, safe: tuple[str, ...] = ()) -> Facts:
    """Maps the source of each mark to the same fact."""
    return {m.sid: PathFact(mask, frozenset(safe)) for m in marks}


def constant_facts(marks: frozenset[Mark]) -> Facts:
    """Maps the source of each mark to the fact that its data is equal to a constant."""
    facts: dict[str, PathFact] = {}
    for mark in marks:
        facts[mark.sid] = PathFact(safe=EVERY_RULE)
        for suffix in ("|host", "|hostname"):
            if mark.sid.endswith(suffix):
                facts[mark.sid.removesuffix(suffix)] = PathFact(safe=frozenset({"url"}))
    return facts


def compare(left: AbstractValue, op: ast.cmpop, right: AbstractValue) -> AbstractValue:
    """Evaluates a comparison. Returns true or false if the result is known, else an unknown value
    with the facts that follow from each result.
    """
    if isinstance(op, ast.NotEq | ast.NotIn | ast.IsNot):
        positive = {ast.NotEq: ast.Eq, ast.NotIn: ast.In, ast.IsNot: ast.Is}[type(op)]()
        return negated(compare(left, positive, right))
    if isinstance(op, ast.Eq):
        return _equal(left, right)
    if isinstance(op, ast.In):
        return _in(left, right)
    if isinstance(op, ast.Is):
        return _is(left, right)
    return _ordered(left, op, right)


def negated(value: AbstractValue) -> AbstractValue:
    """Returns the abstract value of ``not value``."""
    known = truth(value)
    return verdict(*reversed(when(value))) if known is None else Const(not known)


def _ordered(left: AbstractValue, op: ast.cmpop, right: AbstractValue) -> AbstractValue:
    if isinstance(left, Const) and isinstance(right, Const):
        try:
            return Const(bool(ORDER[type(op)](left.value, right.value)))
        except TypeError:
            return Unknown("bool")
    if isinstance(op, ast.LtE) and isinstance(left, Seq) and left.kind == "set":
        return _subset(left, right)
    if isinstance(op, ast.GtE) and isinstance(right, Seq) and right.kind == "set":
        return _subset(right, left)
    return Unknown("bool")


def _subset(small: Seq, large: AbstractValue) -> AbstractValue:
    marks = marks_of(small)
    if not marks or marks_of(large):
        return Unknown("bool")
    return verdict(whole_facts(constant_facts(marks), large))


def whole_facts(facts: Facts, allowed: AbstractValue | None = None) -> Facts:
    """Converts facts about every element of a value to facts about the whole value."""
    out: dict[str, PathFact] = {}
    listed_fact = PathFact(ANY_CHARACTER if allowed is None else _chars(allowed))
    for sid, known in facts.items():
        listed = sid.endswith("|each") and "*" in known.safe and allowed is not None
        out[sid.removesuffix("|each")] = listed_fact if listed else known
    return out


def _chars(allowed: AbstractValue) -> int:
    text = const_str(allowed)
    if text is not None:
        return mask_of(text)
    if isinstance(allowed, Seq) and allowed.rest is None:
        return mask_of("".join(const_str(i) or "" for i in allowed.items))
    return mask_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def _equal(left: AbstractValue, right: AbstractValue) -> AbstractValue:
    if isinstance(left, Const) and isinstance(right, Const):
        return Const(left.value == right.value)
    if isinstance(left, Extern) and isinstance(right, Extern) and left.name == right.name:
        return Const(True)
    for value, other in ((left, right), (right, left)):
        marks = marks_of(value)
        # If nothing in the other comes from outside, equality to it is an allow-list.
        if marks and not marks_of(other) and isinstance(value, Unknown | ComposedText | UnionValue):
            return verdict(*_equal_facts(value, marks, other))
    return Unknown("bool")


_HASH_TYPES = {"digest", "len", "count"}


def _equal_facts(
    value: AbstractValue, marks: frozenset[Mark], other: AbstractValue
) -> tuple[Facts, Facts]:
    type_ = value.type if isinstance(value, Unknown) else ""
    if type_ in {"commonpath", "parent"}:
        return resolved_facts(marks), NO_FACTS
    if type_ in _HASH_TYPES:
        return NO_FACTS, NO_FACTS
    text = const_str(other)
    if text == "":
        return NO_FACTS, NO_FACTS if not isinstance(value, Unknown) else when(value)[0]
    if isinstance(value, ComposedText):
        # Each piece is a piece of the constant then.
        pieces = [p for p in value.parts if isinstance(p, Unknown) and p.type not in _HASH_TYPES]
        return constant_facts(frozenset(m for p in pieces for m in p.marks)), NO_FACTS
    true = constant_facts(marks)
    false: Facts = NO_FACTS
    for mark in marks:
        if mark.sid.endswith("|at0") and text == "/":
            parent = mark.sid.removesuffix("|at0")
            true = both(true, {parent: PathFact(safe=frozenset({"slash"}))})
            false = {parent: PathFact(safe=frozenset({"relative"}))}
        if mark.sid.endswith("|at1") and text in {"/", "\\"}:
            false = {mark.sid.removesuffix("|at1"): PathFact(safe=frozenset({"no-slashes"}))}
        if "|base" in mark.sid:
            true = both(true, {mark.sid.split("|base")[0]: PathFact(safe=frozenset({"path"}))})
    return true, false


def resolved_facts(marks: frozenset[Mark]) -> Facts:
    """Returns facts for the marks of resolved paths: each path is below its root folder."""
    return {
        m.sid.removesuffix("|parent"): PathFact(safe=frozenset({"path"}))
        for m in marks
        if "resolved" in m.flags
    }


def _in(left: AbstractValue, right: AbstractValue) -> AbstractValue:
    if isinstance(left, Const) and isinstance(right, Const):
        container: Any = right.value
        try:
            return Const(left.value in container)
        except TypeError:
            return Unknown("bool")
    known = _known_member(left, right)
    if known is not None:
        return Const(known)
    marks = marks_of(left)
    if marks and isinstance(left, Unknown | UnionValue) and _is_list(right):
        return verdict(*_member_facts(marks, right))
    if isinstance(right, Unknown | ComposedText | UnionValue) and marks_of(right):
        return verdict(*_contains_facts(left, right))
    return Unknown("bool")


def _known_member(left: AbstractValue, right: AbstractValue) -> bool | None:
    if not isinstance(left, Const):
        return None
    if isinstance(right, Seq) and right.rest is None:
        if any(isinstance(i, Const) and i.value == left.value for i in right.items):
            return True
        if all(isinstance(i, Const) for i in right.items):
            return False
    if isinstance(right, Map) and isinstance(left.value, str | int | bytes | None):
        if left.value in right.items:
            return True
        return False if right.rest is None and right.items else None
    if isinstance(right, ComposedText):
        text = const_str(left)
        if text and any(isinstance(p, str) and text in p for p in right.parts):
            return True
    return None


def _is_list(right: AbstractValue) -> bool:
    """Returns whether the right side of ``in`` contains only values that the program chose."""
    if isinstance(right, Map):
        return right.keys is None or not marks_of(right.keys)
    if isinstance(right, UnionValue):
        return all(_is_list(o) for o in right.options)
    kinds = Seq | Extern | Unknown | Thing | ClassV | Func | Instance
    return isinstance(right, kinds) and not marks_of(right)


def _member_facts(marks: frozenset[Mark], right: AbstractValue) -> tuple[Facts, Facts]:
    true = constant_facts(marks)
    false: dict[str, PathFact] = {}
    texts = [const_str(i) for i in right.items] if isinstance(right, Seq) else []
    for mark in marks:
        if mark.sid.endswith("|at1") and "/" in texts:
            false[mark.sid.removesuffix("|at1")] = PathFact(safe=frozenset({"no-slashes"}))
        if mark.sid.endswith("|each") and texts and all(t and len(t) == 1 for t in texts):
            false[mark.sid] = PathFact(ANY_CHARACTER & ~mask_of("".join(t or "" for t in texts)))
    return true, false


def _contains_facts(left: AbstractValue, right: AbstractValue) -> tuple[Facts, Facts]:
    """Returns the facts that follow from each result of a test such as ``"'" in text``. If this
    test is false, the text does not contain the character.
    """
    marks = marks_of(right)
    if isinstance(right, Unknown) and right.type == "parents":
        return resolved_facts(marks), NO_FACTS
    text = const_str(left)
    if not text:
        return NO_FACTS, NO_FACTS
    if len(text) == 1:
        return NO_FACTS, fact(marks, mask=ANY_CHARACTER & ~mask_of(text))
    if text == "..":
        return NO_FACTS, fact(marks, safe=("dotdot",))
    if text == "//":
        return NO_FACTS, fact(marks, safe=("no-slashes",))
    return NO_FACTS, NO_FACTS


def _is(left: AbstractValue, right: AbstractValue) -> AbstractValue:
    if isinstance(right, Const) and right.value is None:
        if isinstance(left, Const):
            return Const(left.value is None)
        if isinstance(left, Seq | Map | Func | Instance | Thing | ComposedText | ClassV):
            return Const(False)
        return verdict(*reversed(when(left)))
    if isinstance(left, Const) and isinstance(right, Const):
        return Const(left.value is right.value or left.value == right.value)
    if isinstance(right, Const) and isinstance(right.value, bool):
        return verdict(*(when(left) if right.value else reversed(when(left))))
    if isinstance(left, Unknown) and left.type == "type" and left.marks:
        return verdict(constant_facts(left.marks))
    return Unknown("bool")
