"""The shadow of a lookup table: other weights that answer after the reply was sent."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

import anyio

from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.core.meters import Meters
from quartermaster.db import Database, Principal, Row
from quartermaster.lookup.request_log import Record, RequestLog

_MOST: Final = 20
_QUERIES: Final = 20
# The members of a query that api.shadow_lookups knows. A query with other members cannot be
# compared.
_MEMBERS: Final = frozenset(
    {"query", "language", "domain", "properties", "strict", "threshold", "limit"}
)

log = get_logger(part="lookup")


@dataclass(frozen=True)
class Answered:
    """Answered queries in one request that were sampled for the shadow.

    Attributes:
        principal: the principal that asked.
        table: name of the table.
        active_only: whether only active rows were searched.
        queries: objects for api.shadow_lookups.
        records: log records of the queries, in the same order.
    """

    principal: Principal
    table: str
    active_only: bool
    queries: list[dict[str, Any]]
    records: list[Record]


class Shadow:
    """Asks the shadow and completes the records; one request at a time, so that no search waits.

    Args:
        database: the database that answers.
        request_log: log that receives the completed records.
        meters: counters of differing answers.
    """

    def __init__(self, database: Database, request_log: RequestLog, meters: Meters) -> None:
        self._database = database
        self._log = request_log
        self._meters = meters
        self._waiting: deque[Answered] = deque()
        self._wake = anyio.Event()

    def draws(self, share: float, query: Mapping[str, Any]) -> bool:
        """Tell whether a query belongs to the share for the shadow."""
        return random.random() < share and query.keys() <= _MEMBERS  # noqa: S311

    def ask(self, answered: Answered) -> None:
        """Queue queries for the shadow, or skip them if too many are waiting; never blocks."""
        if len(self._waiting) < _MOST:
            self._waiting.append(answered)
            self._wake.set()
            return
        self._meters.shadows.labels(answered.table, "skipped").inc(len(answered.queries))
        self._log.add(answered.records)

    async def run(self) -> NoReturn:
        """Work until cancelled."""
        while True:
            await self._wake.wait()
            self._wake = anyio.Event()
            while self._waiting:
                await self.answer(self._waiting.popleft())

    async def answer(self, answered: Answered) -> None:
        """Ask the shadow; a query that it does not answer is logged without an answer."""
        for start in range(0, len(answered.queries), _QUERIES):
            records = answered.records[start : start + _QUERIES]
            started = time.perf_counter()
            try:
                rows = await self._database.call(
                    "shadow_lookups",
                    answered.principal,
                    lookup=answered.table,
                    queries=answered.queries[start : start + _QUERIES],
                    active_only=answered.active_only,
                )
            except QmError as error:
                log.warning("shadow_failed", table=answered.table, error=str(error))
                rows = list[Row]()
            each_ms = (time.perf_counter() - started) * 1000 / max(len(rows), 1)
            for row in rows:
                self._complete(answered.table, records[int(row["number"]) - 1], row, each_ms)
            self._log.add(records)

    def _complete(self, table: str, record: Record, row: Mapping[str, Any], ms: float) -> None:
        record["shadow"] = {
            "profile": row["profile"],
            "key": row["id"],
            "score": row["score"],
            "match": row["match"],
            "ms": ms,
        }
        first = record["offered"][0]["name"] if record["offered"] else None
        outcome = "same" if row["id"] == first else "other"
        self._meters.shadows.labels(table, outcome).inc()
