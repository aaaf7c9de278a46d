"""Lets many tasks in one event loop share models. Requests are combined into batches, and goals
that were embedded are cached.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, TypeVar

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.models.reranker import Reranker

Item = TypeVar("Item")
Rows = NDArray[np.float32]
MAX_BATCH = 32
_REMEMBERED_GOALS = 1_000


@dataclass(eq=False)
class _Request(Generic[Item]):
    items: Sequence[Item]
    rows: Future[Rows] = field(default_factory=Future[Rows])


class Batcher(Generic[Item]):
    """Combines requests that are waiting at the same time into one model call.

    The batcher has its own threads, so a model never waits for threads that other parts of the
    service use. A cancelled caller returns immediately. Requests whose caller was cancelled are not
    started, and running calls continue for the other callers.

    Principals take turns. At most one call at a time is made for each principal, so that other
    threads are free for the other principals.

    Args:
        model: function that returns a row of numbers for each item, in the order of the items.
        max_batch: largest number of items in one call; a longer request gets its own call.
        threads: number of simultaneous calls.
        name: name of the threads.

    Attributes:
        calls, items: number of model calls and of items so far.
    """

    def __init__(
        self,
        model: Callable[[Sequence[Item]], Rows],
        *,
        max_batch: int,
        threads: int = 1,
        name: str = "model",
    ) -> None:
        self.calls = self.items = 0
        self._model = model
        self._max_batch = max_batch
        # The lines are in the order of their turns. A request of nobody has a line of its own.
        self._lines: dict[str | _Request[Item], deque[_Request[Item]]] = {}
        self._running: set[str | _Request[Item]] = set()
        self._lock = Lock()
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)

    def __len__(self) -> int:
        """Returns the number of waiting requests."""
        with self._lock:
            return sum(map(len, self._lines.values()))

    async def run(self, items: Sequence[Item], who: str | None = None) -> Rows:
        """Returns one row for each item, in the order of the items. Raises the model's errors.

        Args:
            items: the items.
            who: name of the principal who waits for the rows; None if there is no principal.
        """
        request = _Request(items)
        with self._lock:
            self._lines.setdefault(who or request, deque()).append(request)
        # Each request starts one turn. A turn whose request was already handled by another turn
        # ends immediately.
        self._threads.submit(self._take_turns)
        return await asyncio.wrap_future(request.rows)

    def _take_turns(self) -> None:
        """Calls the model until no requests are waiting. If another thread is calling the model for
        a principal, that thread also handles the other requests of this principal.
        """
        while whose := self._take_batch():
            try:
                self._call_model([request for requests in whose.values() for request in requests])
            finally:
                with self._lock:
                    self._running -= whose.keys()

    def _call_model(self, batch: Sequence[_Request[Item]]) -> None:
        items = [item for request in batch for item in request.items]
        with self._lock:
            self.calls += 1
            self.items += len(items)
        try:
            rows = self._model(items)
        except Exception as error:  # noqa: BLE001 - it is every waiting caller's to handle
            for request in batch:
                request.rows.set_exception(error)
            return
        start = 0
        for request in batch:
            end = start + len(request.items)
            request.rows.set_result(rows[start:end])
            start = end

    def _take_batch(self) -> dict[str | _Request[Item], list[_Request[Item]]]:
        """Removes the next requests that fit into one call from the queues; drops cancelled
        requests. Returns the requests by their queue.
        """
        batch: dict[str | _Request[Item], list[_Request[Item]]] = {}
        size = 0
        with self._lock:
            while free := [whose for whose in self._lines if whose not in self._running]:
                whose = free[0]
                size += len(self._lines[whose][0].items)
                if batch and size > self._max_batch:
                    break
                line = self._lines.pop(whose)
                request = line.popleft()
                if line:
                    self._lines[whose] = line
                if request.rows.set_running_or_notify_cancel():
                    batch.setdefault(whose, []).append(request)
                else:
                    size -= len(request.items)
            self._running |= batch.keys()
        return batch


class AsyncEmbedder:
    """Embeds texts without blocking the event loop.

    Requests that are waiting at the same time share one model call, which uses its threads better
    than separate calls. A long list is split into parts, so that a query can be embedded in
    between.

    Args:
        model: the model, which at most `calls` worker threads use at a time.
        max_batch: largest number of texts in one model call.
        remembered: number of cached goals; the most recently used goals are kept. Each goal needs 4
            bytes per dimension.
        calls: number of simultaneous model calls. With two, the long texts of one principal do not
            delay the requests of others.

    Attributes:
        model: the model that computes the vectors.
        batcher: object that combines waiting requests into one call.
        hits, misses: numbers of goals that were found in the cache, and that were not.
    """

    def __init__(
        self,
        model: EmbeddingModel,
        max_batch: int = MAX_BATCH,
        remembered: int = _REMEMBERED_GOALS,
        calls: int = 1,
    ) -> None:
        self.hits = self.misses = 0
        self._max_batch = max_batch
        self._calls = calls
        self._remembered = remembered
        self.use(model)

    def use(self, model: EmbeddingModel) -> None:
        """Replaces the model. Running calls finish with the old model."""
        self.model = model
        self._goals: LRUCache[str, NDArray[np.float32]] = LRUCache(self._remembered)
        self.batcher = Batcher(
            model.embed, max_batch=self._max_batch, threads=self._calls, name="embedding"
        )

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embeds catalog texts: float32 [len(texts), dimension]; each vector has L2 norm 1."""
        return await self._embed([self.model.passage_prefix + text for text in texts])

    async def embed_queries(
        self, texts: Sequence[str], who: str | None = None
    ) -> NDArray[np.float32]:
        """Embeds names that a principal looks up, without caching. The result has the same shape as
        the result of `embed`.
        """
        return await self._embed([self.model.query_prefix + text for text in texts], who)

    async def embed_goal(self, goal: str, who: str | None = None) -> NDArray[np.float32]:
        """Returns the joined vectors of a goal and its sentences (see `EmbeddingModel.goal_texts`).

        Args:
            goal: the goal in plain words.
            who: name of the principal who has the goal; None if there is no principal.

        Returns:
            float32 [parts * dimension]; each part has L2 norm 1.
        """
        if (known := self._goals.get(goal)) is not None:
            self.hits += 1
            return known
        self.misses += 1
        goals = self._goals
        vector = (await self.batcher.run(self.model.goal_texts(goal), who)).ravel()
        if self._remembered:
            goals[goal] = vector
        return vector

    async def _embed(self, texts: Sequence[str], who: str | None = None) -> NDArray[np.float32]:
        batcher, dimension = self.batcher, self.model.dimension
        parts = [
            await batcher.run(texts[start : start + self._max_batch], who)
            for start in range(0, len(texts), self._max_batch)
        ]
        return np.concatenate([np.empty((0, dimension), np.float32), *parts])


