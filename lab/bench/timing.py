"""How long things take: percentiles of what a single client waits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import TypeVar

import numpy as np

T = TypeVar("T")


@dataclass(frozen=True)
class Latency:
    """Milliseconds: the median and the 95th percentile of `count` measurements."""

    p50: float
    p95: float
    count: int

    @classmethod
    def of(cls, seconds: list[float]) -> Latency:
        """Of single measurements in seconds; at least one."""
        p50, p95 = np.percentile(np.array(seconds) * 1000, [50, 95]).tolist()
        return cls(round(p50, 3), round(p95, 3), len(seconds))


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Returns what the work returns, and the seconds it took."""
    begun = perf_counter()
    result = work()
    return result, perf_counter() - begun


def rate(count: int, seconds: float) -> float:
    """Returns how many a second; 0 where nothing was done."""
    return round(count / seconds, 1) if count and seconds > 0 else 0.0
