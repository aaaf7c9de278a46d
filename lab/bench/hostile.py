"""What others notice of 40 hostile calls at once: `python -m lab.bench.hostile [FAMILY ...]`.

For each family (`hostile_projects`), another principal searches for some seconds alone, and for as
long while one principal has 40 calls of the family in flight. Each is sent again when it is
answered. Meanwhile ``/healthz`` is asked every 50 ms, and the memory of the service and the number
of its processes are read.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from time import monotonic, perf_counter
from typing import Final

import anyio
import httpx2
from rich.console import Console
from rich.table import Table

from lab.bench.fairness import OWN_CHECKOUT, prepare, serving, succeed
from lab.bench.flooding import in_background
from lab.bench.hostile_projects import (
    FAMILIES,
    LIBRARY,
    PROJECT,
    Family,
    end_fifos,
    new_repository,
)
from lab.bench.timing import Latency
from lab.comparisons import retrieval_sets as sets
from quartermaster.core.paths import RunFile
from tests.support import slow_server
from tests.support.callers import client_of, slug_of
from tests.support.instance import Instance, descendants, new_instance
from tests.support.waiting import wait_until

CALLS: Final = 40
_WARM_UP_S: Final = 5.0
_LATE_S: Final = 60.0
_HEALTH_EVERY_S: Final = 0.05
_READ_EVERY_S: Final = 0.2
_DRAINED_S: Final = 400.0

console = Console(stderr=True)


@dataclass
class AttackSamples:
    """What is seen with or without the calls.

    Attributes:
        search_s, health_s: seconds of each search and of each request to ``/healthz``.
        refused: slugs of errors of searches.
        rss_mb: most memory of the service.
        processes: most processes at a time, by their program.
    """

    search_s: list[float] = field(default_factory=list[float])
    health_s: list[float] = field(default_factory=list[float])
    refused: Counter[str] = field(default_factory=Counter[str])
    rss_mb: float = 0.0
    processes: Counter[str] = field(default_factory=Counter[str])


@dataclass(frozen=True)
class HostileFamilyResult:
    """One family: milliseconds of searches and health, memory and processes."""

    family: str
    idle: Latency
    attacked: Latency
    health: Latency
    health_longest_ms: float
    refused: dict[str, int]
    growth_mb: float
    processes: dict[str, int]
    calls: dict[str, int]

    @property
    def ratio(self) -> float:
        """The 95th percentile with the calls, by that without them."""
        return self.attacked.p95 / self.idle.p95


async def flood(url: str, key: str, name: str, root: str) -> None:
    """Keeps the calls of a family in flight until stdin ends; prints what became of them."""
    [family] = [each for each in FAMILIES if each.name == name]
    tally, numbers = Counter[str](), count()

    async def repeat() -> None:
        while True:
            number = next(numbers)
            for path, text in family.texts(number).items():
                (Path(root) / path).write_text(text)
            slug = await slug_of(client, *family.call(number))
            tally[slug or "ok"] += 1
            await anyio.sleep(1 if slug else 0)

    async with client_of(url, key) as client, anyio.create_task_group() as tasks:
        for _ in range(CALLS):
            tasks.start_soon(repeat)
        print("flooding", flush=True)  # noqa: T201 - the measuring process waits for this
        await anyio.to_thread.run_sync(sys.stdin.read)
        print(json.dumps(tally), flush=True)  # noqa: T201 - the measuring process reads it
        os._exit(0)


@contextmanager
def flooding(url: str, key: str, family: Family, root: Path) -> Generator[Counter[str]]:
    """Runs the calls from a process of the lowest priority, and counts what became of them."""
    code = "import sys; from lab.bench import hostile as h; h.anyio.run(h.flood, *sys.argv[1:])"
    with in_background(code, url, key, family.name, root) as tally:
        yield tally


async def watch(
    run: RunFile, key: str, goals: Iterator[str], side: AttackSamples, seconds: float
) -> None:
    """Searches for some seconds, and asks and reads meanwhile how the service is."""

    async def health() -> None:
        async with httpx2.AsyncClient(timeout=2 * _LATE_S, trust_env=False) as http:
            while True:
                begun = perf_counter()
                await http.get(f"{run.url}/healthz")
                side.health_s.append(perf_counter() - begun)
                await anyio.sleep(_HEALTH_EVERY_S)

    async def read() -> None:
        while True:
            programs = await anyio.to_thread.run_sync(programs_of, run.pid)
            side.processes |= programs
            side.rss_mb = max(side.rss_mb, rss_mb(run.pid))
            await anyio.sleep(_READ_EVERY_S)

    async with client_of(run.url, key) as client, anyio.create_task_group() as tasks:
        tasks.start_soon(health)
        tasks.start_soon(read)
        ends = monotonic() + seconds
        while monotonic() < ends:
            begun, slug = perf_counter(), "late"
            with anyio.move_on_after(_LATE_S):
                slug = await slug_of(client, "search_tools", {"query": next(goals)})
            side.search_s.append(perf_counter() - begun)
            if slug is not None:
                side.refused[slug] += 1
        tasks.cancel_scope.cancel()


def rss_mb(pid: int) -> float:
    """Returns resident memory of a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def programs_of(pid: int) -> Counter[str]:
    """Returns the processes of the service by their program, without those of PostgreSQL."""
    found = Counter[str]()
    for each in descendants(pid):
        try:
            command = (
                Path(f"/proc/{each}/cmdline").read_bytes().decode(errors="replace").split("\0")
            )
        except OSError:
            continue
        name = Path(command[0]).name.partition(":")[0]
        if name.startswith("python"):
            name = "reaper" if any("reaper.py" in part for part in command) else command[-2]
        if name and name != "postgres":
            found[name.rpartition(".")[2]] += 1
    return found


