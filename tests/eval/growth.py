"""The same goals over ever larger parts of one catalog."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha1
from pathlib import Path
from typing import Any

from quartermaster.evaluation.tasks_file import Task
from quartermaster.evaluation.tools_file import ToolSet
from tests.eval.side_by_side import Line

SIZES = (500, 2_000, 5_000, 15_000)


def parts(tools: ToolSet, tasks: Sequence[Task]) -> Generator[tuple[str, ToolSet]]:
    """The catalog in growing parts and as a whole, each by its size.

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
        kept = sorted(order[:size])
        yield (
            f"{size:,}",
            replace(
                tools,
                ids=[tools.ids[i] for i in kept],
                definitions=[tools.definitions[i] for i in kept],
            ),
        )


def draw(results: Mapping[str, Sequence[Line]], title: str, path: Path) -> None:
    """A line for each system: nDCG@10 against the number of tools.

    Args:
        results: lines of each part, by its size.
        title: of the picture.
        path: of the PNG.
    """
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    # The package has no complete types.
    figure, axes = pyplot.subplots(figsize=(8, 5))
    plot: Any = axes
    sizes = [int(size.replace(",", "")) for size in results]
    for first in next(iter(results.values())):
        # Some are not asked about large catalogs: their line ends.
        quality = [
            line.metrics["nDCG@10"]
            for lines in results.values()
            for line in lines
            if line.system == first.system
        ]
        is_ours = first.system.startswith("ours")
        plot.plot(
            sizes[: len(quality)],
            quality,
            marker="o",
            label=first.system,
            linewidth=2.5 if is_ours else 1,
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
