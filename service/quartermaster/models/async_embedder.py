"""Encodes for many tasks of one event loop in one worker thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import anyio
import anyio.to_thread
import numpy as np
from numpy.typing import NDArray

from quartermaster.models.embedding_model import EmbeddingModel

MAX_BATCH = 32


@dataclass(eq=False)
class _Request:
    texts: Sequence[str]
    vectors: NDArray[np.float32] | None = None
    error: Exception | None = None


class AsyncEmbedder:
    """Encodes without blocking the event loop.

    Requests that wait at the same time share one call of the model, which uses its threads
    better than one call each. A long list goes in parts, so that a query gets in between.

    Args:
        model: used by one worker thread at a time.
        max_batch: texts in one call of the model.
    """

    def __init__(self, model: EmbeddingModel, max_batch: int = MAX_BATCH) -> None:
        self.model = model
        self._max_batch = max_batch
        self._waiting: list[_Request] = []
        self._turn = anyio.Lock()
        # Its own thread: encoding never waits for threads that other parts of the service hold.
        self._limiter = anyio.CapacityLimiter(1)

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts: float32 [len(texts), dimension], each of L2 norm 1, in their order."""
        parts = [
            await self._embed_part(texts[start : start + self._max_batch])
            for start in range(0, len(texts), self._max_batch)
        ]
        return np.concatenate([np.empty((0, self.model.dimension), np.float32), *parts])

    async def _embed_part(self, texts: Sequence[str]) -> NDArray[np.float32]:
        request = _Request(texts)
        self._waiting.append(request)
        try:
            # Whoever has the turn encodes for those behind it, who then find their vectors there.
            async with self._turn:
                if request in self._waiting:
                    await self._run_batch()
        finally:
            if request in self._waiting:
                self._waiting.remove(request)
        if request.error is not None:
            raise request.error
        assert request.vectors is not None
        return request.vectors

    async def _run_batch(self) -> None:
        batch = self._take_batch()
        texts = [text for request in batch for text in request.texts]
        try:
            vectors = await anyio.to_thread.run_sync(self.model.embed, texts, limiter=self._limiter)
            start = 0
            for request in batch:
                request.vectors = vectors[start : start + len(request.texts)]
                start += len(request.texts)
        except Exception as error:  # noqa: BLE001 - it is every waiting caller's to handle
            for request in batch:
                request.error = error
        # Only now: a turn that is cancelled before leaves its batch to the next one.
        self._waiting = [request for request in self._waiting if request not in batch]

    def _take_batch(self) -> list[_Request]:
        batch, size = self._waiting[:1], len(self._waiting[0].texts)
        for request in self._waiting[1:]:
            size += len(request.texts)
            if size > self._max_batch:
                break
            batch.append(request)
        return batch
