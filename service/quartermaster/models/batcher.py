"""Runs a model for many tasks of one event loop in threads of its own."""

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
    """Combines requests that wait at the same time into one call of a model.

    The threads are its own, so a model never waits for threads that other parts of the service
    hold, and a caller that is cancelled leaves at once: what nobody waits for any more is not
    begun, and what has begun goes on for the others.

    Args:
        model: takes items and gives a row of numbers for each, in their order.
        max_batch: items in one call; a longer request is a call of its own.
        threads: calls at a time.
        name: of the threads.

    Attributes:
        calls, items: of the model so far.
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
        """How many requests wait."""
        return len(self._waiting)

    async def run(self, items: Sequence[Item]) -> Rows:
        """Returns the rows of some items, in their order; errors of the model are raised here."""
        request = _Request(items)
        with self._lock:
            self._waiting.append(request)
        # One turn for each request; if another turn has served its request, it ends at once.
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
        """Takes the first requests that fit into one call, without those that were cancelled."""
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
