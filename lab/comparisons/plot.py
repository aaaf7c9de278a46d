"""Draws quality against latency."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

from lab.comparisons.line import ComparisonResult

MARKERS = "osD^vP*X<>hd"


def draw(results: Mapping[str, ComparisonResult], path: Path) -> None:
    """A point for each system that was asked about every set: mean nDCG@10 over the sets against
    the mean of the medians.

    Args:
        results: of the sets, by name.
        path: of the PNG.
    """
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    # The package has no complete types.
    figure, axes = pyplot.subplots(figsize=(9, 6))
    plot: Any = axes
    first = next(iter(results.values()))
    for number, system in enumerate(line.system for line in first.lines if not line.is_arm):
        lines = [line for result in results.values() if (line := result.line(system))]
        if len(lines) < len(results):
            continue
        x = fmean(line.p50 for line in lines)
        y = fmean(line.metrics["nDCG@10"] for line in lines)
        plot.scatter(
            x,
            y,
            s=60,
            marker=MARKERS[number % len(MARKERS)],
            color="tab:red" if system.startswith("ours") else "tab:gray",
            label=f"{system}: {y:.3f}, {x:.1f} ms",
            zorder=3,
        )
    plot.set_xscale("log")
    plot.margins(0.1)
    plot.set_xlabel("median milliseconds for an answer, one client (mean over the sets)")
    plot.set_ylabel("nDCG@10 (mean over the sets)")
    plot.set_title(f"Finding tools, {len(results)} sets: {', '.join(results)}", fontsize=8)
    plot.grid(visible=True, which="both", alpha=0.3)
    plot.legend(loc="best", fontsize=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
