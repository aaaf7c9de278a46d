"""What the log, the cache and the state cost a lookup: `python -m lab.bench.lookup_answers
LOOKUP.csv GOLD.csv TABLE`, with a throw-away server of its own. The machine should be idle.
"""

from __future__ import annotations

import argparse
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import perf_counter

import anyio
from rich.console import Console
from rich.table import Table

from lab.bench.timing import Latency
from quartermaster.core import logs
from quartermaster.core.meters import Meters
from quartermaster.db import WORKER, Connections
from quartermaster.db import Database as AsyncDatabase
from quartermaster.settings.sections import LimitSettings
from quartermaster_lookup import api as lookup_api
from quartermaster_lookup.eval.gold_pairs import read_pairs
from quartermaster_lookup.lookup_answers import LookupAnswers
from quartermaster_lookup.meters import LookupMeters
from quartermaster_lookup.settings import Lookup
from quartermaster_lookup.table_file import read_rows
from tests.support.database import Database, embedded

WARM_UP = 20

console = Console()


async def measure(database: Database, options: argparse.Namespace) -> None:
    """Loads the table, asks its gold queries one after the other in several ways, prints it."""
    name: str = options.table
    rows = [row for row in read_rows(options.lookup) if row.get("table") == name]
    queries = [pair.goal for pair in read_pairs(options.gold) if pair.scope == name]
    queries = list(dict.fromkeys(queries))[: options.queries + WARM_UP]
    async with Connections.open(database.service_dsn, statement_timeout_ms=0) as connections:
        asked = AsyncDatabase(connections)
        who, call = await asked.find_principal(WORKER), asked.call
        await call(lookup_api.create_lookup(name=name), who)
        await call(lookup_api.load_lookup(lookup=name, rows=rows), who)
        answers = LookupAnswers(
            asked, Lookup(), LimitSettings(lookups_per_s=0), LookupMeters(Meters())
        )
        ways: dict[str, Callable[[str], Awaitable[object]]] = {
            "search in the database": lambda query: call(
                lookup_api.search_lookups(lookup=name, queries=[query]), who
            ),
            "state of the table": lambda _: call(lookup_api.lookup_state(lookup=name), who),
            "through the service, not remembered": lambda query: answers.search(
                who, name, [query], door="mcp"
            ),
            "through the service, remembered": lambda query: answers.search(
                who, name, [query], door="mcp"
            ),
        }
        table = Table("", "p50 ms", "p95 ms", title=f"{name}: {len(rows):,} rows", box=None)
        for way, ask in ways.items():
            latency = Latency.of([await _seconds(ask, query) for query in queries][WARM_UP:])
            table.add_row(way, f"{latency.p50:.2f}", f"{latency.p95:.2f}")
        waiting = len(answers.observer.log)
        begun = perf_counter()
        await answers.observer.log.flush()
        table.add_row(f"writing {waiting:,} queries down", f"{(perf_counter() - begun) * 1000:.1f}")
        console.print(table)


async def _seconds(ask: Callable[[str], Awaitable[object]], query: str) -> float:
    begun = perf_counter()
    await ask(query)
    return perf_counter() - begun


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lookup", type=Path)
    parser.add_argument("gold", type=Path)
    parser.add_argument("table")
    parser.add_argument("--queries", type=int, default=300)
    options = parser.parse_args()
    logs.configure("warning")
    with embedded() as server, server.clone() as database:
        anyio.run(measure, database, options)


if __name__ == "__main__":
    main()
