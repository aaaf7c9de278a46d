"""What clients of the reconciliation API wait, beside what they would see themselves.

    python -m lab.bench.reconciling http://127.0.0.1:8765/reconcile/~KEY GOLD.csv --table taxon

Asks a running service over one connection, with queries of a file of gold pairs. No two requests
are the same, so nothing is answered from memory. Ends with status 1 if a batch is over its budget.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
from rich.console import Console
from rich.table import Table

from lab.bench.budgets import over_budget, read_budget
from lab.bench.timing import Latency, rate, timed

BATCHES = {50: 10, 10: 20}
PROBES = 10
PROBINGS = 5
BUDGET = "1=15,10=80,50=350"


def batch(http: httpx2.Client, path: str, queries: list[str], **more: Any) -> Callable[[], None]:
    """Returns a request with these queries, as OpenRefine sends it."""
    given = {f"q{i}": {"query": query, **more} for i, query in enumerate(queries)}

    def ask() -> None:
        answer = http.post(path, data={"queries": json.dumps(given)}).raise_for_status().json()
        assert all("error" not in result for result in answer.values()), answer

    return ask


def measure(root: str, table: str, queries: Iterator[str], requests: int) -> dict[str, Latency]:
    """Returns latencies by what was asked."""
    found: dict[str, Latency] = {}

    def several(name: str, work: Callable[[], Callable[[], Any]], count: int) -> None:
        found[name] = Latency.of([timed(work())[1] for _ in range(count)])

    def some(count: int) -> list[str]:
        return [*itertools.islice(queries, count)]

    with httpx2.Client(timeout=120, trust_env=False) as http:
        one = f"{root}/{table}"
        several("manifest of a table", lambda: lambda: http.get(one), requests)
        several("1 query, a table", lambda: batch(http, one, some(1)), requests)
        for size, batches in BATCHES.items():
            several(f"{size} queries, a table", lambda: batch(http, one, some(size)), batches)  # noqa: B023 - called before the next
        several(
            f"guess of a type by {PROBES} probes, all tables",
            lambda: batch(http, root, some(PROBES), limit=3),
            PROBINGS,
        )
        prefixes = (query[:4] for query in queries)
        address = f"{one}/suggest/entity"
        several(
            "suggestion, a table",
            lambda: lambda: http.get(address, params={"prefix": next(prefixes)}),
            requests,
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("root", help="http://HOST:PORT/reconcile/~KEY")
    parser.add_argument("gold", type=Path, help="CSV with the columns table and query")
    parser.add_argument("--table", default="taxon")
    parser.add_argument("--requests", type=int, default=100)
    parser.add_argument(
        "--budget",
        type=read_budget,
        default=BUDGET,
        metavar="QUERIES=MS,...",
        help=f"95th percentiles above these end with status 1 (default: {BUDGET})",
    )
    given = parser.parse_args()
    with given.gold.open(newline="", encoding="utf-8") as lines:
        rows = [row["query"] for row in csv.DictReader(lines) if row["table"] == given.table]
    # A number of their own keeps queries from being those of an earlier run; rows are still found.
    run = time.time_ns() % 1000
    queries = [f"{query} {run}" for query in dict.fromkeys(rows) if query.strip()]
    needed = sum(size * batches for size, batches in BATCHES.items())
    needed += PROBES * PROBINGS + 2 * given.requests
    if len(queries) < needed:
        parser.error(f"{given.gold} has {len(queries)} queries of {given.table}, not {needed}")
    found = measure(given.root, given.table, iter(queries), given.requests)
    table = Table("what", "p50 ms", "p95 ms", "requests", "queries/s")
    for name, latency in found.items():
        count = int(name.split()[0]) if name[0].isdecimal() else 1
        per_s = rate(count, latency.p50 / 1000)
        table.add_row(
            name, f"{latency.p50:.1f}", f"{latency.p95:.1f}", str(latency.count), str(per_s)
        )
    Console().print(table)
    if late := over_budget(found, given.budget):
        sys.exit("over budget: " + "; ".join(late))


if __name__ == "__main__":
    main()
