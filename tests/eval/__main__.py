"""Quality and latency of our modes beside what others rank with: `make eval`.

First every set of its own, with an ablation of ours; then the goals of one over its growing
catalog. Test queries measure where they are at hand, dev queries elsewhere.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
from rich.console import Console
from rich.table import Table

from quartermaster import logs
from quartermaster.cli.databases import databases
from quartermaster.cli.evaluate_report import Progress
from quartermaster.cli.interruption import raise_on_signals
from quartermaster.evaluation.running import sample
from quartermaster.evaluation.tasks_file import Task, read_tasks
from quartermaster.evaluation.tools_file import ToolSet, read_tools
from quartermaster.settings import Settings
from tests.eval import growth, plot
from tests.eval.retrieval_sets import FOLDER
from tests.eval.side_by_side import ABLATED, Line, compare
from tests.support.instance import shared_runtime_dir

MODES = ("fast", "balanced", "thorough")
CATALOG = "mcpcatalog"
PLOTS = Path(__file__).parents[2] / "docs" / "plots"
_SHOWN = ("nDCG@10", "Recall@5", "Recall@10", "pool_recall@100")


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.eval", description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="holds NAME/tools.jsonl")
    parser.add_argument("--sets", metavar="A,B", help="only these, and no growing catalog")
    parser.add_argument("--split", help="one for all; otherwise test where it is at hand, else dev")
    parser.add_argument("--limit", type=int, default=100, help="queries of a set, always the same")
    parser.add_argument("--modes", default=",".join(MODES), help="of ours")
    parser.add_argument("--grow", metavar="SET", help="only over growing parts of this set")
    parser.add_argument("--no-ablation", action="store_true", help="nothing is taken away")
    parser.add_argument("--plots", type=Path, default=PLOTS, metavar="FOLDER", help="of the PNG")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    return parser.parse_args(arguments)


def split_of(folder: Path, wanted: str | None) -> str | None:
    """The split to measure a set on: the one asked for, else test, else dev; None: it has none."""
    queries = (folder / "queries.jsonl").read_text(encoding="utf-8")
    splits = [wanted] if wanted else ["test", "dev"]
    return next((split for split in splits if f'"split": "{split}"' in queries), None)


def names_of(options: argparse.Namespace) -> list[str]:
    """The sets to run: those asked for, else all that have queries to measure on."""
    if options.sets:
        return options.sets.split(",")
    folders = sorted(path.parent for path in options.folder.glob("*/queries.jsonl"))
    return [
        folder.name
        for folder in folders
        if folder.name != CATALOG and split_of(folder, options.split)
    ]


def problems(
    options: argparse.Namespace, settings: Settings
) -> Generator[tuple[str, ToolSet, list[Task]]]:
    """What is to be answered, by name and split: sets, or one set in growing parts."""
    for name in [options.grow] if options.grow else names_of(options):
        folder: Path = options.folder / name
        split = split_of(folder, options.split) or options.split
        tools = read_tools(folder / "tools.jsonl", settings.upstream.max_tool_bytes)
        tasks = read_tasks(folder / "queries.jsonl", tools, split=split, modes=MODES)
        tasks = sample(tasks, options.limit)
        if options.grow:
            yield from ((size, part, tasks) for size, part in growth.parts(tools, tasks))
        else:
            yield f"{name} {split}", tools, tasks


def run(options: argparse.Namespace, data_dir: Path) -> dict[str, list[Line]]:
    """Every system on every problem; the lines of each by its name."""
    settings = Settings()
    modes = options.modes.split(",")
    ablate = not (options.no_ablation or options.grow)
    found: dict[str, list[Line]] = {}
    for name, tools, tasks in problems(options, settings):
        with ExitStack() as stack:
            _, (dsn,) = databases(stack, settings, data_dir, None, 1, embedded=True)
            told = stack.enter_context(Progress(f"{name} ({len(tasks)} queries)")).update
            found[name] = anyio.run(
                partial(compare, settings, data_dir, dsn, tools, tasks, modes, told, ablate=ablate)
            )
        if options.json:
            # After each: an interrupted run keeps what it has measured.
            figures = {key: [asdict(line) for line in lines] for key, lines in found.items()}
            file = (
                options.json.with_stem(f"{options.json.stem}-growth")
                if options.grow
                else options.json
            )
            file.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return found


def draw(options: argparse.Namespace, results: Mapping[str, Sequence[Line]]) -> None:
    """The picture that belongs to the run."""
    whole = {name: [line for line in lines if not line.is_arm] for name, lines in results.items()}
    if options.grow:
        title = f"Goals of {options.grow} as its catalog grows"
        growth.draw(whole, title, options.plots / "quality_size.png")
    else:
        plot.draw(whole, options.plots / "quality_latency.png")


def report(results: Mapping[str, Sequence[Line]], console: Console) -> None:
    """A table for each measure: systems down, sets across; then latencies and the ablation."""
    for metric in _SHOWN:
        _print(console, metric, results, partial(_metric, metric))
    _print(console, "milliseconds for an answer, p50 / p95", results, _latency)
    _print(console, f"nDCG@10 of ours, {ABLATED}", results, partial(_metric, "nDCG@10"), arms=True)


def _print(
    console: Console,
    title: str,
    results: Mapping[str, Sequence[Line]],
    show: Callable[[Line], str],
    *,
    arms: bool = False,
) -> None:
    """One table; a system that was not asked everywhere has empty cells."""
    shown = {
        name: {line.system: line for line in lines if line.is_arm == arms}
        for name, lines in results.items()
    }
    systems = dict.fromkeys(system for lines in shown.values() for system in lines)
    if not systems:
        return
    table = Table(title=title, box=None)
    for column in ("system", *results):
        table.add_column(column, no_wrap=True)
    for system in systems:
        cells = [show(lines[system]) if system in lines else "" for lines in shown.values()]
        table.add_row(system, *cells)
    console.print(table)


def _metric(metric: str, line: Line) -> str:
    value = line.metrics.get(metric)
    return "" if value is None else f"{value:.3f}"


def _latency(line: Line) -> str:
    return f"{line.p50:.1f} / {line.p95:.1f}"


def main() -> None:
    """Runs, prints, draws."""
    options = parse()
    logs.configure("warning", json=False)
    # What was started for the run ends with it.
    raise_on_signals()
    # FastMCP warns of every name with a space.
    logging.disable(logging.WARNING)
    os.environ["QM_RUNTIME_DIR"] = str(shared_runtime_dir())
    asked = [options]
    if not (options.sets or options.grow) and (options.folder / CATALOG).is_dir():
        asked.append(argparse.Namespace(**vars(options) | {"grow": CATALOG}))
    for one in asked:
        with TemporaryDirectory(prefix="qm-eval-") as folder:
            results = run(one, Path(folder))
        report(results, Console(width=40 + 18 * len(results)))
        draw(one, results)


if __name__ == "__main__":
    main()
