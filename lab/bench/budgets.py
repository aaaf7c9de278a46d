"""Budgets of latency, which a bench asserts by its exit code."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

from lab.bench.timing import Latency


def over_budget(taken: Mapping[str, Latency], budget: Mapping[str, float]) -> list[str]:
    """Returns what has a 95th percentile over its budget in milliseconds. The first word of a name
    is that of its budget.
    """
    return [
        f"{what}: {latency.p95:.1f} ms, budget {budget[what.partition(' ')[0]]:g} ms"
        for what, latency in taken.items()
        if latency.p95 > budget.get(what.partition(" ")[0], inf)
    ]


def read_budget(text: str) -> dict[str, float]:
    """Returns milliseconds by name, as in ``search_lookup=150,rerank=120``; nothing asserts
    nothing.
    """
    pairs = (each.partition("=") for each in text.split(",") if each)
    return {name: float(most) for name, _, most in pairs}