@dataclass(frozen=True)
class EarlyExit:
    """The condition for stopping early when texts are scored in the order of the first stage, best
    first.

    Texts are scored `step` at a time. After a step, the remaining texts are skipped if the best
    score in that step is at least `margin` below the `keep`-th best of all scores. The texts of the
    step were then far from the best `keep` texts, and later texts are expected to be still farther.
    This heuristic can be wrong, so it is used only if a margin is set for the model.

    Attributes:
        margin: margin on the model's own scale.
        keep: number of best texts whose order matters; at least as many as a mode shows.
        step: number of texts scored at a time.
    """

    margin: float
    keep: int = 10
    step: int = 8

    def is_settled(self, scores: Sequence[float]) -> bool:
        """Returns whether the scores so far settle the first `keep` ranks."""
        if len(scores) <= self.keep:
            return False
        last = sorted(scores, reverse=True)[self.keep - 1]
        return max(scores[-self.step :]) <= last - self.margin


class AsyncReranker:
    """Scores texts with a reranker without blocking the event loop.

    Requests that are waiting at the same time share one model call.

    Args:
        model: the model, used by at most `calls` worker threads.
        early_exit: when to stop early; None scores every text.
        calls: number of simultaneous model calls.

    Attributes:
        model: the reranker.
        batcher: object that combines waiting requests into one call.
    """

    def __init__(
        self,
        model: Reranker,
        early_exit: EarlyExit | None = None,
        calls: int = 1,
    ) -> None:
        self.model = model
        self._early_exit = early_exit
        self._step = early_exit.step if early_exit else MAX_BATCH
        self.batcher = Batcher(
            model.score_pairs, max_batch=MAX_BATCH, threads=calls, name="reranking"
        )

    async def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Scores how well each text fits the query; higher is better.

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
