"""The figures of `make eval`, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from lab.comparisons import fastmcp_search
from lab.comparisons.line import ComparisonResult, Line
from lab.comparisons.problems import MOST_FOR_UNTRAINED
from lab.comparisons.rivals import Untrained
from lab.comparisons.side_by_side import ABLATED_MODE, MOST_FOR_FASTMCP
from lab.comparisons.targets import verdicts

_SHOWN_METRICS = ("nDCG@10", "Recall@5", "Recall@10", "pool_recall@100")
_NOT_ASKED = (
    f"not asked: {fastmcp_search.NAME} about more than {MOST_FOR_FASTMCP:,} tools, since it takes"
    f" 40 ms a goal for every thousand; {Untrained.name} about sets whose goals taught ours, and"
    f" about more than {MOST_FOR_UNTRAINED:,} tools"
)


def write(results: Mapping[str, ComparisonResult], file: Path) -> None:
    """As JSON: ``{results: {name: {set, split, .., lines}}, targets: [..]}``."""
    found = {
        "results": {
            name: {
                "set": result.set,
                "split": result.split,
                "tools": result.tools,
                "queries": result.queries,
                "lines": [line.as_dict() for line in result.lines],
            }
            for name, result in results.items()
        },
        "targets": [asdict(verdict) | {"verdict": str(verdict)} for verdict in verdicts(results)],
    }
    file.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def report(results: Mapping[str, ComparisonResult], console: Console) -> None:
    """A table for each measure, systems down and sets across; then latencies, the ablation, and
    what was to be reached.

    Args:
        results: by name.
        console: where to print.
    """
    for metric in _SHOWN_METRICS:
        _print(console, f"{metric} ± half of its 95 % interval", results, partial(_metric, metric))
    _print(console, "milliseconds for an answer, p50 / p95", results, _latency)
    title = f"nDCG@10 of ours, {ABLATED_MODE}, with one thing taken away"
    _print(console, title, results, partial(_metric, "nDCG@10"), arms=True)
    console.print(_targets(results))


def _print(
    console: Console,
    title: str,
    results: Mapping[str, ComparisonResult],
    show: Callable[[Line], str],
    *,
    arms: bool = False,
) -> None:
    shown = {
        name: {line.system: line for line in result.lines if line.is_arm == arms}
        for name, result in results.items()
    }
    systems = dict.fromkeys(system for lines in shown.values() for system in lines)
    if not systems:
        return
    is_full = all(lines.keys() == systems.keys() for lines in shown.values())
    table = Table(title=title, box=None, caption=None if is_full else _NOT_ASKED)
    table.add_column("system", no_wrap=True)
    for name in results:
        table.add_column(name, no_wrap=True)
    for system in systems:
        asked = [lines.get(system) for lines in shown.values()]
        cells = [show(line) if line else "not asked" for line in asked]
        table.add_row(system, *cells)
    console.print(table)


def _metric(metric: str, line: Line) -> str:
    if metric not in line.each:
        return "shows ten"
    return f"{line.metrics[metric]:.3f} ±{line.half_widths[metric]:.3f}"


def _latency(line: Line) -> str:
    return f"{line.p50:.1f} / {line.p95:.1f}"


def _targets(results: Mapping[str, ComparisonResult]) -> Table:
    table = Table(
        "set",
        "measured",
        "beside",
        "to reach",
        "is",
        "±",
        "",
        title="What is to be reached",
        caption="±: half of the 95 % interval, of the figure beside a target, of the difference"
        " beside another system's. Published figures are of test queries. Coefficients were"
        " learned from dev queries where it says so.",
    )
    for verdict in verdicts(results):
        result = results[verdict.on]
        table.add_row(
            f"{result.set} {result.split}, {result.tools:,} tools",
            verdict.measure,
            verdict.beside,
            f"{verdict.reach:.3f}",
            f"{verdict.measured:.3f}",
            f"{verdict.half_width:.3f}",
            str(verdict),
        )
    return table
