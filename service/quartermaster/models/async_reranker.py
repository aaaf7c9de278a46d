"""Reranks for many tasks of one event loop, and stops where the order is settled."""

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
    """When to stop scoring texts that come in the order of the first stage, best first.

    Texts are scored `step` at a time. After a step the rest is left out if the best of that step
    lies at least `margin` below the `keep`-th best of all: a whole step brought nothing near the
    first `keep`, and what the first stage ranks behind it is not expected to. That is a wager,
    not a proof, hence off unless a margin is set for the model at hand.

    Attributes:
        margin: in the model's own scale.
        keep: how many of the first ranks matter: at least what a mode shows.
        step: texts scored at a time.
    """

    margin: float
    keep: int = 10
    step: int = 8

    def is_settled(self, scores: Sequence[float]) -> bool:
        """Whether the scores so far settle the first `keep` ranks."""
        if len(scores) <= self.keep:
            return False
        last = sorted(scores, reverse=True)[self.keep - 1]
        return max(scores[-self.step :]) <= last - self.margin


class AsyncReranker:
    """Scores without blocking the event loop.

    Requests that wait at the same time share one call of the model.

    Args:
        model: used by as many worker threads as `calls` says.
        early_exit: None scores every text.
        max_batch: pairs in one call of the model.
        calls: of the model at a time.

    Attributes:
        model: which reads.
        batcher: gives it what waits at the same time.
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
        """How well each text fits the query, more is better.

        Args:
            query: the goal.
            texts: in the order of the first stage, best first.

        Returns:
            float32 [len(texts)], or shorter: those behind an early exit have no score.
        """
        scores = np.empty(0, np.float32)
        for start in range(0, len(texts), self._step):
            part = [(query, text) for text in texts[start : start + self._step]]
            scores = np.concatenate([scores, await self.batcher.run(part)])
            if self._early_exit and self._early_exit.is_settled(scores.tolist()):
                break
        return scores
