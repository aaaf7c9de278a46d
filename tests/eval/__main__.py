"""Quality and latency of our modes beside what others rank with: `make eval`."""

from __future__ import annotations

import argparse
import json
import logging
import os
from collections.abc import Generator, Mapping, Sequence
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
from tests.eval.side_by_side import Line, compare
from tests.support.instance import shared_runtime_dir

MODES = ("fast", "balanced", "thorough")
PLOTS = Path(__file__).parents[2] / "docs" / "plots"
_SHOWN = ("nDCG@10", "Recall@5", "Recall@10", "pool_recall@100")


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.eval", description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="holds NAME/tools.jsonl")
    parser.add_argument("--sets", metavar="A,B", help="only these; all but the catalog otherwise")
    parser.add_argument("--split", default="dev", help="dev, or test where it is at hand")
    parser.add_argument("--limit", type=int, default=100, help="queries of a set, always the same")
    parser.add_argument("--modes", default=",".join(MODES), help="of ours")
    parser.add_argument("--grow", metavar="SET", help="over growing parts of this set instead")
    parser.add_argument("--plots", type=Path, default=PLOTS, metavar="FOLDER", help="of the PNG")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    return parser.parse_args(arguments)


def names_of(options: argparse.Namespace) -> list[str]:
    """The sets to run: those asked for, else all that have queries of the split."""
    if options.sets:
        return options.sets.split(",")
    folders = sorted(path.parent for path in options.folder.glob("*/queries.jsonl"))
    return [
        folder.name
        for folder in folders
        # The large catalog takes a quarter of an hour: by name only.
        if folder.name != "mcpcatalog"
        and f'"split": "{options.split}"' in (folder / "queries.jsonl").read_text(encoding="utf-8")
    ]


def problems(
    options: argparse.Namespace, settings: Settings
) -> Generator[tuple[str, ToolSet, list[Task]]]:
    """What is to be answered, by name: sets, or one set in growing parts."""
    for name in [options.grow] if options.grow else names_of(options):
        folder: Path = options.folder / name
        tools = read_tools(folder / "tools.jsonl", settings.upstream.max_tool_bytes)
        tasks = read_tasks(folder / "queries.jsonl", tools, split=options.split, modes=MODES)
        tasks = sample(tasks, options.limit)
        if options.grow:
            yield from ((size, part, tasks) for size, part in growth.parts(tools, tasks))
        else:
            yield name, tools, tasks


def run(options: argparse.Namespace, data_dir: Path) -> dict[str, list[Line]]:
    """Every system on every problem; the lines of each by its name."""
    settings = Settings()
    modes = options.modes.split(",")
    found: dict[str, list[Line]] = {}
    for name, tools, tasks in problems(options, settings):
        with ExitStack() as stack:
            _, (dsn,) = databases(stack, settings, data_dir, None, 1, embedded=True)
            told = stack.enter_context(Progress(f"{name} ({len(tasks)} queries)")).update
            found[name] = anyio.run(
                partial(compare, settings, data_dir, dsn, tools, tasks, modes, told)
            )
        if options.json:
            # After each: an interrupted run keeps what it has measured.
            figures = {key: [asdict(line) for line in lines] for key, lines in found.items()}
            options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return found


def draw(options: argparse.Namespace, results: Mapping[str, Sequence[Line]]) -> None:
    """The picture that belongs to the run."""
    if options.grow:
        title = f"Goals of {options.grow} as its catalog grows"
        growth.draw(results, title, options.plots / "quality_size.png")
    else:
        plot.draw(results, options.plots / "quality_latency.png")


def report(results: Mapping[str, Sequence[Line]], console: Console) -> None:
    """A table for each measure: systems down, sets across; then latencies."""
    systems = [line.system for line in next(iter(results.values()))]
    for metric in _SHOWN:
        table = Table(title=metric, box=None)
        for column in ("system", *results):
            table.add_column(column, no_wrap=True)
        for number, system in enumerate(systems):
            figures = [lines[number].metrics.get(metric) for lines in results.values()]
            table.add_row(system, *("" if value is None else f"{value:.3f}" for value in figures))
        console.print(table)
    table = Table(title="milliseconds for an answer, p50 / p95", box=None)
    for column in ("system", *results):
        table.add_column(column, no_wrap=True)
    for number, system in enumerate(systems):
        pairs = [(lines[number].p50, lines[number].p95) for lines in results.values()]
        table.add_row(system, *(f"{p50:.1f} / {p95:.1f}" for p50, p95 in pairs))
    console.print(table)


def main() -> None:
    """Runs, prints, draws."""
    options = parse()
    logs.configure("warning", json=False)
    # What was started for the run ends with it.
    raise_on_signals()
    # FastMCP warns of every name with a space.
    logging.disable(logging.WARNING)
    os.environ["QM_RUNTIME_DIR"] = str(shared_runtime_dir())
    with TemporaryDirectory(prefix="qm-eval-") as folder:
        results = run(options, Path(folder))
    report(results, Console(width=40 + 18 * len(results)))
    draw(options, results)


if __name__ == "__main__":
    main()
