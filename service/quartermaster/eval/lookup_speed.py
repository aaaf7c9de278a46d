"""How fast lookup tables answer: a batch, many queries over two connections, a large table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from time import perf_counter
from typing import Any, Final

import numpy as np

from quartermaster.eval.lookup_gold import Pair
from quartermaster.eval.lookup_running import Caller, Progress
from quartermaster.lookup.table_file import Row

_BATCH: Final = 50
_BATCHES: Final = 20
_DISTINCT: Final = 10_000
_CONNECTIONS: Final = 2
_LARGE: Final = 225_000
_ASKED: Final = 500
Open = Callable[[], AbstractContextManager[Caller]]
Query = dict[str, Any]


def batch_ms(caller: Caller, pairs: Sequence[Pair]) -> float | None:
    """Median time of a batch of 50 to the table that is asked most; None where it is not asked
    as often.

    Raises:
        QmError: of the database.
    """
    asked = [(pair.table, _query(pair)) for pair in pairs]
    batches = [batch for batch in _batches(asked) if len(batch[1]) == _BATCH]
    most = max((table for table, _ in batches), key=[t for t, _ in batches].count, default="")
    seconds = [_timed(caller, *batch) for batch in batches if batch[0] == most][:_BATCHES]
    return round(float(np.median(seconds)) * 1000, 1) if seconds else None


def per_second(
    open_caller: Open, pairs: Sequence[Pair], tables: dict[str, list[Row]], progress: Progress
) -> float:
    """Queries a second, all of them different, in batches of 50 over two connections at once.

    Args:
        open_caller: makes a connection.
        pairs: whose queries are asked; what is missing to 10,000 are values of rows with a letter
            left out.
        tables: rows by table.
        progress: told how far it is.

    Raises:
        QmError: of the database.
    """
    asked = {(pair.table, pair.query): _query(pair) for pair in pairs}
    for table, rows in tables.items():
        for row in rows:
            if len(asked) >= _DISTINCT:
                break
            query = _mistyped(row["value"])
            asked.setdefault((table, query), {"query": query})
    queries = [(table, query) for (table, _), query in asked.items()][:_DISTINCT]
    batches = list(_batches(queries))
    parts = [batches[number::_CONNECTIONS] for number in range(_CONNECTIONS)]

    def work(part: list[tuple[str, list[Query]]]) -> None:
        with open_caller() as caller:
            for number, batch in enumerate(part, start=1):
                _timed(caller, *batch)
                if part is parts[0]:
                    progress("asking over two connections", number, len(part))

    started = perf_counter()
    with ThreadPoolExecutor(_CONNECTIONS) as pool:
        list(pool.map(work, parts))
    return round(len(queries) / (perf_counter() - started), 1)


def large_table_ms(caller: Caller, rows: Sequence[Row], progress: Progress) -> dict[str, float]:
    """p50 and p95 of a query to a table of 225,000 rows: the given ones again and again.

    Raises:
        QmError: of the database.
    """
    caller.call("create_lookup", name="large")
    for start in range(0, _LARGE, len(rows)):
        part = [
            row | {"id": f"{start + place}"} for place, row in enumerate(rows[: _LARGE - start])
        ]
        caller.call("load_lookup", lookup="large", rows=part, replaces=False)
        progress("loading a large table", start + len(part), _LARGE)
    chosen = rows[:: max(len(rows) // _ASKED, 1)]
    seconds: list[float] = []
    for number, row in enumerate(chosen, start=1):
        started = perf_counter()
        caller.call("search_lookup", lookup="large", query=_mistyped(row["value"]))
        seconds.append(perf_counter() - started)
        progress("asking the large table", number, len(chosen))
    p50, p95 = np.percentile(np.array(seconds) * 1000, [50, 95]).tolist()
    return {"p50": round(p50, 2), "p95": round(p95, 2)}


def _batches(asked: Sequence[tuple[str, Query]]) -> Iterator[tuple[str, list[Query]]]:
    tables: dict[str, list[Query]] = {}
    for table, query in asked:
        tables.setdefault(table, []).append(query)
    for table, queries in tables.items():
        for start in range(0, len(queries), _BATCH):
            yield table, queries[start : start + _BATCH]


def _timed(caller: Caller, table: str, queries: list[Query]) -> float:
    started = perf_counter()
    caller.call("search_lookups", lookup=table, queries=queries)
    return perf_counter() - started


def _query(pair: Pair) -> Query:
    # PostgreSQL holds no NUL.
    query = pair.query.replace("\0", "")
    return {"query": query, "language": pair.language, "properties": pair.properties}


def _mistyped(value: str) -> str:
    middle = len(value) // 2
    return (value[:middle] + value[middle + 1 :])[:1000] or value
