"""Counts and logs requests to lookup tables, and samples some for the shadow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from quartermaster.core.logs import current_request_id, get_logger
from quartermaster.core.meters import Meters
from quartermaster.db import Database, Principal
from quartermaster.lookup.cache import Answer
from quartermaster.lookup.request_log import Record, RequestLog, hash_of, now
from quartermaster.lookup.shadow import Answered, Shadow

Door = Literal["http", "mcp"]

log = get_logger(part="lookup")


@dataclass(frozen=True)
class Request:
    """An answered request.

    Attributes:
        principal: the principal that asked.
        table: name of the table; None for all tables.
        door: door of the request.
        queries: the strings or objects that were sent.
        options: options for all queries.
        profile: profile whose weights scored the answers.
        share: share of queries that the shadow also answers, 0 to 1.
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
    """Counts and logs requests; never blocks.

    Args:
        database: the database with the log.
        meters: counters for the metrics.
        keeps_queries: whether the log contains the queries
            themselves besides their hashes.

    Attributes:
        log: the request log, which the caller must run.
        shadow: the shadow, which the caller must run.
    """

    def __init__(self, database: Database, meters: Meters, *, keeps_queries: bool) -> None:
        self._meters = meters
        self._keeps_queries = keeps_queries
        self.log = RequestLog(database, meters)
        self.shadow = Shadow(database, self.log, meters)

    def note(self, request: Request, answers: Sequence[Answer]) -> None:
        """Record a request and its answers, one for each query."""
        self._meters.lookup_seconds.labels(request.door).observe(request.seconds)
        queries = [_as_object(query, request.table) for query in request.queries]
        told = zip(queries, answers, strict=True)
        records = [self._record(request, query, answer) for query, answer in told]
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

    def _record(self, request: Request, query: Mapping[str, Any], answer: Answer) -> Record:
        first = answer.rows[0] if answer.rows else {}
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
                {"rank": rank, "name": row["id"], "score": row["score"]}
                for rank, row in enumerate(answer.rows, start=1)
            ],
            "match": outcome == "match",
            "error": answer.error and answer.error["slug"],
            "is_cached": answer.is_cached,
            "duration_ms": request.seconds * 1000 / len(request.queries),
        }

    def _tell(self, request: Request, records: Sequence[Record]) -> None:
        single = records[0] if len(records) == 1 else {}
        told: dict[str, object] = {}
        if single:
            offered = single["offered"]
            told = {"query_hash": single["query_hash"], "rows": len(offered)}
            told["score"] = offered[0]["score"] if offered else None
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
            **told,
        )


def _asks_table(request: Request, answer: Answer) -> bool:
    """Tell whether the database searched a single table, so that the shadow can search it too."""
    return request.table is not None and answer.error is None and not answer.is_cached


def _as_object(query: str | Mapping[str, Any], table: str | None) -> dict[str, Any]:
    # The client may send anything; the database has already reported the error.
    given = dict(query) if isinstance(query, Mapping) else {"query": query}
    if given.get("lookups") == [table]:
        # If the query names exactly this table as its type, the type is not a condition.
        del given["lookups"]
    text = given.get("query")
    return {**given, "query": text if isinstance(text, str) else ""}


def _number(limit: object) -> int | None:
    # Any other limit has been refused. It must not affect other rows in the log.
    return limit if type(limit) is int and 1 <= limit <= 100 else None


def _outcome(answer: Answer, first: Mapping[str, Any]) -> str:
    if answer.error is not None:
        return "refused"
    if not answer.rows:
        return "empty"
    return "match" if first["match"] else "found"
