"""Two checkouts asked the same questions in turn: `python -m lab.bench.side_by_side OTHER`.

Each checkout installs a throw-away database with its own code, and imports tools with it: only what
is asked is the same. A second one of the other checkout shows what its ratio to itself is on this
machine. Every question goes to all three, in an order that changes, so that they meet the same
load. OTHER is set up (`scripts/setup.sh`) and has `lab/bench/filling.py`.

With --processor, the processor time of the database is compared, for a machine that is not quiet.
With --calls or --gates, each checkout also runs a service (`qm up`) with one local server and one
project. Every call, and every gate on new code of a file that has changed, goes to all three
services in the same way.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shlex
import subprocess
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from time import perf_counter
from typing import Final, LiteralString, TypeVar
from urllib.parse import urlsplit

import numpy as np
import psycopg
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from lab.bench import catalog, vectors
from lab.bench.fairness import serving, succeed
from lab.bench.hostile_projects import commit_all, new_repository
from lab.bench.server import BenchDatabase
from lab.comparisons import retrieval_sets as sets
from quartermaster_lookup.eval.gold_pairs import read_pairs
from quartermaster_lookup.eval.lookups import by_table
from quartermaster_lookup.table_file import read_rows
from tests.support.database import SERVICE_PASSWORD, with_parts
from tests.support.instance import new_instance
from tests.support.upstreams import SUPPORT

OWN_CHECKOUT: Final = Path(__file__).parents[2]
_MODELS: Final = os.environ.get("QM_TEST_CACHE", str(OWN_CHECKOUT / "build" / "models"))
_STAND: Final = """
import sys
from lab.bench.filling import fill
from lab.bench.server import throw_away
with throw_away() as bench:
    print("dsn", bench.dsn, flush=True)
    for line in sys.stdin:
        name, count = line.split()
        fill(bench, name, int(count))
        print("filled", flush=True)
"""
_SELECT: Final = "select * from api.select_tools(%s, %s, query_vector => %s::ext.vector)"
_LOOKUP: Final = (
    "select * from api.search_lookup(%s, %s, in_language => %s, properties => %s::jsonb)"
)
_RESAMPLES: Final = 2_000
_WARM_UP: Final = 30
_IMPORT_BATCH: Final = 5_000
_CALL_S: Final = 60
_CALL_HEADERS: Final = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "call_tool",
}
_CALL_META: Final = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
_GATED_FILE: Final = "shop.py"
_TEXT: Final = "".join(
    f'def f{n}(x: int) -> int:\n    """Adds {n}."""\n    return x + {n} if x > {n} else x\n\n\n'
    for n in range(100)
)
Question = tuple[LiteralString, tuple[object, ...]]
Asked = TypeVar("Asked")
Floats = NDArray[np.float64]

console = Console(stderr=True)


@dataclass(frozen=True)
class Ratio:
    """Of paired times, with the bounds between which 95 of 100 resamples lie (Efron, 1979).

    Attributes:
        median: of the ratio of each pair.
        p95: of the 95th percentiles.
    """

    median: float
    median_bounds: tuple[float, float]
    p95: float
    p95_bounds: tuple[float, float]

    @classmethod
    def of(cls, ours: Floats, theirs: Floats) -> Ratio:
        """Returns times of the same questions, in the same order."""
        draws = np.random.default_rng(17).integers(0, len(ours), (_RESAMPLES, len(ours)))
        pairs = ours / theirs
        tails = np.percentile(ours[draws], 95, axis=1) / np.percentile(theirs[draws], 95, axis=1)
        return cls(
            float(np.median(pairs)),
            _bounds(np.median(pairs[draws], axis=1)),
            float(np.percentile(ours, 95) / np.percentile(theirs, 95)),
            _bounds(tails),
        )


@dataclass(frozen=True)
class Compared:
    """One kind of question: milliseconds of both, and the ratios of ours and of theirs again."""

    name: str
    pairs: int
    ours_ms: tuple[float, float]
    theirs_ms: tuple[float, float]
    ours: Ratio
    itself: Ratio


def _bounds(resampled: Floats) -> tuple[float, float]:
    low, high = np.percentile(resampled, [2.5, 97.5]).tolist()
    return low, high


@dataclass(frozen=True)
class Stand:
    """A throw-away database that the code of a checkout has installed.

    Attributes:
        process: of the checkout: fills the catalog when it is told with what.
    """

    bench: BenchDatabase
    process: subprocess.Popen[str]

    def fill(self, name: str, count: int) -> None:
        """Imports and embeds the first tools of a set; - makes some up."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{name} {count}\n")
        self.process.stdin.flush()
        output_after(self.process, "filled")


def output_after(process: subprocess.Popen[str], word: str) -> str:
    """Returns the next line that begins with a word; the log of the process comes between."""
    assert process.stdout is not None
    found = next((line for line in process.stdout if line.startswith(word)), None)
    return found or sys.exit(f"{process.args!r} ended before it said {word}")


