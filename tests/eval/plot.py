"""Draws quality against latency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from tests.eval.side_by_side import Line


def draw(results: Mapping[str, Sequence[Line]], path: Path) -> None:
    """A point for each system: mean nDCG@10 over the sets against mean of the medians.

    Args:
        results: lines of each set, by its name.
        path: of the PNG.
    """
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    # The package has no complete types.
    figure, axes = pyplot.subplots(figsize=(8, 5))
    plot: Any = axes
    for system in next(iter(results.values())):
        lines = [
            line for found in results.values() for line in found if line.system == system.system
        ]
        x = fmean(line.p50 for line in lines)
        y = fmean(line.metrics["nDCG@10"] for line in lines)
        is_ours = system.system.startswith("ours")
        plot.scatter(x, y, color="tab:red" if is_ours else "tab:gray", zorder=3)
        plot.annotate(system.system, (x, y), xytext=(6, 4), textcoords="offset points", fontsize=8)
    plot.set_xscale("log")
    plot.set_xlabel("median milliseconds for an answer, one client (mean over sets)")
    plot.set_ylabel("nDCG@10 (mean over sets)")
    plot.set_title(f"Finding tools: {', '.join(results)}")
    plot.grid(visible=True, which="both", alpha=0.3)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
