"""Embeds texts for many tasks in one event loop, and caches goals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from quartermaster.models.batcher import Batcher
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster_db.sentences import goal_parts

MAX_BATCH = 32
_REMEMBERED_GOALS = 1_000


class AsyncEmbedder:
    """Encodes without blocking the event loop.

    Requests that are waiting at the same time share one model call, which uses its threads better
    than separate calls. A long list is split into parts, so that a query can be embedded in
    between.

    Args:
        model: the model, which one worker thread uses at a time.
        max_batch: largest number of texts in one model call.
        remembered: number of cached goals; the most recently used ones are kept. Each takes 4 bytes
            per dimension.

    Attributes:
        model: the model that computes the vectors.
        batcher: combines waiting requests into one call.
        hits, misses: number of goals that were found in the cache, and that were not.
    """

    def __init__(
        self,
        model: EmbeddingModel,
        max_batch: int = MAX_BATCH,
        remembered: int = _REMEMBERED_GOALS,
    ) -> None:
        self.hits = self.misses = 0
        self._max_batch = max_batch
        self._remembered = remembered
        self.use(model)

    def use(self, model: EmbeddingModel) -> None:
        """Use this model from now on; running calls finish with the old one."""
        self.model = model
        self._goals: LRUCache[str, NDArray[np.float32]] = LRUCache(self._remembered)
        self.batcher = Batcher(model.embed, max_batch=self._max_batch, name="embedding")

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed catalog texts: float32 [len(texts), dimension]; each vector has L2 norm 1."""
        return await self._embed(self.model.passage_prefix, texts)

    async def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed many queries without caching them; the result has the same form as from `embed`."""
        return await self._embed(self.model.query_prefix, texts)

    async def embed_goal(self, goal: str) -> NDArray[np.float32]:
        """Return the joined vectors of a goal and its sentences (see `goal_parts`).

        Returns:
            float32 [parts * dimension]; each part has L2 norm 1.
        """
        if (known := self._goals.get(goal)) is not None:
            self.hits += 1
            return known
        self.misses += 1
        goals = self._goals
        parts = [self.model.query_prefix + part for part in goal_parts(goal)]
        vector = (await self.batcher.run(parts)).ravel()
        if self._remembered:
            goals[goal] = vector
        return vector

    async def _embed(self, prefix: str, texts: Sequence[str]) -> NDArray[np.float32]:
        batcher, dimension = self.batcher, self.model.dimension
        parts = [
            await batcher.run([prefix + text for text in texts[start : start + self._max_batch]])
            for start in range(0, len(texts), self._max_batch)
        ]
        return np.concatenate([np.empty((0, dimension), np.float32), *parts])
