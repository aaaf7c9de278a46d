"""What commands of `qm` take: `python -m lab.bench.cli`, with a running Quartermaster of its own.

With `--beside CHECKOUT`, the commands of another checkout are measured, too, in turn with ours and
against the same service. Processor time says what a command costs, even if the machine is busy.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from rich.console import Console
from rich.table import Table

from tests.support.instance import QM, Instance, new_instance

COMMANDS: Final = (
    ("--help",),
    ("search", "echo a text"),
    ("describe", "leaf__echo"),
    ("call", "leaf__echo", '{"text": "hello"}'),
    ("task", "write a test"),
    ("knowledge", "ask", "What does an index cost?"),
    ("lookup", "search", "plant", "Betula"),
    ("tool", "list"),
    ("origin", "list"),
    ("snapshot", "list"),
    ("key", "list"),
    ("audit", "list"),
    ("status",),
)
RUNS: Final = 7


@dataclass(frozen=True)
class Taken:
    """Seconds of several runs of one command.

    Attributes:
        command: the command.
        checkout: the checkout that it belongs to.
        cpu_least, cpu: processor time, the least and the median.
        wall_least, wall: time until it ended, the least and the median.
        failed: whether it failed.
    """

    command: str
    checkout: str
    cpu_least: float
    cpu: float
    wall_least: float
    wall: float
    failed: bool


@contextmanager
def arranged() -> Generator[Instance]:
    """Provides a service with one server and one table."""
    with new_instance() as instance:
        instance.start().add_upstream("leaf", "leaf_server.py", "stdio")
        instance.rows("select api.create_lookup('plant')")
        instance.rows(
            """select api.load_lookup('plant', '[{"id": "1", "value": "Betula pendula"}]')"""
        )
        yield instance


def measure(
    programs: Mapping[str, Path], environment: Mapping[str, str], runs: int
) -> Iterator[Taken]:
    """Runs each command of each checkout in turn.

    Args:
        programs: `qm` by checkout.
        environment: variables of the commands.
        runs: how often each is run, after one run that is not counted.
    """
    for words in COMMANDS:
        taken: dict[str, list[tuple[float, float, int]]] = {name: [] for name in programs}
        for _ in range(runs + 1):
            for name, program in programs.items():
                taken[name].append(_run([str(program), *words], environment))
        for name, counted in taken.items():
            cpu, wall, status = zip(*counted[1:], strict=True)
            seconds = [round(each, 3) for each in (min(cpu), median(cpu), min(wall), median(wall))]
            yield Taken(" ".join(words), name, *seconds, failed=any(status))


def _run(command: Sequence[str], environment: Mapping[str, str]) -> tuple[float, float, int]:
    begun = perf_counter()
    process = subprocess.Popen(
        command,
        env=environment,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime, perf_counter() - begun, process.returncode


def main() -> None:
    """Prints a table, and writes the figures as JSON if a file is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--beside", type=Path, help="another checkout, with its .venv")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--json", type=Path, help="file for the figures")
    given = parser.parse_args()
    programs = {"this": QM}
    if given.beside is not None:
        programs = {"beside": given.beside.absolute() / ".venv" / "bin" / "qm", **programs}
    with arranged() as instance:
        taken = [*measure(programs, instance.environment, given.runs)]
    table = Table(title=f"seconds, least and median of {given.runs} runs", box=None)
    for heading in ("qm", "checkout", "CPU least", "CPU", "wall least", "wall", "failed"):
        table.add_column(heading)
    for each in taken:
        seconds = (each.cpu_least, each.cpu, each.wall_least, each.wall)
        shown = [f"{value:.2f}" for value in seconds]
        table.add_row(each.command, each.checkout, *shown, "failed" if each.failed else "")
    Console(width=120).print(table)
    if given.json is not None:
        given.json.write_text(json.dumps([asdict(each) for each in taken], indent=1) + "\n")


if __name__ == "__main__":
    main()
