"""The state of the analysis on one path, and of one running function."""

from __future__ import annotations

from quartermaster.quality.taint.marks import NO_FACTS, Facts, either
from quartermaster.quality.taint.values import Func, Scope, Value, bake, join


class State:
    """Variables and facts at one place of one path."""

    __slots__ = ("facts", "vars")

    def __init__(self, variables: dict[str, Value], facts: Facts = NO_FACTS) -> None:
        self.vars = variables
        self.facts = facts

    def copy(self, facts: Facts | None = None) -> State:
        """A state for another path."""
        return State(dict(self.vars), self.facts if facts is None else facts)


def merge(first: State | None, second: State | None) -> State | None:
    """The state where two paths meet; None if neither arrives."""
    if first is None:
        return second
    if second is None or first is second:
        return first
    facts = first.facts if first.facts is second.facts else either(first.facts, second.facts)
    merged: dict[str, Value] = {}
    for name in first.vars.keys() | second.vars.keys():
        a, b = first.vars.get(name), second.vars.get(name)
        if a is b and a is not None:
            merged[name] = a
            continue
        if a is not None and first.facts is not facts:
            a = bake(a, first.facts)
        if b is not None and second.facts is not facts:
            b = bake(b, second.facts)
        merged[name] = join(a, b)
    return State(merged, facts)


class Frame:
    """One running function."""

    __slots__ = (
        "breaks",
        "cls",
        "continues",
        "func",
        "may",
        "returns",
        "scope",
        "self_",
        "yields",
    )

    def __init__(self, scope: Scope, func: Func | None = None) -> None:
        self.scope = scope
        self.func = func
        self.cls = func.cls if func is not None else None
        self.self_: Value | None = None
        self.returns: list[tuple[Value, Facts, int]] = []
        self.yields: list[tuple[Value, bool]] = []
        self.breaks: list[list[State]] = []
        self.continues: list[list[State]] = []
        self.may = 0
