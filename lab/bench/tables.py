"""Tables of what was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.table import Table

from lab.bench.rights import RULES, RightsCost
from lab.bench.searching import Point
from lab.bench.service import MemoryUsage
from lab.bench.snapshots import SnapshotCost
from lab.bench.targets import (
    LARGE_CATALOG_CARDS,
    P95_MS,
    SERVED_P95_MS,
    SMALLEST_RECALL,
    TargetVerdict,
)
from lab.bench.timing import Latency

LARGEST_RATIO = 1.3
_TARGET_TEXT = f"p95 ratio at most {LARGEST_RATIO}, recall at least {SMALLEST_RECALL}"


def latency(points: list[Point]) -> Table:
    """Returns what a search takes in the database and over MCP, by size and mode, beside the
    budgets.
    """
    table = Table(
        "cards",
        "mode",
        "in the database",
        "budget",
        "over MCP",
        "budget",
        title="A whole search: p50 / p95 in ms, beside the budget of the p95",
    )
    for point in points:
        for mode in point.modes:
            served = point.served.get(mode.name)
            table.add_row(
                f"{point.cards:,}",
                mode.name,
                _short(mode.total),
                _budget(P95_MS, mode.name),
                _short(served) if served else "",
                _budget(SERVED_P95_MS, mode.name),
            )
    return table


def searches(points: list[Point]) -> Table:
    """Returns latency of each stage and recall, by size and mode."""
    table = Table(
        "cards",
        "mode",
        "select_tools",
        "bm25",
        "dense",
        "fuzzy",
        "rest",
        "recall",
        "of 1 %",
        title="Search in the database: p50 / p95 in ms; recall of HNSW, also where 1 % may be seen",
    )
    for point in points:
        for mode in point.modes:
            stages = [_short(latency) for latency in mode.stages.values()]
            recall = (f"{mode.recall:.3f}", f"{mode.narrow_recall:.3f}")
            table.add_row(f"{point.cards:,}", mode.name, _short(mode.total), *stages, *recall)
    return table


def side_by_side(points: list[Point]) -> Table:
    """Returns our channels beside numpy and bm25s."""
    columns = ("cards", "mode", "dense", "numpy", "ratio", "bm25", "bm25s", "ratio")
    table = Table(*columns, title="Side by side: p50 / p95 in ms, ratio of the medians")
    for point in points:
        for mode in point.modes:
            dense, bm25 = mode.ratios.values()
            table.add_row(
                f"{point.cards:,}",
                mode.name,
                _short(mode.stages["dense"]),
                _short(mode.in_process["numpy"]),
                f"{dense:.2f}",
                _short(mode.stages["bm25"]),
                _short(mode.in_process["bm25s"]),
                f"{bm25:.2f}",
            )
    return table


def rights(cost: RightsCost, point: Point) -> Table:
    """Returns what a thousand rules cost, at the largest catalog."""
    title = (
        f"Cost of rights at {point.cards:,} tools: {RULES:,} rules ({cost.classes} classes,"
        f" {cost.apply_s:.1f} s to apply) beside none, and HNSW where 1 % may be seen"
    )
    columns = ("mode", "without, ms", "under rules, ms", "p95 ratio", "recall of 1 %", "as wanted")
    table = Table(*columns, title=title, caption=f"p50 / p95; wanted: {_TARGET_TEXT}")
    recalls = {mode.name: mode.narrow_recall for mode in point.modes}
    for mode, ratio in cost.ratios.items():
        latencies = (_short(cost.without[mode]), _short(cost.under[mode]))
        is_met = ratio <= LARGEST_RATIO and recalls[mode] >= SMALLEST_RECALL
        figures = (f"{ratio:.2f}", f"{recalls[mode]:.3f}", "yes" if is_met else "NO")
        table.add_row(mode, *latencies, *figures)
    return table


def memory(found: MemoryUsage) -> Table:
    """Of the service."""
    table = Table("", "", title="Memory of the service", show_header=False)
    table.add_row("models loaded", f"{found.rss_mb} MB RSS, {found.pss_mb} MB PSS")
    table.add_row("each further MCP connection", f"{found.connection_pss_mb} MB PSS")
    table.add_row("each further database connection", f"{found.backend_pss_mb} MB PSS")
    return table


def snapshots(found: SnapshotCost) -> Table:
    """Returns seconds of the commands."""
    title = f"A snapshot of {found.tools:,} tools, {found.artifact_mb} MB: seconds of the command"
    table = Table("create", "verify", f"activate, {found.changes:,} changed", title=title)
    table.add_row(f"{found.create_s:.1f}", f"{found.verify_s:.1f}", f"{found.activate_s:.1f}")
    return table


def targets(found: Sequence[TargetVerdict]) -> Table:
    """Returns what was to be reached, and whether it is."""
    table = Table(
        "cards",
        "measured",
        "mode",
        "is to be",
        "is",
        "",
        title="What is to be reached",
        caption="Asked for at 35,000 and at 100,000 tools; "
        f"fewer than {LARGE_CATALOG_CARDS:,} cards say little."
        " Over MCP, the service runs with the settings that ship.",
    )
    for verdict in found:
        table.add_row(
            f"{verdict.cards:,}",
            verdict.what,
            verdict.mode,
            f"{verdict.bound} {verdict.target:g}",
            f"{verdict.measured:g}",
            str(verdict),
        )
    return table


def milliseconds(latency: Latency) -> str:
    """Returns median and 95th percentile."""
    return f"{latency.p50:.1f} ms p50, {latency.p95:.1f} ms p95"


def _budget(budgets: Mapping[str, float], mode: str) -> str:
    return f"{budgets[mode]:g}" if mode in budgets else ""


def _short(latency: Latency) -> str:
    return f"{latency.p50:.2f} / {latency.p95:.2f}"
