"""Encoders by their bare cosine beside a baseline: `python -m lab.comparisons.encoders MODEL...`.

Asks the goals of the dev desks and the dev goals over 5,000 tools. No database. Choices are made
on the desks.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from lab.comparisons.encoders.cosine_figures import (
    MEASURES,
    GoalScore,
    answer,
    auroc,
    difference,
    fitting,
    mean,
    said_at,
    sibling_share,
)
from lab.comparisons.encoders.models import open_remembered
from lab.comparisons.encoders.places import CATALOG, DESKS, GOALS, GoalCollection, read_places
from lab.comparisons.retrieval_sets import FOLDER
from quartermaster.core import logs
from quartermaster.eval.remembered import RememberedModel
from quartermaster.models.convert import DEFAULT_MODEL

WORK = Path(__file__).parents[3] / "build" / "encoders"
_SAVED_AFTER = 500


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m lab.comparisons.encoders", description=__doc__)
    parser.add_argument(
        "models", nargs="+", metavar="MODEL", help="a name, a folder with model.onnx, safetensors"
    )
    parser.add_argument("--baseline", default=DEFAULT_MODEL, metavar="MODEL")
    parser.add_argument("--sets", default=f"{DESKS},{GOALS}", metavar="A,B", help="where to ask")
    parser.add_argument("--catalog", action="store_true", help="also over all 35,439 tools")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="of the sets")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    return parser.parse_args(arguments)


def run(options: argparse.Namespace, console: Console) -> None:
    """Asks and prints, set by set; a set that is not at hand is named and passed over."""
    names = [*options.sets.split(","), *([CATALOG] if options.catalog else [])]
    models = {
        name: open_remembered(name, WORK, options.threads)
        for name in dict.fromkeys([options.baseline, *options.models])
    }
    for name in names:
        try:
            places = read_places(options.folder, name)
        except FileNotFoundError as error:
            console.print(f"{name}: skipped, there is no {error.filename}")
            continue
        if not places:
            console.print(f"{name}: skipped, there is none in {options.folder}")
            continue
        found: dict[str, list[GoalScore]] = {}
        for model_name, model in models.items():
            for place in places:
                remember(place, model)
            found[model_name] = [one for place in places for one in answer(place, model)]
            model.save()
        tools = sum(len(place.ids) for place in places)
        console.print(_table(f"{name}, {tools:,} tools", found, options.baseline))


def remember(place: GoalCollection, model: RememberedModel) -> None:
    """Embeds the tools and saves often: a run that is interrupted goes on from there."""
    for start in range(0, len(place.texts), _SAVED_AFTER):
        texts = place.texts[start : start + _SAVED_AFTER]
        model.embed([model.passage_prefix + text for text in texts])
        model.save()


def _table(title: str, found: Mapping[str, Sequence[GoalScore]], baseline: str) -> Table:
    """Returns a row for each model and, where goals have styles, for each style of each model."""
    table = Table(title=title, box=None, title_justify="left")
    columns = ["model", "goals", *MEASURES, "siblings", "no fit said", "AUROC"]
    for column in columns:
        table.add_column(column, no_wrap=True)
    for name, answers in found.items():
        fit = fitting(answers)
        styles = sorted({one.style for one in fit})
        for style in [None, *(styles if len(styles) > 1 else [])]:
            some, others = fitting(answers, style), fitting(found[baseline], style)
            label = f"  {style}" if style else Path(name).stem
            unfit = len(answers) > len(fit) and style is None
            table.add_row(
                label,
                str(len(some)),
                *(_cell(some, others, measure, name == baseline) for measure in MEASURES),
                f"{sibling_share(some):.2f}",
                f"{said_at(answers):.2f}" if unfit else "",
                f"{auroc(answers):.2f}" if unfit else "",
            )
    return table


def _cell(
    answers: list[GoalScore], others: list[GoalScore], measure: str, is_baseline: bool
) -> str:
    figure = f"{mean(answers, measure):.3f}"
    return figure if is_baseline else f"{figure} {difference(answers, others, measure)}"


def main() -> None:
    """Runs and prints."""
    options = parse()
    logs.configure("warning", json=False)
    run(options, Console(width=200))


if __name__ == "__main__":
    main()
