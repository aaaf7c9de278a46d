"""Reranks for many tasks in one event loop, and stops when the order is settled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quartermaster.models.batcher import Batcher
from quartermaster.models.reranker import Reranker

MAX_BATCH = 32


@dataclass(frozen=True)
class EarlyExit:
    """The condition to stop scoring texts, which are in the order of the first stage, best first.

    Texts are scored `step` at a time. After a step, the remaining texts are skipped if the best
    score in that step is at least `margin` below the `keep`-th best of all scores: no text in a
    whole step came close to the first `keep`, and later texts are not expected to either. This is a
    heuristic, not a proof, so it is off unless a margin is set for the model.

    Attributes:
        margin: margin on the model's own scale.
        keep: number of first ranks that matter, at least as many as a mode shows.
        step: number of texts scored at a time.
    """

    margin: float
    keep: int = 10
    step: int = 8

    def is_settled(self, scores: Sequence[float]) -> bool:
        """Tell whether the scores so far settle the first `keep` ranks."""
        if len(scores) <= self.keep:
            return False
        last = sorted(scores, reverse=True)[self.keep - 1]
        return max(scores[-self.step :]) <= last - self.margin


class AsyncReranker:
    """Scores without blocking the event loop.

    Requests that are waiting at the same time share one model call.

    Args:
        model: the model, used by at most `calls` worker threads.
        early_exit: when to stop early; None scores every text.
        max_batch: largest number of pairs in one model call.
        calls: number of simultaneous model calls.

    Attributes:
        model: the reranker.
        batcher: combines waiting requests into one call.
    """

    def __init__(
        self,
        model: Reranker,
        early_exit: EarlyExit | None = None,
        max_batch: int = MAX_BATCH,
        calls: int = 1,
    ) -> None:
        self.model = model
        self._early_exit = early_exit
        self._step = early_exit.step if early_exit else max_batch
        self.batcher = Batcher(
            model.score_pairs, max_batch=max_batch, threads=calls, name="reranking"
        )

    async def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Score how well each text fits the query; higher is better.

        Args:
            query: the goal.
            texts: texts in the order of the first stage, best first.

        Returns:
            float32 [len(texts)], or shorter: texts after an early exit have no score.
        """
        scores = np.empty(0, np.float32)
        for start in range(0, len(texts), self._step):
            part = [(query, text) for text in texts[start : start + self._step]]
            scores = np.concatenate([scores, await self.batcher.run(part)])
            if self._early_exit and self._early_exit.is_settled(scores.tolist()):
                break
        return scores
