"""What real clients find on the dev desks, directly and through Quartermaster: `make eval-clients`.

Each client runs beside a stand-in for its model, which asks for every goal. (a) the servers are
connected to the client; (b) it sees them in our list of all tools; (c) it uses our search. What was
measured is kept in a folder, and is not measured again.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

from rich.console import Console

from lab.clients.conversations import WAYS, Way
from lab.clients.desks import DESKS
from lab.clients.measuring import CLIENTS, measure
from lab.clients.table import table
from quartermaster.core import logs
from quartermaster.core.stop_signals import raise_on_signals

FOLDER: Final = Path(__file__).parents[2] / "build" / "eval-clients"


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m lab.clients", description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="of the measurements")
    parser.add_argument("--desks", default=",".join(DESKS), metavar="A,B")
    parser.add_argument("--clients", default=",".join(CLIENTS), metavar="A,B")
    parser.add_argument("--ways", default=",".join(WAYS), metavar="A,B")
    parser.add_argument("--qm", type=Path, metavar="PROGRAM", help="of another checkout")
    parser.add_argument("--table", action="store_true", help="measure nothing, print the table")
    return parser.parse_args(arguments)


def main() -> None:
    """Measures, prints."""
    options = parse()
    logs.configure("warning", json=False)
    logging.disable(logging.WARNING)
    # What was started for the run ends with it.
    raise_on_signals()
    options.folder.mkdir(parents=True, exist_ok=True)
    desks, clients = tuple(options.desks.split(",")), tuple(options.clients.split(","))
    ways = cast("tuple[Way, ...]", tuple(options.ways.split(",")))
    console = Console(width=160, highlight=False)
    if not options.table:
        for line in measure(options.folder, desks, clients, ways, options.qm):
            console.print(line)
    console.print(table(options.folder, desks, clients), markup=False)


if __name__ == "__main__":
    main()