def is_quiet(instance: Instance) -> bool:
    """Returns whether no call of the flood is in the service."""
    try:
        with instance.http() as http:
            shares = http.get("/status").json()["shares"].values()
    except httpx2.TimeoutException:
        return False
    return not any(
        each["running"] or each["waiting"]
        for principals in shares
        for who, each in principals.items()
        if who == "flood"
    )


def measure(
    instance: Instance,
    run: RunFile,
    keys: tuple[str, str],
    family: Family,
    options: argparse.Namespace,
) -> HostileFamilyResult:
    """Returns one family, in a new project."""
    flooder, other = keys
    root = instance.data_dir.parent / family.name.replace(" ", "-") / PROJECT
    root.parent.mkdir()
    new_repository(root)
    succeed(instance, "project", "add", str(root))
    succeed(instance, "project", "members", PROJECT, "--add", "flood")
    family.build(root)
    goals = (query.text for n in count(3) for query in sets.make_queries(500, seed=n))
    quiet, loud = AttackSamples(), AttackSamples()
    try:
        anyio.run(watch, run, other, goals, AttackSamples(), _WARM_UP_S)
        anyio.run(watch, run, other, goals, quiet, options.seconds)
        with flooding(run.url, flooder, family, root) as tally:
            anyio.run(watch, run, other, goals, AttackSamples(), options.settle_s)
            anyio.run(watch, run, other, goals, loud, options.seconds)
    finally:
        end_fifos(root)
    if not wait_until(lambda: is_quiet(instance), _DRAINED_S):
        console.print(f"{family.name}: calls of the flood are still in the service")
    succeed(instance, "project", "remove", PROJECT, "--yes")
    return HostileFamilyResult(
        family.name,
        Latency.of(quiet.search_s),
        Latency.of(loud.search_s),
        Latency.of(loud.health_s),
        round(max(loud.health_s) * 1000, 1),
        dict(loud.refused),
        round(loud.rss_mb - quiet.rss_mb, 1),
        dict(loud.processes),
        dict(tally),
    )


def run(options: argparse.Namespace) -> list[HostileFamilyResult]:
    """Returns all families that are wanted."""
    wanted = [each for each in FAMILIES if each.name in options.families or not options.families]
    qm = [options.checkout / ".venv" / "bin" / "qm"]
    found: list[HostileFamilyResult] = []
    with slow_server.running() as slow, new_instance(qm=qm, forked=False) as instance:
        serving_run = serving(instance, options.checkout)
        keys = prepare(instance, options.tools, slow)
        succeed(
            instance, "docs", "index", "--python", str(OWN_CHECKOUT / ".venv"), "--only", LIBRARY
        )
        for family in wanted:
            found.append(measure(instance, serving_run, keys, family, options))
            console.print(found[-1])
        instance.stop()
    return found


def report(found: list[HostileFamilyResult], options: argparse.Namespace) -> None:
    """Prints the figures."""
    cores = os.cpu_count()
    table = Table(title=f"{CALLS} calls at once; {options.tools} tools, {cores} cores", box=None)
    for column in (
        "family",
        "searches",
        "p50/p95 ms alone",
        "attacked",
        "ratio of p95",
        "refused",
        "healthz p95/longest ms",
        "growth MB",
        "processes at most",
        "calls",
    ):
        table.add_column(column)
    for one in found:
        table.add_row(
            one.family,
            f"{one.idle.count}, {one.attacked.count}",
            f"{one.idle.p50:.0f}/{one.idle.p95:.0f}",
            f"{one.attacked.p50:.0f}/{one.attacked.p95:.0f}",
            f"{one.ratio:.2f}",
            counts_text(one.refused),
            f"{one.health.p95:.0f}/{one.health_longest_ms:.0f}",
            f"{one.growth_mb:.0f}",
            counts_text(one.processes),
            counts_text(one.calls),
        )
    Console(width=200).print(table)


def counts_text(counts: dict[str, int]) -> str:
    """Counts in words."""
    return ", ".join(f"{number} {name}" for name, number in sorted(counts.items())) or "none"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m lab.bench.hostile", description=__doc__)
    parser.add_argument("families", nargs="*", help="names of families; default: all")
    parser.add_argument(
        "--checkout", type=Path, default=OWN_CHECKOUT, help="whose service is measured"
    )
    parser.add_argument("--tools", type=int, default=500, help="in the catalog")
    parser.add_argument("--seconds", type=float, default=20.0, help="alone, and under attack")
    parser.add_argument("--settle-s", type=float, default=3.0, help="of the attack, not measured")
    parser.add_argument("--json", type=Path, help="write the figures there too")
    options = parser.parse_args()
    options.checkout = options.checkout.absolute()
    found = run(options)
    report(found, options)
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(one) for one in found], indent=1) + "\n")


if __name__ == "__main__":
    main()
