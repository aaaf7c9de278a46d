"""Writes what users see into a folder: `python -m lab.bench.outputs DIR [PART...]`.

For changes that move code and must change nothing else: the same command in two checkouts (each
with its own `.venv`, the same machine, data and QM_TEST_CACHE) writes two folders, and `diff -r`
shows what users would notice:

    (cd BEFORE && .venv/bin/python -m lab.bench.outputs /tmp/before)
    (cd AFTER && .venv/bin/python -m lab.bench.outputs /tmp/after)
    diff -r /tmp/before /tmp/after

Nothing that differs from run to run is written: times, ids, ports, versions. Numbers have six
digits. Each part replaces its own files and leaves those of the others. It starts throw-away
servers of its own. The data lie beside the checkout, in shared/data, or where --data says.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from lab.bench.outputs.answers import LOOKUPS, SEARCHES, write_lookups, write_searches
from lab.bench.outputs.code import write_candidates, write_findings
from lab.bench.outputs.commands import write_help
from lab.bench.outputs.doors import write_doors
from lab.bench.outputs.schema import write_api
from lab.bench.outputs.writing import Output
from lab.bench.timing import timed
from quartermaster.core import logs
from tests.support.shared_data import SHARED

console = Console(stderr=True)


@dataclass(frozen=True)
class OutputPart:
    """One part of the outputs.

    Attributes:
        write: writes it.
        files: files and folders that belong to it.
        about: what it is, for the help.
    """

    write: Callable[[Output], None]
    files: tuple[str, ...]
    about: str


PARTS: Final = {
    "help": OutputPart(write_help, ("help",), "help of all commands"),
    "tools": OutputPart(write_doors, ("tools",), "what clients see of the MCP doors"),
    "api": OutputPart(write_api, ("api.txt", "policies.txt"), "functions, views, policies, grants"),
    "findings": OutputPart(write_findings, ("findings",), "findings, scores and verdicts on code"),
    "candidates": OutputPart(write_candidates, ("candidates",), "candidates from two repositories"),
    "searches": OutputPart(write_searches, ("searches.txt",), f"answers of {SEARCHES} searches"),
    "lookups": OutputPart(write_lookups, ("lookups.txt",), f"answers of {LOOKUPS:,} look-ups"),
}


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Options of the command line."""
    listed = "; ".join(f"{name}: {part.about}" for name, part in PARTS.items())
    parser = argparse.ArgumentParser(
        prog="python -m lab.bench.outputs",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="where the files are written")
    parser.add_argument(
        "parts", nargs="*", choices=[*PARTS, []], metavar="PART", help=f"default: all. {listed}"
    )
    parser.add_argument(
        "--data", type=Path, default=SHARED, metavar="DIR", help="default: %(default)s"
    )
    return parser.parse_args(arguments)


def run(options: argparse.Namespace) -> Table:
    """Writes the parts; returns what was written, and how long it took."""
    table = Table("part", "files", "bytes", "seconds", "sha256", box=None)
    for name in options.parts or PARTS:
        part = PARTS[name]
        with console.status(name) as status:

            def tell(text: str, name: str = name) -> None:
                status.update(f"{name}: {escape(text)}")

            output = Output(options.folder, options.data, tell)
            for file in part.files:
                output.remove(file)
            _, seconds = timed(lambda part=part, output=output: part.write(output))
        texts = [path.read_bytes() for path in _files(options.folder, part)]
        digest = sha256(b"\0".join(texts)).hexdigest()[:12]
        row = (name, str(len(texts)), f"{sum(map(len, texts)):,}", f"{seconds:.1f}", digest)
        console.print(*row)
        table.add_row(*row)
    return table


def _files(folder: Path, part: OutputPart) -> list[Path]:
    below = [folder / name for name in part.files]
    found = [path for each in below for path in (each, *each.rglob("*")) if path.is_file()]
    return sorted(found)


def main() -> None:
    """The command line."""
    options = parse()
    logs.configure("error")
    Console(width=100).print(run(options))


if __name__ == "__main__":
    main()
