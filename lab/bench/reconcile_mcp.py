"""What the tools of ``/mcp/reconcile`` take over HTTP: `python -m lab.bench.reconcile_mcp
LOOKUP.csv GOLD.csv`, with a throw-away server of its own. The machine should be idle.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import uuid4

import anyio
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from rich.console import Console

from lab.bench.budgets import over_budget, read_budget
from lab.bench.timing import Latency
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.service import open_service
from quartermaster.settings.sections import DatabaseSettings as Connections
from quartermaster.settings.sections import LimitSettings
from quartermaster.settings.settings import schema
from quartermaster_lookup import api as lookup_api
from quartermaster_lookup.eval.gold_pairs import read_pairs
from quartermaster_lookup.settings import Lookup, Reconcile
from quartermaster_lookup.table_file import read_rows
from tests.service.doors.http.test_http import TOKEN, add_key, serving
from tests.support.database import Database, embedded
from tests.support.model import cached_model_dir

ERAS = {"session": "legacy", "stateless": "2026-07-28"}
WARM_UP = 20
BUDGET = "search_lookup=150,rerank=120"

console = Console()


async def measure(database: Database, options: argparse.Namespace) -> list[str]:
    """Loads the table, asks its gold queries, prints what each tool took; returns which tools took
    longer than their budgets.
    """
    late: list[str] = []
    # Nothing is remembered, and what is slow is measured, not ended.
    settings = schema()(
        database=Connections(statement_timeout_ms=0),
        lookup=Lookup(cache_rows=0),
        limits=LimitSettings(lookups_per_s=0),
        reconcile=Reconcile(search_timeout_ms=60_000, rerank_timeout_ms=60_000),
    )
    queries = [pair.goal for pair in read_pairs(options.gold) if pair.scope == options.table]
    queries = queries[: options.queries + WARM_UP]
    rows = [row for row in read_rows(options.lookup) if row.get("table") == options.table]
    folder = Path(tempfile.mkdtemp(prefix="qm-bench-"))
    runtime_dir = cached_model_dir().parents[1]
    async with open_service(
        settings, folder, runtime_dir, database.service_dsn, "up", uuid4()
    ) as service:
        admin = await service.database.find_principal(LOCAL_PRINCIPAL)
        await service.database.call(lookup_api.create_lookup(name=options.table), admin)
        await service.database.call(lookup_api.load_lookup(lookup=options.table, rows=rows), admin)
        await add_key(service, LOCAL_PRINCIPAL, TOKEN)
        console.print(f"{options.table}: {len(rows):,} rows, {len(queries) - WARM_UP} queries")
        async with serving(service) as door:
            for era, mode in ERAS.items():
                url = f"{door.url}/mcp/reconcile"
                async with (
                    door.http() as http,
                    Client(streamable_http_client(url, http_client=http), mode=mode) as client,
                ):
                    taken = await _ask(client, era, options.table, queries)
                late += [f"{era} {what}" for what in over_budget(taken, options.budget)]
    return late


async def _ask(client: Client, era: str, table: str, queries: list[str]) -> dict[str, Latency]:
    took: dict[str, list[float]] = {"search_lookup": [], "rerank of 20": [], "get_by_id": []}

    async def call(what: str, arguments: dict[str, Any]) -> dict[str, Any]:
        begun = perf_counter()
        result = await client.call_tool(what.partition(" ")[0], arguments)
        took[what].append(perf_counter() - begun)
        assert not result.is_error, result.content
        return result.structured_content

    for query in queries:
        asked = {"table": table, "query": query, "threshold": 0}
        found = (await call("search_lookup", asked))["candidates"]
        given = [{"id": each["id"], "value": each["value"]} for each in found[:20]]
        if given:
            await call("rerank of 20", {"table": table, "query": query, "candidates": given})
            await call("get_by_id", {"table": table, "id": given[0]["id"]})
    taken = {what: Latency.of(seconds[WARM_UP:]) for what, seconds in took.items()}
    for what, latency in taken.items():
        console.print(f"{era:10} {what:14} p50 {latency.p50:7.1f} ms  p95 {latency.p95:7.1f} ms")
    return taken


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m lab.bench.reconcile_mcp", description=__doc__)
    parser.add_argument("lookup", type=Path, metavar="LOOKUP.csv")
    parser.add_argument("gold", type=Path, metavar="GOLD.csv")
    parser.add_argument("--table", default="taxon")
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument(
        "--budget",
        type=read_budget,
        default=BUDGET,
        metavar="TOOL=MS,...",
        help=f"95th percentiles above these end with status 1 (default: {BUDGET})",
    )
    options = parser.parse_args()
    with embedded() as server, server.clone() as database:
        late = anyio.run(measure, database, options)
    if late:
        sys.exit("over budget: " + "; ".join(late))


if __name__ == "__main__":
    main()
