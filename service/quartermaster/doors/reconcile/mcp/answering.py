"""Answers the tools that everybody sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quartermaster.core.errors import QmError
from quartermaster.db import Principal, Row
from quartermaster.doors.reconcile.mcp.budget import budget
from quartermaster.doors.reconcile.mcp.refining import Refining
from quartermaster.doors.reconcile.mcp.tools import GET_BY_ID, NORMALIZE, RERANK, SEARCH_LOOKUP
from quartermaster.service import Service

Answer = dict[str, Any]
Arguments = Mapping[str, Any]


class Answering:
    """Answers the tools. The database finds, ranks and decides; models only order and choose.

    Args:
        service: service that provides the lookup tables, the reranker and the language model.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._options = service.settings.reconcile
        self._refining = Refining(service)
        self._of = {
            SEARCH_LOOKUP: self._search,
            RERANK: self._rerank,
            GET_BY_ID: self._get_by_id,
            NORMALIZE: self._normalize,
        }

    async def answer(self, name: str, principal: Principal, arguments: Arguments) -> Answer:
        """Answers a tool call.

        Args:
            name: name of the tool.
            principal: principal that calls the tool.
            arguments: arguments, which must match the tool's schema.

        Raises:
            QmError: QM504 timeout, QM429 rate_limited, and the errors of the database.
        """
        return await self._of[name](principal, arguments)

    async def _search(self, principal: Principal, arguments: Arguments) -> Answer:
        wanted: Mapping[str, Any] = arguments.get("return", {})
        limits = {
            "k_fuzzy": arguments.get("k_fuzzy", 30),
            "k_sem": arguments.get("k_sem", 30),
            "k_final": arguments.get("k_final", 20),
        }
        query = _given(
            query=arguments["query"],
            language=arguments.get("language"),
            threshold=arguments.get("threshold"),
            limit=min(limits["k_final"], wanted.get("limit", 20)),
            **arguments.get("filters", {}),
        )
        with budget("search", self._options.search_timeout_ms):
            [found] = await self._service.lookups.search(
                principal,
                arguments["table"],
                [query],
                door="mcp",
                k_fuzzy=limits["k_fuzzy"],
                k_sem=limits["k_sem"],
                active_only=arguments.get("active_only", True),
            )
        if found.error is not None:
            hint = found.error["hint"] or "Correct the query and try again."
            raise QmError(422, found.error["slug"], found.error["message"], hint)
        candidates = [_candidate(row, wanted) for row in found.rows]
        answer: Answer = {
            "table": arguments["table"],
            "query": arguments["query"],
            "candidates": candidates,
            "limits": limits,
        }
        if wanted.get("aliases"):
            await self._add_aliases(principal, answer)
        notes: list[str] = []
        if arguments.get("rerank"):
            await self._refining.rerank(answer, notes)
        if arguments.get("finalize"):
            await self._refining.finalize(answer, notes, arguments.get("context"))
        return answer | ({"notes": notes} if notes else {})

    async def _add_aliases(self, principal: Principal, answer: Answer) -> None:
        ids = [candidate["id"] for candidate in answer["candidates"]]
        rows = await self._service.database.call(
            "get_by_ids", principal, lookup=answer["table"], ids=ids
        )
        of = {row["id"]: row["aliases"] for row in rows}
        for candidate in answer["candidates"]:
            candidate["aliases"] = of.get(candidate["id"], [])

    async def _rerank(self, principal: Principal, arguments: Arguments) -> Answer:
        query, given = arguments["query"], arguments["candidates"]
        with budget("rerank", self._options.rerank_timeout_ms):
            # The database is always asked, so that a table that the caller may not see is refused.
            rows = await self._service.database.call(
                "rerank_lookup",
                principal,
                query=query,
                candidates=given,
                **_given(lookup=arguments.get("table")),
            )
            scores = await self._refining.scores(query, [row["value"] for row in rows])
        names = ("id", "value", "score")
        results = [{name: row[name] for name in names} for row in rows]
        model = rows[0]["model"] if rows else "none"
        if scores is not None:
            results = [each | {"score": score} for each, score in zip(results, scores, strict=True)]
            results.sort(key=lambda each: -each["score"])
            model = self._refining.model
        return {"query": query, "results": results[: arguments.get("k", 5)], "model": model}

    async def _get_by_id(self, principal: Principal, arguments: Arguments) -> Answer:
        with budget("search", self._options.search_timeout_ms):
            row = await self._service.database.call_one(
                "get_by_id", principal, lookup=arguments["table"], row_id=arguments["id"]
            )
        times = {name: row.pop(name).isoformat() for name in ("created_at", "updated_at")}
        # If the provenance itself contains these times, they take precedence over the loading
        # times.
        return row | {"provenance": times | row["provenance"]}

    async def _normalize(self, principal: Principal, arguments: Arguments) -> Answer:
        text = await self._service.database.call_value(
            "normalize", principal, text=arguments["text"], **_given(ops=arguments.get("ops"))
        )
        return {"result": text}


def _candidate(row: Row, wanted: Mapping[str, Any]) -> Answer:
    names = ("id", "value", "name", "score", "match", "language", "active")
    candidate: Answer = {name: row[name] for name in names}
    if wanted.get("raw_scores", True):
        scores: Mapping[str, float | None] = row["scores"]
        sem = scores.get("sem")
        candidate["raw_scores"] = {
            "trgm": scores["trgm"],
            # A cosine may be negative, which counts as zero.
            "sem": None if sem is None else max(sem, 0.0),
            "blend": row["score"],
        }
    return candidate


def _given(**arguments: object) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if value is not None}
