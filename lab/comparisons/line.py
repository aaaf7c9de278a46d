"""What systems did on a set of tools and goals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Any


@dataclass(frozen=True)
class Line:
    """One system on one set.

    Attributes:
        system: its name.
        each: values for the goals, in their order, by the name of the measure; the pool's recall
            is absent where a system shows ten only.
        p50, p95: milliseconds for an answer, the embedding of the goal included where it needs it.
        is_arm: one of ours with something taken away.
    """

    system: str
    each: Mapping[str, Sequence[float]]
    p50: float
    p95: float
    is_arm: bool = False

    @property
    def metrics(self) -> dict[str, float]:
        """Mean of each measure over the goals."""
        return {name: round(fmean(values), 4) for name, values in self.each.items()}

    @property
    def half_widths(self) -> dict[str, float]:
        """Half of the 95 % interval of each of the means."""
        return {name: half_width(values) for name, values in self.each.items()}

    def as_dict(self) -> dict[str, Any]:
        """For programs: ``{system, metrics, half_widths, p50, p95, is_arm}``."""
        return {
            "system": self.system,
            "metrics": self.metrics,
            "half_widths": self.half_widths,
            "p50": self.p50,
            "p95": self.p95,
            "is_arm": self.is_arm,
        }


@dataclass(frozen=True)
class ComparisonResult:
    """All systems on one set, or on a part of it.

    Attributes:
        set: its name.
        split: of the queries that were asked.
        tools, queries: how many.
        is_whole: whether all tools of the set were there.
        lines: of the systems, ours first.
    """

    set: str
    split: str
    tools: int
    queries: int
    is_whole: bool
    lines: Sequence[Line]

    def line(self, system: str) -> Line | None:
        """Of a system, nothing taken away from it; None where it was not asked."""
        found = (line for line in self.lines if line.system == system and not line.is_arm)
        return next(found, None)


def half_width(values: Sequence[float]) -> float:
    """Returns half of the 95 % interval of a mean, by the normal distribution; 0 for a single
    value.
    """
    if len(values) < 2:
        return 0.0
    return round(1.96 * stdev(values) / sqrt(len(values)), 4)
