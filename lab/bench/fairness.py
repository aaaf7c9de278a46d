"""What one principal waits while another floods: `python -m lab.bench.fairness [CHECKOUT ...]`.

A flood at the lowest priority (its own autogroup, nice 19) runs searches without pause and slow
calls. Another principal searches meanwhile, and calls the same server. Blocks with the flood and
blocks without it alternate, so that both meet the same load of the machine. Each CHECKOUT, which is
set up (`scripts/setup.sh`), is measured in the same way after this one.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any, Final

import anyio
import httpx2
from mcp import Client, MCPError
from rich.console import Console
from rich.table import Table

from lab.bench.flooding import in_background
from lab.bench.timing import Latency
from lab.comparisons import retrieval_sets as sets
from quartermaster.core.paths import RunFile
from tests.support import slow_server
from tests.support.callers import client_of, slug_of
from tests.support.instance import NOTES, START_S, Instance, new_instance
from tests.support.waiting import wait_until

OWN_CHECKOUT: Final = Path(__file__).parents[2]
SEARCHERS, CALLERS, SLOW_S = 24, 200, 5.0
# How long a refused call waits, as its error says, before it is sent again.
_PAUSE_S: Final = 1.0
_EMBEDDED_S: Final = 1200.0
_WARM_UP: Final = 20
_CLIENTS: Final = 8

console = Console(stderr=True)


@dataclass
class BystanderSamples:
    """What the other principal sees, with or without the flood.

    Attributes:
        search_s, call_s: seconds of each search and of each call.
        refused: slugs of the errors.
    """

    search_s: list[float] = field(default_factory=list[float])
    call_s: list[float] = field(default_factory=list[float])
    refused: Counter[str] = field(default_factory=Counter[str])


@dataclass(frozen=True)
class FairnessResult:
    """One checkout.

    Attributes:
        idle, flooded: milliseconds of searches.
        idle_calls, flooded_calls: milliseconds of calls.
        idle_refused, flooded_refused: how many searches and calls of the other were refused, by
            error.
        flood: what became of the requests of the flood.
    """

    name: str
    idle: Latency
    flooded: Latency
    idle_calls: Latency
    flooded_calls: Latency
    idle_refused: dict[str, int]
    flooded_refused: dict[str, int]
    flood: dict[str, int]

    @property
    def ratio(self) -> float:
        """The 95th percentile with the flood, by that without it."""
        return self.flooded.p95 / self.idle.p95


class Flood:
    """Clients of one principal that search and call without pause.

    Args:
        url, key: of the service, and of the principal.
        searchers, callers: how many do so at the same time.

    Attributes:
        tally: what became of the requests.
        answered: set when all requests were sent, and at least one was answered.
    """

    def __init__(self, url: str, key: str, searchers: int, callers: int) -> None:
        self.tally = Counter[str]()
        self.answered = anyio.Event()
        self._where = url, key
        self._searchers, self._callers = searchers, callers
        queries = (query for n in count(9) for query in sets.make_queries(500, seed=n))
        self._goals = (f"{query.text} {number}" for number, query in enumerate(queries))

    async def client(self, number: int) -> None:
        """One client with its part of the requests. It connects again when a connection is lost,
        because the service gives up on clients that are as slow as a process of this priority.
        """
        while True:
            try:
                async with client_of(*self._where) as client, anyio.create_task_group() as tasks:
                    for _ in range(number, self._searchers, _CLIENTS):
                        tasks.start_soon(self._search, client)
                    for _ in range(number, self._callers, _CLIENTS):
                        tasks.start_soon(self._call, client)
            except* (MCPError, httpx2.HTTPError):
                self.tally["connection lost"] += 1

    async def _search(self, client: Client) -> None:
        while True:
            await self._ask(client, "search_tools", {"query": next(self._goals)})

    async def _call(self, client: Client) -> None:
        call = {"name": "slow__wait", "arguments": {"seconds": SLOW_S}}
        while True:
            await self._ask(client, "call_tool", call)

    async def _ask(self, client: Client, tool: str, arguments: dict[str, Any]) -> None:
        self.tally["sent"] += 1
        if self.tally["sent"] > self._searchers + self._callers:
            self.answered.set()
        slug = await slug_of(client, tool, arguments)
        self.tally[f"{tool} {slug or 'ok'}"] += 1
        if slug is not None:
            await anyio.sleep(_PAUSE_S)


async def flood(url: str, key: str, searchers: int, callers: int) -> None:
    """Searches and calls until stdin ends; then prints what became of them."""
    flood = Flood(url, key, searchers, callers)
    async with anyio.create_task_group() as tasks:
        for number in range(_CLIENTS):
            tasks.start_soon(flood.client, number)
        await flood.answered.wait()
        print("flooding", flush=True)  # noqa: T201 - the measuring process waits for this
        await anyio.to_thread.run_sync(sys.stdin.read)
        print(json.dumps(flood.tally), flush=True)  # noqa: T201 - the measuring process reads it
        # Requests without an answer end with the process.
        os._exit(0)


@contextmanager
def flooding(url: str, key: str, options: argparse.Namespace) -> Generator[Counter[str]]:
    """Runs the flood as a process of the lowest priority, and counts what became of it."""
    code = "import sys; from lab.bench import fairness as f; f.anyio.run(f.flood, *sys.argv[1:3]"
    code += f", {options.searchers}, {options.callers})"
    with in_background(code, url, key) as tally:
        yield tally


async def watch(
    url: str, key: str, goals: Sequence[str], side: BystanderSamples, calls_every: int
) -> None:
    """Searches for each goal, one after the other, and calls a tool in between."""
    async with client_of(url, key) as client:
        for number, goal in enumerate(goals):
            begun = perf_counter()
            slug = await slug_of(client, "search_tools", {"query": goal})
            side.search_s.append(perf_counter() - begun)
            if slug is not None:
                side.refused[f"search {slug}"] += 1
            if number % calls_every == 0:
                begun = perf_counter()
                slug = await slug_of(client, "call_tool", {"name": "slow__echo", "arguments": {}})
                side.call_s.append(perf_counter() - begun)
                if slug is not None:
                    side.refused[f"call {slug}"] += 1


def prepare(instance: Instance, tools: int, url: str) -> tuple[str, str]:
    """Returns tools with vectors, the slow server, and two principals; returns their keys."""
    file = instance.data_dir.parent / "tools.jsonl"
    file.write_text("".join(json.dumps(tool) + "\n" for tool in sets.make_tools(tools)))
    succeed(instance, "import", str(file))
    confirms = ["--yes"] if "--yes" in instance.qm("origin", "add", "--help").stdout else []
    succeed(instance, "origin", "add", "slow", "--url", url, *confirms)
    keys: list[str] = []
    for name in ("flood", "other"):
        succeed(instance, "principal", "create", name)
        keys.append(succeed(instance, "key", "create", name).split()[0])
    console.print("waiting for vectors")
    assert wait_until(lambda: instance.qm_json("status")["unembedded"] == 0, _EMBEDDED_S)
    flooder, other = keys
    return flooder, other


def succeed(instance: Instance, *command: str) -> str:
    """Returns what a command prints; an import may take long."""
    process = instance.launch_qm(*command)
    stdout, stderr = process.communicate(timeout=_EMBEDDED_S)
    assert process.returncode == 0, f"{command}: {stdout}{stderr}"
    return stdout


def serving(instance: Instance, checkout: Path) -> RunFile:
    """Starts the service of a checkout; others print other words when they are ready."""
    if checkout != OWN_CHECKOUT:
        instance.environment.pop(NOTES)  # Others may not know this setting.
    process = instance.launch()
    folder = instance.data_dir
    wait_until(lambda: RunFile.read(folder) is not None or process.poll() is not None, 3 * START_S)
    return instance.run_file


def measure(checkout: Path, options: argparse.Namespace) -> FairnessResult:
    """Starts the service of a checkout, floods it and asks."""
    searches = options.searches if checkout == OWN_CHECKOUT else options.their_searches
    qm = [checkout / ".venv" / "bin" / "qm"]
    quiet, loud, tally = BystanderSamples(), BystanderSamples(), Counter[str]()
    with slow_server.running() as slow, new_instance(qm=qm, forked=False) as instance:
        run = serving(instance, checkout)
        flooder, other = prepare(instance, options.tools, slow)
        goals = iter([query.text for query in sets.make_queries(2 * searches + _WARM_UP)])
        anyio.run(watch, run.url, other, take(goals, _WARM_UP), BystanderSamples(), 10)
        size = searches // options.blocks
        for number in range(options.blocks):
            console.print(f"{checkout.name}: block {number + 1} of {options.blocks}")
            anyio.run(watch, run.url, other, take(goals, size), quiet, 10)
            with flooding(run.url, flooder, options) as summary:
                begun = monotonic()
                wait_until(lambda begun=begun: monotonic() - begun > options.settle_s, 60)
                anyio.run(watch, run.url, other, take(goals, size), loud, 10)
            tally.update(summary)
            so_far = (Latency.of(side.search_s) for side in (quiet, loud))
            console.print("so far:", *so_far, quiet.refused, loud.refused, dict(tally))
        instance.stop()
    return FairnessResult(
        name=checkout.name if checkout != OWN_CHECKOUT else "this checkout",
        idle=Latency.of(quiet.search_s),
        flooded=Latency.of(loud.search_s),
        idle_calls=Latency.of(quiet.call_s),
        flooded_calls=Latency.of(loud.call_s),
        idle_refused=dict(quiet.refused),
        flooded_refused=dict(loud.refused),
        flood=dict(tally.most_common()),
    )


def take(goals: Generator[str] | Any, number: int) -> list[str]:
    """Returns the next goals."""
    return [next(goals) for _ in range(number)]


def report(found: Sequence[FairnessResult], options: argparse.Namespace) -> None:
    """Prints the figures."""
    title = f"{options.tools} tools, {os.cpu_count()} cores; flood: {options.searchers} searches"
    table = Table(title=f"{title} without pause, {options.callers} calls of {SLOW_S:g} s")
    for column in (
        "",
        "searches",
        "p50/p95 ms idle",
        "flooded",
        "p95 ratio",
        "calls p95",
        "flooded",
    ):
        table.add_column(column)
    for one in found:
        table.add_row(
            one.name,
            f"{one.idle.count}/{one.flooded.count}",
            f"{one.idle.p50:.0f}/{one.idle.p95:.0f}",
            f"{one.flooded.p50:.0f}/{one.flooded.p95:.0f}",
            f"{one.ratio:.2f}",
            f"{one.idle_calls.p95:.0f}",
            f"{one.flooded_calls.p95:.0f}",
        )
    printer = Console(width=120)
    printer.print(table)
    for one in found:
        printer.print(f"{one.name}: refused idle {one.idle_refused}, flooded {one.flooded_refused}")
        printer.print(f"  flood: {one.flood}")


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m lab.bench.fairness", description=__doc__)
    parser.add_argument("checkouts", type=Path, nargs="*", help="further checkouts to measure")
    parser.add_argument("--searches", type=int, default=1000, help="with and without the flood")
    parser.add_argument("--their-searches", type=int, default=200, help="of a further checkout")
    parser.add_argument("--tools", type=int, default=2000)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--searchers", type=int, default=SEARCHERS)
    parser.add_argument("--callers", type=int, default=CALLERS)
    parser.add_argument("--settle-s", type=float, default=5.0, help="before a block is measured")
    parser.add_argument("--skip-ours", action="store_true", help="only the further checkouts")
    parser.add_argument("--json", type=Path, help="write the figures there too")
    return parser.parse_args(arguments)


def main() -> None:
    """The command line."""
    options = parse()
    checkouts = [
        *([] if options.skip_ours else [OWN_CHECKOUT]),
        *map(Path.absolute, options.checkouts),
    ]
    found = [measure(checkout, options) for checkout in checkouts]
    report(found, options)
    if options.json is not None:
        summary = [asdict(one) | {"ratio": one.ratio} for one in found]
        options.json.write_text(json.dumps(summary, indent=1) + "\n")


if __name__ == "__main__":
    main()
