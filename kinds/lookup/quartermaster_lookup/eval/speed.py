"""Measures the speed of lookup tables: one batch, many queries over two connections, and a large
table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from statistics import median
from time import perf_counter
from typing import Any, Final

from quartermaster.core.api_call import ApiCaller
from quartermaster.eval.embedding import Progress
from quartermaster.eval.gold import Task
from quartermaster.eval.metrics import percentiles
from quartermaster_lookup import api
from quartermaster_lookup.eval.lookups import batches, question
from quartermaster_lookup.table_file import Row

_BATCH: Final = 50
_BATCHES: Final = 20
_DISTINCT_QUERIES: Final = 10_000
_CONNECTIONS: Final = 2
_LARGE_TABLE_ROWS: Final = 225_000
_QUERY_COUNT: Final = 500
Open = Callable[[], AbstractContextManager[ApiCaller]]
Batch = tuple[str, list[dict[str, Any]]]


def batch_ms(caller: ApiCaller, tasks: Sequence[Task]) -> float | None:
    """Returns the median time of a batch of 50 queries to the most used table. Returns None if no
    table has 50 queries.

    Raises:
        QmError: errors from the database.
    """
    asked = batches(((task.scope, question(task)) for task in tasks), _BATCH)
    full = [batch for batch in asked if len(batch[1]) == _BATCH]
    if not full:
        return None
    [(most, _)] = Counter(table for table, _ in full).most_common(1)
    seconds = [_timed(caller, batch) for batch in full if batch[0] == most][:_BATCHES]
    return round(median(seconds) * 1000, 1)


def per_second(
    open_caller: Open, tasks: Sequence[Task], tables: dict[str, list[Row]], progress: Progress
) -> float:
    """Measures distinct queries per second, in batches of 50, over two parallel connections.

    Args:
        open_caller: function that opens a connection.
        tasks: tasks with the queries. Row values with one missing letter are added until there are
            10,000 queries.
        tables: rows, by table.
        progress: function that reports progress.

    Raises:
        QmError: errors from the database.
    """
    values = ((table, _mistyped(row["value"])) for table, rows in tables.items() for row in rows)
    asked = {key: {"query": key[1]} for key in values}
    asked = {(task.scope, task.goal): question(task) for task in tasks} | asked
    queries = [(table, query) for (table, _), query in asked.items()][:_DISTINCT_QUERIES]
    every = list(batches(queries, _BATCH))

    def work(first: int) -> None:
        own = every[first::_CONNECTIONS]
        with open_caller() as caller:
            for number, batch in enumerate(own, start=1):
                _timed(caller, batch)
                if not first:
                    progress("querying over two connections", number, len(own))

    started = perf_counter()
    with ThreadPoolExecutor(_CONNECTIONS) as pool:
        list(pool.map(work, range(_CONNECTIONS)))
    return round(len(queries) / (perf_counter() - started), 1)


def large_table_ms(caller: ApiCaller, rows: Sequence[Row], progress: Progress) -> dict[str, float]:
    """Returns p50 and p95 of the query times on a table with 225,000 rows. The table is made by
    repeating the given rows.

    Raises:
        QmError: errors from the database.
    """
    caller.call(api.create_lookup(name="large"))
    for start in range(0, _LARGE_TABLE_ROWS, len(rows)):
        some = rows[: _LARGE_TABLE_ROWS - start]
        part = [row | {"id": f"{start + place}"} for place, row in enumerate(some)]
        caller.call(api.load_lookup(lookup="large", rows=part, replaces=False))
        progress("loading a large table", start + len(part), _LARGE_TABLE_ROWS)
    chosen = rows[:: max(len(rows) // _QUERY_COUNT, 1)]
    seconds: list[float] = []
    for number, row in enumerate(chosen, start=1):
        started = perf_counter()
        caller.call(api.search_lookup(lookup="large", query=_mistyped(row["value"])))
        seconds.append(perf_counter() - started)
        progress("querying the large table", number, len(chosen))
    return percentiles(seconds, 2)


def _timed(caller: ApiCaller, batch: Batch) -> float:
    table, queries = batch
    started = perf_counter()
    caller.call(api.search_lookups(lookup=table, queries=queries))
    return perf_counter() - started


def _mistyped(value: str) -> str:
    middle = len(value) // 2
    return (value[:middle] + value[middle + 1 :])[:1000] or value