@contextmanager
def stand(checkout: Path) -> Generator[Stand]:
    """Provides the database of a checkout. All checkouts embed with the model of this one."""
    python = checkout / ".venv" / "bin" / "python"
    with subprocess.Popen(
        [python, "-c", _STAND],
        cwd=checkout,
        env=os.environ | {"QM_TEST_CACHE": _MODELS},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        try:
            dsn = output_after(process, "dsn").split()[1]
            name = "quartermaster"
            service = with_parts(dsn, database=name, user="qm_service", password=SERVICE_PASSWORD)
            with (
                psycopg.connect(dsn, autocommit=True) as owner,
                psycopg.connect(service, autocommit=True) as asking,
            ):
                asking.execute(
                    "select set_config('qm.principal', principal_id::text, false)"
                    " from api.find_principal('quartermaster')"
                )
                asking.execute("set role qm_operator")
                yield Stand(BenchDatabase(owner, asking, asking, dsn), process)
        finally:
            process.stdin.close()


class RunningService:
    """A running service with one local server and one project, asked by somebody who has a key.

    Args:
        url, key: its address, and the key.
        root: root of the project.
    """

    def __init__(self, url: str, key: str, root: Path) -> None:
        where = urlsplit(url)
        self.client = HTTPConnection(str(where.hostname), where.port, timeout=_CALL_S)
        self._headers = _CALL_HEADERS | {"authorization": f"Bearer {key}"}
        self._file = root / _GATED_FILE

    def call(self, number: int) -> float:
        """Returns milliseconds of a call of the local server."""
        text = f"the text of call {number}"
        return self._ask(number, "leaf__echo", {"text": text}, text)

    def gate(self, number: int) -> float:
        """Returns milliseconds of a gate on new code, after a change of the file."""
        self._file.write_text(f"{_TEXT}LAST = {number}\n")
        arguments = {"file_path": _GATED_FILE, "new_code": True}
        return self._ask(number, "quality__tapps_quality_gate", arguments, "threshold")

    def _ask(self, number: int, name: str, arguments: dict[str, object], report: str) -> float:
        called = {"name": name, "arguments": arguments}
        params = {"name": "call_tool", "arguments": called, "_meta": _CALL_META}
        asked = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
        body = json.dumps(asked)
        # A service closes a connection on which nothing was asked for a while.
        self.client.close()
        self.client.connect()
        begun = perf_counter()
        self.client.request("POST", "/mcp", body, self._headers)
        answer = self.client.getresponse().read().decode()
        took = perf_counter() - begun
        assert report in answer, answer
        return took * 1000


@contextmanager
def service(checkout: Path) -> Generator[RunningService]:
    """Provides a running service of a checkout."""
    with new_instance(qm=[checkout / ".venv" / "bin" / "qm"], forked=False) as instance:
        run = serving(instance, checkout)
        server = shlex.join([sys.executable, str(SUPPORT / "leaf_server.py"), "stdio"])
        confirms = ["--yes"] if "--yes" in instance.qm("origin", "add", "--help").stdout else []
        succeed(instance, "origin", "add", "leaf", "--command", server, *confirms)
        succeed(instance, "principal", "create", "asker")
        key = succeed(instance, "key", "create", "asker").split()[0]
        root = instance.data_dir.parent / "shop"
        new_repository(root)
        (root / _GATED_FILE).write_text(_TEXT)
        commit_all(root)
        succeed(instance, "project", "add", str(root))
        succeed(instance, "project", "members", root.name, "--add", "asker")
        served = RunningService(run.url, key, root)
        yield served
        served.client.close()
        instance.stop()


def compare(
    name: str, sides: Sequence[Callable[[Asked], float]], questions: Sequence[Asked]
) -> Compared:
    """Asks ours, theirs and theirs again; the first questions warm up and are asked again.

    Args:
        name: what is asked.
        sides: ask one of them, and return how long it took in milliseconds.
        questions: what each is asked.
    """
    for question in questions[:_WARM_UP]:
        for ask in sides:
            ask(question)
    times = np.zeros((len(sides), len(questions)))
    orders = random.Random(17)
    for number, question in enumerate(questions):
        for place in orders.sample(range(len(sides)), len(sides)):
            times[place, number] = sides[place](question)
    ours, theirs, again = times
    return Compared(
        name,
        len(questions),
        _ends(ours),
        _ends(theirs),
        Ratio.of(ours, theirs),
        Ratio.of(again, theirs),
    )


def _milliseconds(bench: BenchDatabase, question: Question) -> float:
    begun = perf_counter()
    bench.service.execute(*question).fetchall()
    return (perf_counter() - begun) * 1000


def _processor_milliseconds(bench: BenchDatabase, question: Question) -> float:
    """Returns the processor time of the database's process, which hardly depends on other
    processes.
    """
    used = Path(f"/proc/{bench.service.info.backend_pid}/schedstat")
    begun = int(used.read_text().split()[0])
    bench.service.execute(*question).fetchall()
    return (int(used.read_text().split()[0]) - begun) / 1e6


def _ends(times: Floats) -> tuple[float, float]:
    p50, p95 = np.percentile(times, [50, 95]).tolist()
    return round(p50, 2), round(p95, 2)


def lookups(
    stands: Sequence[BenchDatabase], options: argparse.Namespace
) -> Callable[[int], list[Question]]:
    """Loads the tables everywhere; returns what draws gold queries."""
    tables = by_table(read_rows(options.lookup), options.lookup.stem)
    wanted = {name: rows for name, rows in tables.items() if options.table in (None, name)}
    for bench in stands:
        for name, rows in wanted.items():
            bench.service.execute("select api.create_lookup(%s)", (name,))
            for start in range(0, len(rows), _IMPORT_BATCH):
                given = json.dumps(rows[start : start + _IMPORT_BATCH])
                bench.service.execute(
                    "select * from api.load_lookup(%s, %s::jsonb, false)", (name, given)
                )
        catalog.settle(bench)
    pairs = [pair for pair in read_pairs(options.gold) if pair.scope in wanted]

    def draw(count: int) -> list[Question]:
        chosen = random.Random(17).choices(pairs, k=count)
        return [
            (_LOOKUP, (p.scope, p.goal.replace("\0", ""), p.language, json.dumps(p.properties)))
            for p in chosen
        ]

    return draw


def tools(stands: Sequence[Stand], count: int) -> Callable[[str, int], list[Question]]:
    """Imports and embeds tools everywhere; returns what draws goals for a mode."""
    public = sets.skip_reason(sets_name := "mcpcatalog") is None
    for one in stands:
        one.fill(sets_name if public else "-", count)
    model, _ = vectors.load_model()
    queries = sets.read_queries(sets_name, 500) if public else sets.make_queries(500)
    goals = [query.text for query in queries]
    literals = [vectors.literal(vector) for vector in model.embed(goals)]

    def draw(mode: str, pairs: int) -> list[Question]:
        chosen = random.Random(17).choices(range(len(goals)), k=pairs)
        return [(_SELECT, (goals[number], mode, literals[number])) for number in chosen]

    return draw


def run(options: argparse.Namespace) -> list[Compared]:
    """Calls and gates; lookups where a table is given, then every mode."""
    found: list[Compared] = []
    places = (OWN_CHECKOUT, options.other, options.other)
    if options.calls or options.gates:
        console.print("starting services")
        with ExitStack() as stack:
            services = [stack.enter_context(service(place)) for place in places]
            if options.calls:
                calls = [one.call for one in services]
                found.append(compare("call", calls, range(options.calls)))
            if options.gates:
                gates = [one.gate for one in services]
                found.append(compare("gate", gates, range(options.gates)))
    if options.lookup is None and not options.tools:
        return found
    with ExitStack() as stack:
        stands = [stack.enter_context(stand(place)) for place in places]
        benches = [one.bench for one in stands]
        measured = _processor_milliseconds if options.processor else _milliseconds
        sides = [partial(measured, bench) for bench in benches]
        if options.lookup is not None:
            console.print("loading lookup tables")
            draw = lookups(benches, options)
            found.append(compare("lookup", sides, draw(options.pairs)))
        if options.tools:
            console.print("importing and embedding tools")
            goals = tools(stands, options.tools)
            for (mode,) in (
                benches[0]
                .owner.execute("select name from selection.mode order by lexical")
                .fetchall()
            ):
                found.append(compare(str(mode), sides, goals(str(mode), options.pairs)))
    return found


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m lab.bench.side_by_side", description=__doc__)
    parser.add_argument("other", type=Path, help="the checkout to compare with")
    parser.add_argument("--pairs", type=int, default=2_000, help="of each kind of question")
    parser.add_argument("--calls", type=int, default=0, help="pairs of calls; 0 for none")
    parser.add_argument("--gates", type=int, default=0, help="pairs of gates; 0 for none")
    parser.add_argument("--tools", type=int, default=2_000, help="in the catalog; 0 for no modes")
    parser.add_argument(
        "--lookup", type=Path, help="rows of lookup tables, as qm lookup load reads"
    )
    parser.add_argument("--gold", type=Path, help="queries to them, as qm eval lookup reads")
    parser.add_argument("--table", help="only this one")
    parser.add_argument(
        "--processor", action="store_true", help="compare processor time of the database, on Linux"
    )
    parser.add_argument("--json", type=Path, help="write the figures there too")
    options = parser.parse_args()
    options.other = options.other.absolute()
    found = run(options)
    table = Table("", "pairs", "p50/p95 ms", "theirs", "median ratio", "p95 ratio", box=None)
    for one in found:
        for name, ratio in ((one.name, one.ours), ("  theirs again", one.itself)):
            both = (str(one.pairs), *(f"{a}/{b}" for a, b in (one.ours_ms, one.theirs_ms)))
            table.add_row(
                name,
                *(both if ratio is one.ours else ("", "", "")),
                _bounds_text(ratio.median, ratio.median_bounds),
                _bounds_text(ratio.p95, ratio.p95_bounds),
            )
    Console().print(table)
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(one) for one in found], indent=1) + "\n")


def _bounds_text(value: float, bounds: tuple[float, float]) -> str:
    return f"{value:.3f} ({bounds[0]:.3f} to {bounds[1]:.3f})"


if __name__ == "__main__":
    main()
