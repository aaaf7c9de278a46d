"""Answers calls of the lookup tools that all users see."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from math import exp, isfinite
from typing import Any, Final

import anyio

from quartermaster.core.api_call import without_none
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.db import Principal, Row
from quartermaster.service import Service
from quartermaster_lookup import api
from quartermaster_lookup.finaliser import Input, finalise
from quartermaster_lookup.part import Lookups
from quartermaster_lookup.settings import Reconcile

Answer = dict[str, Any]
Arguments = Mapping[str, Any]
_FIRST_CANDIDATES: Final = 5
_MAX_LOG_ODDS: Final = 50.0
log = get_logger(part="reconcile")


@contextmanager
def budget(step: str, most_ms: int) -> Generator[None]:
    """Cancels the block if it exceeds its time limit.

    Args:
        step: name of the step (search or rerank), for the error.
        most_ms: time limit in milliseconds.

    Raises:
        QmError: QM504 timeout.
    """
    try:
        with anyio.fail_after(most_ms / 1000):
            yield
    except TimeoutError:
        raise QmError(
            504,
            "timeout",
            f"The step {step} took longer than its budget of {most_ms} ms.",
            f"Request fewer candidates, or raise reconcile.{step}_timeout_ms.",
        ) from None


class Answering:
    """Answers the tools. The database finds and ranks rows, and decides which row is a match.
    Models only reorder rows and choose among them.

    Args:
        service: service that provides the lookup tables, the reranker and the language model.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._options = service.settings.of(Reconcile)
        self._refining = Refining(service)
        self._of = {
            "search_lookup": self._search,
            "rerank": self._rerank,
            "get_by_id": self._get_by_id,
            "normalize": self._normalize,
        }

    async def answer(self, name: str, principal: Principal, arguments: Arguments) -> Answer:
        """Answers a tool call.

        Args:
            name: name of the tool.
            principal: principal that calls the tool.
            arguments: the arguments, which must match the tool's schema.

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
        query = without_none(
            query=arguments["query"],
            language=arguments.get("language"),
            threshold=arguments.get("threshold"),
            limit=min(limits["k_final"], wanted.get("limit", 20)),
            **arguments.get("filters", {}),
        )
        with budget("search", self._options.search_timeout_ms):
            [found] = await self._service.parts[Lookups].answers.search(
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
        if found.retired:
            answer["meta"] = {"retired": list(found.retired)}
        notes: list[str] = []
        if arguments.get("rerank"):
            await self._refining.rerank(answer, notes)
        if arguments.get("finalize"):
            await self._refining.finalize(answer, notes, arguments.get("context"))
        return answer | ({"notes": notes} if notes else {})

    async def _add_aliases(self, principal: Principal, answer: Answer) -> None:
        ids = [candidate["id"] for candidate in answer["candidates"]]
        rows = await self._service.database.call(
            api.get_by_ids(lookup=answer["table"], ids=ids), principal
        )
        of = {row["id"]: row["aliases"] for row in rows}
        for candidate in answer["candidates"]:
            candidate["aliases"] = of.get(candidate["id"], [])

    async def _rerank(self, principal: Principal, arguments: Arguments) -> Answer:
        query, given = arguments["query"], arguments["candidates"]
        with budget("rerank", self._options.rerank_timeout_ms):
            # The database is always called, because it refuses tables that the caller may not see.
            rows = await self._service.database.call(
                api.rerank_lookup(query=query, candidates=given, lookup=arguments.get("table")),
                principal,
            )
            scores = await self._refining.scores(query, [row["value"] for row in rows])
        names = ("id", "value", "score")
        results: list[Answer] = [{name: row[name] for name in names} for row in rows]
        model = rows[0]["model"] if rows else "none"
        if scores is not None:
            results = [each | {"score": score} for each, score in zip(results, scores, strict=True)]
            results.sort(key=lambda each: -each["score"])
            model = self._refining.model
        return {"query": query, "results": results[: arguments.get("k", 5)], "model": model}

    async def _get_by_id(self, principal: Principal, arguments: Arguments) -> Answer:
        with budget("search", self._options.search_timeout_ms):
            row = await self._service.database.call_one(
                api.get_by_id(lookup=arguments["table"], row_id=arguments["id"]), principal
            )
        times = {
            "created_at": row["created_at"].isoformat(),
            "updated_at": row["updated_at"].isoformat(),
        }
        shown = {name: value for name, value in row.items() if name not in times}
        # If the provenance itself contains these times, they take precedence over the loading
        # times.
        return shown | {"provenance": times | row["provenance"]}

    async def _normalize(self, principal: Principal, arguments: Arguments) -> Answer:
        text = await self._service.database.call_value(
            api.normalize(text=arguments["text"], ops=arguments.get("ops")), principal
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
            # A negative cosine is treated as zero.
            "sem": None if sem is None else max(sem, 0.0),
            "blend": row["score"],
            **({"language": scores["language"]} if "language" in scores else {}),
        }
    return candidate


class Refining:
    """Improves the answer of search_lookup with a reranker or a language model.

    Args:
        service: service that provides the reranker and the language model.
    """

    def __init__(self, service: Service) -> None:
        self._reranker = service.retriever.reranker
        self._finaliser = service.parts[Lookups].finaliser
        self._timeout_ms = service.settings.of(Reconcile).rerank_timeout_ms

    @property
    def model(self) -> str:
        """The name of the cross-encoder. Empty if there is none."""
        return self._reranker.model.name if self._reranker else ""

    async def scores(self, query: str, texts: Sequence[str]) -> list[float] | None:
        """Returns the cross-encoder's score for each text, from 0 to 1. Returns None if there is no
        cross-encoder.

        Raises:
            QmError: QM503 reranker_failed.
        """
        if self._reranker is None:
            return None
        try:
            raw: list[float] = (await self._reranker.score(query, texts)).tolist()
        except Exception as error:
            log.warning("rerank_failed", model=self.model, error=str(error))
            raise QmError(
                503,
                "reranker_failed",
                "The reranker did not answer.",
                "Repeat the request without reranking. The log shows the cause.",
            ) from error
        # An early exit leaves out the worst matches, so these rows have no score.
        return [_share(score) for score in raw] + [0.0] * (len(texts) - len(raw))

    async def rerank(self, answer: dict[str, Any], notes: list[str]) -> None:
        """Sorts the first five candidates by the scores of the cross-encoder.

        Args:
            answer: answer of search_lookup. It is changed.
            notes: list of notes. If the answer cannot be reranked, the reason is appended.
        """
        first, rest = (
            answer["candidates"][:_FIRST_CANDIDATES],
            answer["candidates"][_FIRST_CANDIDATES:],
        )
        try:
            with budget("rerank", self._timeout_ms):
                scores = await self.scores(answer["query"], [each["name"] for each in first])
        except QmError as error:
            notes.append(f"Not reranked: {error.message}")
            return
        if scores is None:
            notes.append("Not reranked: no reranker is configured.")
            return
        for candidate, score in zip(first, scores, strict=True):
            candidate.get("raw_scores", {})["rerank"] = score
        ordered = sorted(zip(scores, first, strict=True), key=lambda pair: -pair[0])
        answer["candidates"] = [candidate for _, candidate in ordered] + rest
        answer["reranked_by"] = self.model

    async def finalize(self, answer: dict[str, Any], notes: list[str], context: str | None) -> None:
        """Adds the language model's choices among the first candidates, with the model's reasons.

        Args:
            answer: answer of search_lookup. It is changed.
            notes: list of notes. If the model does not choose, the reason is appended.
            context: description of the string and its subject.
        """
        asked = Input(answer["query"], answer["candidates"])
        [outcome] = await finalise(self._finaliser, answer["table"], [asked], context)
        if outcome.note is not None:
            notes.append(outcome.note)
        if outcome.chosen is None:
            return
        final = outcome.final(outcome.chosen, asked.rows, "id", "value", "score")
        answer["final"] = final | {"elapsed_ms": outcome.chosen.elapsed_ms}


def _share(score: float) -> float:
    return (
        1 / (1 + exp(-max(min(score, _MAX_LOG_ODDS), -_MAX_LOG_ODDS))) if isfinite(score) else 0.0
    )
