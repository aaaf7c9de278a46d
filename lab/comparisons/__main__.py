"""Quality and latency of our modes beside what others rank with: `make eval`.

First every set of its own, with an ablation of ours; then the goals of one over its growing
catalog. Test queries measure where they are at hand, dev queries elsewhere.
"""

from __future__ import annotations

import argparse
import logging
import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
from rich.console import Console

from lab.comparisons import growth, plot
from lab.comparisons.comparison_report import report, write
from lab.comparisons.line import ComparisonResult
from lab.comparisons.problems import CATALOG, MODES, RetrievalProblem, problems
from lab.comparisons.retrieval_sets import FOLDER
from lab.comparisons.side_by_side import compare
from quartermaster.cli.eval.databases import workbench
from quartermaster.core import logs
from quartermaster.core.stop_signals import raise_on_signals
from quartermaster.eval.gold import GoldSet
from quartermaster.settings.settings import Settings
from tests.support.instance import shared_runtime_dir

PLOTS = Path(__file__).parents[1] / "notes" / "plots"


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m lab.comparisons", description=__doc__)
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


def run(options: argparse.Namespace, data_dir: Path) -> dict[str, ComparisonResult]:
    """Returns every system on every problem; the result of each by its name."""
    settings = Settings()
    found: dict[str, ComparisonResult] = {}
    for problem in problems(options, settings):
        found[problem.name] = _answered(problem, options, settings, data_dir)
        if options.json:
            # After each: an interrupted run keeps what it has measured.
            growing = options.json.with_stem(f"{options.json.stem}-growth")
            write(found, growing if options.grow else options.json)
    return found


def _answered(
    problem: RetrievalProblem, options: argparse.Namespace, settings: Settings, data_dir: Path
) -> ComparisonResult:
    title = f"{problem.name} ({len(problem.tasks)} queries)"
    with workbench(settings, data_dir, None, embedded=True, title=title) as bench:
        lines = anyio.run(
            partial(
                compare,
                bench,
                GoldSet(problem.name, problem.tools, problem.tasks),
                options.modes.split(","),
                ablate=not (options.no_ablation or options.grow),
                untrained=problem.untrained,
            )
        )
    return ComparisonResult(
        set=problem.set,
        split=problem.split,
        tools=len(problem.tools.ids),
        queries=len(problem.tasks),
        is_whole=problem.is_whole,
        lines=lines,
    )


def draw(options: argparse.Namespace, results: Mapping[str, ComparisonResult]) -> None:
    """The picture that belongs to the run."""
    if options.grow:
        title = f"Goals of {options.grow} as its catalog grows"
        growth.draw(results, title, options.plots / "quality_size.png")
    else:
        plot.draw(results, options.plots / "quality_latency.png")


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
        report(results, Console(width=max(160, 40 + 18 * len(results))))
        draw(one, results)


if __name__ == "__main__":
    main()
