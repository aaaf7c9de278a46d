"""Loads lookup tables into a database and asks every query of the gold pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from typing import Any, Final, Protocol

import numpy as np

from quartermaster.eval.lookup_gold import Pair
from quartermaster.eval.lookup_metrics import Answer
from quartermaster.lookup.table_file import Row

_ROWS: Final = 20
Progress = Callable[[str, int, int], None]


class Caller(Protocol):
    """Calls api functions."""

    def call(self, operation: str, /, **arguments: object) -> list[dict[str, Any]]:
        """Rows of an api function, called by named arguments."""
        ...


def by_table(rows: Iterable[Row], table: str | None = None) -> dict[str, list[Row]]:
    """Rows by the table they belong to: the one that they name, or the given one."""
    tables: dict[str, list[Row]] = {}
    for row in rows:
        tables.setdefault(str(row.get("table") or table or "lookup"), []).append(row)
    return tables


def load(caller: Caller, tables: dict[str, list[Row]], progress: Progress) -> None:
    """Makes the tables.

    Raises:
        QmError: of the database.
    """
    done, total = 0, sum(map(len, tables.values()))
    for name, rows in tables.items():
        progress(f"loading {name}", done, total)
        caller.call("create_lookup", name=name)
        caller.call("load_lookup", lookup=name, rows=rows)
        done += len(rows)
    progress("loaded", total, total)


def ask(
    caller: Caller, pairs: Sequence[Pair], progress: Progress
) -> tuple[list[Answer], dict[str, float]]:
    """The answer to every query, one at a time over one connection, and how long it took.

    Returns:
        The answers, and p50 and p95 of the time of a query in milliseconds.

    Raises:
        QmError: of the database.
    """
    for pair in pairs[:: max(len(pairs) // 20, 1)]:
        _search(caller, pair)  # plans are made, caches are warm
    answers: list[Answer] = []
    seconds: list[float] = []
    for number, pair in enumerate(pairs, start=1):
        started = perf_counter()
        rows = _search(caller, pair)
        seconds.append(perf_counter() - started)
        answers.append(_answer(pair, rows))
        progress("asking", number, len(pairs))
    p50, p95 = np.percentile(np.array(seconds) * 1000, [50, 95]).tolist()
    return answers, {"p50": round(p50, 2), "p95": round(p95, 2)}


def _search(caller: Caller, pair: Pair) -> list[dict[str, Any]]:
    # PostgreSQL holds no NUL; what is longer than a query may be says nothing more.
    query = pair.query.replace("\0", "")[:1000]
    if not query.strip():
        return []
    asked = {"in_language": pair.language, "properties": pair.properties}
    given = {name: value for name, value in asked.items() if value is not None}
    return caller.call(
        "search_lookup", lookup=pair.table, query=query, k_final=_ROWS, threshold=0.0, **given
    )


def _answer(pair: Pair, rows: Sequence[dict[str, Any]]) -> Answer:
    right = (int(row["rank"]) for row in rows if row["id"] in pair.expected)
    first = rows[0] if rows else None
    return Answer(
        pair=pair,
        rank=next(right, None),
        score=float(first["score"]) if first else 0.0,
        matched=bool(first and first["match"]),
        found=tuple((row["id"], float(row["score"])) for row in rows),
    )
