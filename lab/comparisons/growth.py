"""The same goals over ever larger parts of one catalog."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha1
from pathlib import Path
from typing import Any

from lab.comparisons.line import ComparisonResult
from lab.comparisons.plot import MARKERS
from quartermaster.eval.gold import Task
from quartermaster.eval.items import ItemSet

SIZES = (500, 2_000, 5_000, 15_000)


def parts(tools: ItemSet, tasks: Sequence[Task]) -> Generator[tuple[str, ItemSet]]:
    """Yields the catalog in growing parts and as a whole, each by its size.

    Every part holds what the goals need; the rest are the first by hash of their id, so that a
    part holds all of a smaller one.
    """
    needed = {group for task in tasks for need in task.needs for group in need.accepted}
    hashed = {key: sha1(key.encode(), usedforsecurity=False).digest() for key in tools.ids}
    order = sorted(
        range(len(tools.ids)),
        key=lambda i: (
            tools.groups.get(tools.ids[i], tools.ids[i]) not in needed,
            hashed[tools.ids[i]],
        ),
    )
    for size in (*(size for size in SIZES if size < len(order)), len(order)):
        retained = sorted(order[:size])
        yield (
            f"{size:,}",
            replace(
                tools,
                ids=[tools.ids[i] for i in retained],
                definitions=[tools.definitions[i] for i in retained],
            ),
        )


def draw(results: Mapping[str, ComparisonResult], title: str, path: Path) -> None:
    """A line for each system: nDCG@10 against the number of tools.

    Args:
        results: of the parts, by size.
        title: of the picture.
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
        # Some are not asked about large catalogs: their line ends.
        asked = [(one.tools, line) for one in results.values() if (line := one.line(system))]
        is_ours = system.startswith("ours")
        plot.plot(
            [tools for tools, _ in asked],
            [line.metrics["nDCG@10"] for _, line in asked],
            marker=MARKERS[number % len(MARKERS)],
            linestyle="-" if is_ours else "--",
            linewidth=2 if is_ours else 1,
            label=system,
        )
    plot.set_xscale("log")
    plot.set_xlabel("tools in the catalog")
    plot.set_ylabel("nDCG@10")
    plot.set_title(title)
    plot.legend(fontsize=8)
    plot.grid(visible=True, which="both", alpha=0.3)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
