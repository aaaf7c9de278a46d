"""Measures what a gateway adds to a call: `make bench-overhead`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path as File

import anyio
from rich.console import Console

from lab.bench import host_facts
from lab.bench.overhead.arms import arms, running_instance
from lab.bench.overhead.doors import Era, Transport
from lab.bench.overhead.listing import measure as measure_lists
from lab.bench.overhead.listing import print_lists
from lab.bench.overhead.overhead_report import JUDGED_ARMS, OverheadReport
from lab.bench.overhead.rounds import Path, Size, measure
from lab.bench.overhead.upstreams import running_upstream

TRANSPORTS: tuple[Transport, ...] = ("stdio", "http")
ERAS: tuple[Era, ...] = ("auto", "legacy")
# Those with one transport on both sides first: what they take without a gateway is compared with.
PATHS = [
    Path(client, behind, era)
    for shift in (0, 1)
    for client, behind in zip(TRANSPORTS, TRANSPORTS[shift:] + TRANSPORTS[:shift], strict=True)
    for era in ERAS
]
QUICK_SIZE = Size(calls=10, seconds=0.05, clients=(1, 2))

console = Console(stderr=True)


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m lab.bench.overhead", description=__doc__)
    parser.add_argument("--calls", type=int, default=Size.calls, metavar="N", help="of each arm")
    parser.add_argument("--arms", nargs="+", metavar="NAME", help="these only, and no gateway")
    parser.add_argument("--lists", action="store_true", help="measure tools/list, and no calls")
    parser.add_argument("--quick", action="store_true", help="no rivals, 10 calls, HTTP only")
    parser.add_argument("--json", type=File, metavar="FILE", help="write the figures there too")
    return parser.parse_args(arguments)


def run(options: argparse.Namespace, copy_of: File | None = None) -> OverheadReport:
    """Starts everything, measures, returns the figures.

    Args:
        options: of the command line.
        copy_of: data directory that ours begins with; None: a new one.
    """
    size = QUICK_SIZE if options.quick else Size(calls=options.calls)
    wanted = ["floor", *JUDGED_ARMS] if options.quick else options.arms
    paths = [path for path in PATHS if not options.quick or path.client == path.upstream == "http"]
    behind = {path.upstream for path in paths}
    with running_upstream() as upstream, running_instance(upstream, behind, copy_of) as instance:
        [(version,)] = instance.rows("show server_version")
        report = OverheadReport(host_facts.describe(version))
        chosen = [arm for arm in arms(instance) if not wanted or arm.name in ("direct", *wanted)]
        for arm in chosen:
            if arm.missing:
                console.print(f"[yellow]Without {arm.name}: {arm.missing}.")
        with console.status("starting") as status:
            for path in paths:
                found = anyio.run(measure, chosen, upstream, path, size, status.update)
                report.paths.append((path, found))
    return report


def main() -> None:
    """Runs and prints."""
    options = parse()
    if options.lists:
        print_lists(measure_lists(10 if options.quick else options.calls), Console(width=120))
        return
    report = run(options)
    report.print(Console(width=120))
    if options.json:
        report.write(options.json)


if __name__ == "__main__":
    main()
