"""The state of the analysis: the variables and facts of a path, and the frame of a function that is
being analyzed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from quartermaster_quality.taint.marks import NO_FACTS, Facts, either
from quartermaster_quality.taint.values import AbstractValue, Func, Scope, bake, join


@dataclass(slots=True, eq=False)
class State:
    """The variables and facts at one place on one path."""

    vars: dict[str, AbstractValue]
    facts: Facts = field(default_factory=lambda: NO_FACTS)

    def copy(self, facts: Facts | None = None) -> State:
        """Returns a copy of the state for another path."""
        return State(dict(self.vars), self.facts if facts is None else facts)


def merge(first: State | None, second: State | None) -> State | None:
    """Merges the states of two paths that meet; returns None if both paths have ended."""
    if first is None:
        return second
    if second is None or first is second:
        return first
    facts = first.facts if first.facts is second.facts else either(first.facts, second.facts)
    merged: dict[str, AbstractValue] = {}
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


@dataclass(slots=True, eq=False)
class Frame:
    """The frame of a function that is being analyzed."""

    scope: Scope
    func: Func | None = None
    self_: AbstractValue | None = None
    returns: list[tuple[AbstractValue, Facts, int]] = field(
        default_factory=list[tuple[AbstractValue, Facts, int]]
    )
    yields: list[tuple[AbstractValue, bool]] = field(
        default_factory=list[tuple[AbstractValue, bool]]
    )
    breaks: list[list[State]] = field(default_factory=list[list[State]])
    continues: list[list[State]] = field(default_factory=list[list[State]])
    may: int = 0
