"""Runs a model in separate threads for many tasks in one event loop."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Item = TypeVar("Item")
Rows = NDArray[np.float32]


@dataclass(eq=False)
class _Request(Generic[Item]):
    items: Sequence[Item]
    rows: Future[Rows] = field(default_factory=Future[Rows])


class Batcher(Generic[Item]):
    """Combines requests that are waiting at the same time into one model call.

    It has its own threads, so a model never waits for threads that other parts of the service use.
    A cancelled caller returns at once. Requests that nobody waits for are not started, and running
    calls continue for the other callers.

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
        self._waiting: deque[_Request[Item]] = deque()
        self._lock = Lock()
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)

    def __len__(self) -> int:
        """Return the number of waiting requests."""
        return len(self._waiting)

    async def run(self, items: Sequence[Item]) -> Rows:
        """Return the rows for some items in their order; the model's errors are raised here."""
        request = _Request(items)
        with self._lock:
            self._waiting.append(request)
        # Each request starts one turn. A turn whose request was already served by another turn ends
        # at once.
        self._threads.submit(self._take_turn)
        return await asyncio.wrap_future(request.rows)

    def _take_turn(self) -> None:
        batch = self._take_batch()
        if not batch:
            return
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

    def _take_batch(self) -> list[_Request[Item]]:
        """Take the first requests that fit into one call, except cancelled ones."""
        batch: list[_Request[Item]] = []
        size = 0
        with self._lock:
            while self._waiting:
                size += len(self._waiting[0].items)
                if batch and size > self._max_batch:
                    break
                request = self._waiting.popleft()
                if request.rows.set_running_or_notify_cancel():
                    batch.append(request)
                else:
                    size -= len(request.items)
        return batch
