"""Refines answers with models: a cross-encoder orders them, a language model chooses.

Neither model is required. If a model is not configured, late or broken, the answer stays unchanged
and a note says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, isfinite
from typing import Any, Final

from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.doors.reconcile.mcp.budget import budget
from quartermaster.service import Service

_FIRST: Final = 5
_STEEPEST: Final = 50.0
log = get_logger(part="reconcile")


class Refining:
    """Refines answers from search_lookup.

    Args:
        service: service that provides the reranker and the language model.
    """

    def __init__(self, service: Service) -> None:
        self._reranker = service.retriever.reranker
        self._finaliser = service.finaliser
        self._timeout_ms = service.settings.reconcile.rerank_timeout_ms

    @property
    def model(self) -> str:
        """Name of the cross-encoder; empty if there is none."""
        return self._reranker.model.name if self._reranker else ""

    async def scores(self, query: str, texts: Sequence[str]) -> list[float] | None:
        """Returns the cross-encoder's score for each text, from 0 to 1; None if there is no
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
                "Ask without it. The log shows the cause.",
            ) from error
        # Rows that were left out by an early exit have no score, because they are the worst
        # matches.
        return [_share(score) for score in raw] + [0.0] * (len(texts) - len(raw))

    async def rerank(self, answer: dict[str, Any], notes: list[str]) -> None:
        """Orders the first five candidates by their cross-encoder scores.

        Args:
            answer: answer from search_lookup, which is changed.
            notes: list to which the reason is appended if the answer was not reranked.
        """
        first, rest = answer["candidates"][:_FIRST], answer["candidates"][_FIRST:]
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
        """Adds the language model's choice among the first candidates, with the model's reason.

        Args:
            answer: answer from search_lookup, which is changed.
            notes: list to which the reason is appended if no choice was made.
            context: description of what the string is about.
        """
        if self._finaliser is None:
            notes.append("Not finalised: no language model is configured (reconcile.llm).")
            return
        candidates: list[dict[str, Any]] = answer["candidates"]
        try:
            chosen = await self._finaliser.choose(
                answer["query"], [_called(candidate) for candidate in candidates], context
            )
        except QmError as error:
            log.warning("not_finalised", error=error.slug, message=error.message)
            notes.append(f"Not finalised: {error.message}")
            return
        log.info(
            "finalised",
            model=chosen.model,
            chosen=len(chosen.choices),
            repaired=chosen.is_repaired,
            tokens=chosen.input_tokens + chosen.output_tokens,
            elapsed_ms=chosen.elapsed_ms,
        )
        answer["final"] = {
            "model": chosen.model,
            "choices": [
                {name: candidates[choice.index][name] for name in ("id", "value", "score")}
                | {"reason": choice.reason}
                for choice in chosen.choices
            ],
            "repaired": chosen.is_repaired,
            "tokens": chosen.input_tokens + chosen.output_tokens,
            "elapsed_ms": chosen.elapsed_ms,
        }


def _share(score: float) -> float:
    return 1 / (1 + exp(-max(min(score, _STEEPEST), -_STEEPEST))) if isfinite(score) else 0.0


def _called(candidate: Mapping[str, Any]) -> str:
    value, name = candidate["value"], candidate["name"]
    return value if name == value else f"{value} (also: {name})"
