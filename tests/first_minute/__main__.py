"""The first start on every machine, as a table: `python -m tests.first_minute`.

The status is 1 if a start was not right. Needs root and, for the first run, the registries.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.first_minute.kinds import KINDS
from tests.support.first_start import RIGHT, STEPS, Outcome, ask, clone, make_run
from tests.support.machine_root import build_root, fill_wheels
from tests.support.machines import Kind, checked_out, repository_of, started


def main() -> None:
    """Runs the chosen machines, some at a time, and prints what came of them."""
    parser = argparse.ArgumentParser(prog="make test-first-minute", description=__doc__)
    parser.add_argument("--only", nargs="+", default=[""], help="machines whose name has a text")
    parser.add_argument("--at-once", type=int, default=2, help="machines at a time (default: 2)")
    parser.add_argument("--revision", help="a commit; default: the files of the checkout")
    parser.add_argument("--json", type=Path, help="file for the outcomes")
    parser.add_argument("--screens", type=Path, help="folder for what each machine has shown")
    given = parser.parse_args()
    kinds = [kind for kind in KINDS if any(text in kind.title for text in given.only)]
    if not kinds:
        names = "\n  ".join(kind.title for kind in KINDS)
        parser.error(f"no machine has such a name. The machines are:\n  {names}")
    with tempfile.TemporaryDirectory(prefix="qm-first-minute-") as folder:
        place = Path(folder)
        place.chmod(0o755)
        source = repository_of(place, given.revision)
        build_root()
        fill_wheels(checked_out(source, place))
        screens = given.screens or place / "screens"
        screens.mkdir(parents=True, exist_ok=True)
        with ThreadPoolExecutor(given.at_once) as pool:
            outcomes = list(pool.map(partial(_try, source, screens), kinds))
    results = list(zip(kinds, outcomes, strict=True))
    _print(results)
    if given.json:
        rows = [{"machine": kind.title, **asdict(outcome)} for kind, outcome in results]
        given.json.write_text(json.dumps(rows, indent=2) + "\n")
    sys.exit(not all(outcome.is_right for outcome in outcomes))


def _try(source: Path, screens: Path, kind: Kind) -> Outcome:
    screen = screens / f"{kind.title}.txt".replace(", ", "-").replace(" ", "-")
    with started(kind, source) as machine:
        clone(machine)
        _, outcome = make_run(machine, screen)
        if outcome.ready_seconds is not None:
            ask(machine, outcome)
    Console(stderr=True, width=180).print(
        f"{kind.title}: {_seconds(outcome.ready_seconds)}, {outcome.steps}"
    )
    return outcome


def _print(results: Sequence[tuple[Kind, Outcome]]) -> None:
    table = Table("machine", "first answer", "ready", *STEPS)
    for kind, outcome in results:
        report = (outcome.steps.get(step, "") for step in STEPS)
        spent = (_seconds(outcome.seconds), _seconds(outcome.ready_seconds))
        table.add_row(kind.title, *spent, *report)
    console = Console(width=180)
    console.print(table)
    right = sum(outcome.is_right for _, outcome in results)
    console.print(f"{right} of {len(results)} machines: all four steps are {RIGHT}.")


def _seconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.0f} s"


if __name__ == "__main__":
    main()
