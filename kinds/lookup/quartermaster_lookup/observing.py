"""Counts and logs requests to lookup tables, and sends a sample of the queries to the shadow."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final, Literal, NoReturn

import anyio

from quartermaster.core.errors import QmError
from quartermaster.core.logs import current_request_id, get_logger
from quartermaster.db import Database, Principal, Row
from quartermaster_lookup import api
from quartermaster_lookup.cache import LookupAnswer
from quartermaster_lookup.meters import LookupMeters

_EVERY_S: Final = 1.0
_LAST_WITHIN_S: Final = 3.0
_BATCH: Final = 2_000
_MOST_WAITING: Final = 50_000

Record = dict[str, Any]
_MAX_BATCHES_WAITING: Final = 20
_QUERIES: Final = 20
_LOGGED_CANDIDATES: Final = 5
_RAW_SCORES: Final = ("trgm", "cosine", "sem")
# The members of a query that api.shadow_lookups accepts. A query with other members cannot be
# compared.
_MEMBERS: Final = frozenset(
    {"query", "language", "domain", "properties", "strict", "threshold", "limit"}
)
Door = Literal["http", "mcp"]
log = get_logger(part="lookup")


class RequestLog:
    """Stores records of lookups in the database, in batches.

    In an outage, the records wait in memory. If more than 50,000 records are waiting, the oldest
    ones are dropped and counted.

    Args:
        database: the database with the log.
        meters: counters of dropped records.
    """

    def __init__(self, database: Database, meters: LookupMeters) -> None:
        self._database = database
        self._meters = meters
        self._waiting: deque[Record] = deque()

    def __len__(self) -> int:
        """Returns the number of waiting records."""
        return len(self._waiting)

    def add(self, records: list[Record]) -> None:
        """Adds records for service.record_lookups. Never blocks."""
        self._waiting.extend(records)
        self._drop(len(self._waiting) - _MOST_WAITING)

    async def run(self) -> NoReturn:
        """Writes records until it is cancelled. Then writes the remaining records."""
        try:
            while True:
                await anyio.sleep(_EVERY_S)
                await self.flush()
        finally:
            with anyio.move_on_after(_LAST_WITHIN_S, shield=True):
                await self.flush()

    async def flush(self) -> None:
        """Writes the waiting records. In an outage, they keep waiting."""
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(_BATCH, len(self._waiting)))]
            try:
                # The write is shielded from cancellation: after a cancellation, it would be unknown
                # whether the batch was written.
                with anyio.CancelScope(shield=True):
                    await self._database.call(api.record_lookups(requests=batch), None)
            except QmError as error:
                if error.status >= 500:
                    # The outage is not logged here, because another part of the service logs it
                    # once.
                    self._waiting.extendleft(reversed(batch))
                    self._drop(len(self._waiting) - _MOST_WAITING)
                else:
                    log.warning("lookups_not_recorded", queries=len(batch), error=str(error))
                    self._meters.unwritten.inc(len(batch))
                return

    def _drop(self, count: int) -> None:
        for _ in range(count):
            self._waiting.popleft()
        self._meters.unwritten.inc(max(count, 0))


def hash_of(query: str) -> str:
    """Returns the hash of a query for logs: SHA-256 in hexadecimal. Case and repeated spaces do not
    matter.
    """
    return sha256(" ".join(query.lower().split()).encode(errors="replace")).hexdigest()


def now() -> str:
    """Returns the current time in the format of the log records."""
    return datetime.now(UTC).isoformat()


@dataclass(frozen=True)
class Answered:
    """The answered queries of one request that were chosen for the shadow.

    Attributes:
        principal: the principal that sent the request.
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
    """Sends queries to the shadow, and completes their records.

    It handles only one request at a time, so that it does not slow down searches.

    Args:
        database: the database that contains the shadow.
        request_log: log that receives the completed records.
        meters: counters of answers that differ.
    """

    def __init__(self, database: Database, request_log: RequestLog, meters: LookupMeters) -> None:
        self._database = database
        self._log = request_log
        self._meters = meters
        self._waiting: deque[Answered] = deque()
        self._wake = anyio.Event()

    def draws(self, share: float, query: Mapping[str, Any]) -> bool:
        """Returns whether a query is sent to the shadow. The choice is random, and the query must
        have only members that the shadow accepts.
        """
        return random.random() < share and query.keys() <= _MEMBERS  # noqa: S311

    def ask(self, answered: Answered) -> None:
        """Queues queries for the shadow. Skips them if too many are waiting. Never blocks."""
        if len(self._waiting) < _MAX_BATCHES_WAITING:
            self._waiting.append(answered)
            self._wake.set()
            return
        self._meters.shadows.labels(answered.table, "skipped").inc(len(answered.queries))
        self._log.add(answered.records)

    async def run(self) -> NoReturn:
        """Sends queued queries to the shadow until it is cancelled."""
        while True:
            await self._wake.wait()
            self._wake = anyio.Event()
            while self._waiting:
                await self.answer(self._waiting.popleft())

    async def answer(self, answered: Answered) -> None:
        """Sends the queries to the shadow. If the shadow does not answer a query, the query is
        logged without the shadow's answer.
        """
        for start in range(0, len(answered.queries), _QUERIES):
            records = answered.records[start : start + _QUERIES]
            started = time.perf_counter()
            try:
                rows = await self._database.call(
                    api.shadow_lookups(
                        lookup=answered.table,
                        queries=answered.queries[start : start + _QUERIES],
                        active_only=answered.active_only,
                    ),
                    answered.principal,
                )
            except QmError as error:
                log.warning("shadow_failed", table=answered.table, error=str(error))
                rows = []
            each_ms = (time.perf_counter() - started) * 1000 / max(len(rows), 1)
            for row in rows:
                self._complete(answered.table, records[int(row["number"]) - 1], row, each_ms)
            self._log.add(records)

    def _complete(self, table: str, record: Record, row: api.ShadowLookupsRow, ms: float) -> None:
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


