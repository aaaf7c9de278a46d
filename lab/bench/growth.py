"""How the time of a search grows with the catalog: as a table, and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from lab.bench.searching import Point

PICTURE = Path(__file__).parents[1] / "notes" / "plots" / "search_growth.png"


def table(points: Sequence[Point]) -> Table:
    """Returns medians of `select_tools` by size, each beside how many times the smallest
    catalog's.
    """
    modes = [mode.name for mode in points[0].modes]
    found = Table(
        "cards",
        "times as many",
        *(name for mode in modes for name in (f"{mode}, ms", "times")),
        title="Growth of select_tools: p50 / p95; sub-linear where fewer times than the cards",
    )
    first = points[0]
    for point in points:
        cells = [f"{point.cards:,}", f"{point.cards / first.cards:.1f}"]
        for mode, smallest in zip(point.modes, first.modes, strict=True):
            cells.append(f"{mode.total.p50:.1f} / {mode.total.p95:.1f}")
            cells.append(f"{mode.total.p50 / smallest.total.p50:.2f}")
        found.add_row(*cells)
    return found


def draw(points: Sequence[Point], path: Path) -> None:
    """A line for each mode's median and one for its 95th percentile, and what linear would be.

    Args:
        points: of at least two sizes.
        path: of the PNG.
    """
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    # The package has no complete types.
    figure, axes = pyplot.subplots(figsize=(8, 5))
    plot: Any = axes
    sizes = [point.cards for point in points]
    for number, mode in enumerate(points[0].modes):
        totals = [point.modes[number].total for point in points]
        [line] = plot.plot(sizes, [total.p50 for total in totals], marker="o", label=mode.name)
        p95 = [total.p95 for total in totals]
        plot.plot(sizes, p95, linestyle=":", color=line.get_color(), label=f"{mode.name}, p95")
    start = points[0].modes[0].total.p50
    linear = [start * size / sizes[0] for size in sizes]
    plot.plot(sizes, linear, linestyle="--", color="grey", linewidth=1, label="linear")
    plot.set_xscale("log")
    plot.set_yscale("log")
    plot.set_xlabel("tools in the catalog")
    plot.set_ylabel("select_tools, ms")
    plot.set_title("Search time as the catalog grows")
    plot.legend(fontsize=8)
    plot.grid(visible=True, which="both", alpha=0.3)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.tight_layout()
    drawing: Any = figure
    drawing.savefig(path, dpi=120)
    pyplot.close(figure)