@dataclass(frozen=True)
class Request:
    """An answered request.

    Attributes:
        principal: the principal that sent the request.
        table: name of the table. None for all tables.
        door: door through which the request came.
        queries: the strings or objects that were sent.
        options: options that apply to all queries.
        profile: profile whose weights scored the answers.
        share: share of the queries that the shadow also answers, from 0 to 1.
        seconds: duration in seconds.
    """

    principal: Principal
    table: str | None
    door: Door
    queries: Sequence[str | Mapping[str, Any]]
    options: Mapping[str, object]
    profile: str
    share: float
    seconds: float


class Observer:
    """Counts and logs requests. Never blocks.

    Args:
        database: the database with the log.
        meters: counters for the metrics.
        keeps_queries: whether the log contains the queries themselves in addition to their hashes.

    Attributes:
        log: the request log, which the caller must run.
        shadow: the shadow, which the caller must run.
    """

    def __init__(self, database: Database, meters: LookupMeters, *, keeps_queries: bool) -> None:
        self._meters = meters
        self._keeps_queries = keeps_queries
        self.log = RequestLog(database, meters)
        self.shadow = Shadow(database, self.log, meters)

    def note(self, request: Request, answers: Sequence[LookupAnswer]) -> None:
        """Records a request and its answers. There is one answer per query."""
        self._meters.seconds.labels(request.door).observe(request.seconds)
        queries = [_as_object(query, request.table) for query in request.queries]
        pairs = zip(queries, answers, strict=True)
        records = [self._record(request, query, answer) for query, answer in pairs]
        self._tell(request, records)
        again: list[tuple[dict[str, Any], Record]] = []
        for query, answer, record in zip(queries, answers, records, strict=True):
            if _asks_table(request, answer) and self.shadow.draws(request.share, query):
                again.append((query, record))
            else:
                self.log.add([record])
        if request.table is not None and again:
            self.shadow.ask(
                Answered(
                    request.principal,
                    request.table,
                    request.options.get("active_only") is not False,
                    [query for query, _ in again],
                    [record for _, record in again],
                )
            )

    def _record(self, request: Request, query: Mapping[str, Any], answer: LookupAnswer) -> Record:
        first: Row = answer.rows[0] if answer.rows else {}
        table = first.get("lookup") or request.table
        outcome = _outcome(answer, first)
        self._meters.lookups.labels(table or "all", request.door, outcome).inc()
        text = query["query"]
        return {
            "at": now(),
            "table": table,
            "principal_id": request.principal.id,
            "door": request.door,
            "request_id": current_request_id(),
            "query_hash": hash_of(text),
            "query": text if self._keeps_queries else None,
            "k": _number(query.get("limit")) or request.options.get("k_final"),
            "profile": request.profile,
            "offered": [
                {
                    "rank": rank,
                    "name": row["id"],
                    "score": row["score"],
                    "scores": _raw(row["scores"]),
                }
                for rank, row in enumerate(answer.rows, start=1)
            ],
            "match": outcome == "match",
            "error": answer.error and answer.error["slug"],
            "is_cached": answer.is_cached,
            "duration_ms": request.seconds * 1000 / len(request.queries),
        }

    def _tell(self, request: Request, records: Sequence[Record]) -> None:
        single = records[0] if len(records) == 1 else {}
        single_query: dict[str, object] = {}
        if single:
            offered = single["offered"]
            single_query = {"query_hash": single["query_hash"], "rows": len(offered)}
            single_query["score"] = offered[0]["score"] if offered else None
            single_query["top"] = [
                {"id": each["name"], "score": each["score"], **each["scores"]}
                for each in offered[:_LOGGED_CANDIDATES]
            ]
        log.info(
            "lookups_answered",
            door=request.door,
            table=request.table,
            principal=request.principal.name,
            queries=len(records),
            cached=sum(record["is_cached"] for record in records),
            empty=sum(not record["offered"] for record in records),
            matched=sum(record["match"] for record in records),
            k=single.get("k", request.options.get("k_final")),
            duration_ms=round(request.seconds * 1000, 1),
            **single_query,
        )


def _asks_table(request: Request, answer: LookupAnswer) -> bool:
    """Returns whether the answer comes from a search of the database in a single table. The shadow
    can be compared only with such answers.
    """
    return request.table is not None and answer.error is None and not answer.is_cached


def _as_object(query: str | Mapping[str, Any], table: str | None) -> dict[str, Any]:
    # The client may have sent any value; the database has already reported the error.
    given = dict(query) if isinstance(query, Mapping) else {"query": query}
    if given.get("lookups") == [table]:
        # If the query names exactly this table as its type, the type does not restrict the query
        # further.
        del given["lookups"]
    text = given.get("query")
    return {**given, "query": text if isinstance(text, str) else ""}


def _raw(scores: Mapping[str, Any]) -> dict[str, float]:
    """Returns the scores of a row by channel. Leaves out the explanation, because the explanation
    may quote names.
    """
    return {name: scores[name] for name in _RAW_SCORES if scores.get(name) is not None}


def _number(limit: object) -> int | None:
    # Any other limit is invalid, and the database has refused it. Such a limit must not reach the
    # log, because the other rows of its batch could then not be written.
    return limit if type(limit) is int and 1 <= limit <= 100 else None


def _outcome(answer: LookupAnswer, first: Mapping[str, Any]) -> str:
    if answer.error is not None:
        return "refused"
    if not answer.rows:
        return "empty"
    return "match" if first["match"] else "found"
