"""How many calls one upstream may have in flight, and how many may wait."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio

from quartermaster.upstream.failure import UpstreamError
from quartermaster.upstream.spec import OriginSpec


class Admission:
    """Bounded concurrency with a bounded queue, first come first served."""

    def __init__(self, spec: OriginSpec) -> None:
        self._spec = spec
        self._places = anyio.Semaphore(spec.max_concurrency, fast_acquire=True)

    @property
    def waiting(self) -> int:
        """How many wait for a place."""
        return self._places.statistics().tasks_waiting

    @asynccontextmanager
    async def place(self, timeout_s: float) -> AsyncGenerator[None]:
        """Hold one place; it is given back on leaving.

        Args:
            timeout_s: longest wait for one.

        Raises:
            UpstreamError: QM429 ``upstream_busy``: the queue is full, or the wait was too long.
        """
        if self._places.value == 0 and self.waiting >= self._spec.max_queue:
            raise self._busy(f"{self.waiting} wait")
        with anyio.move_on_after(timeout_s) as waiting:
            await self._places.acquire()
        if waiting.cancelled_caught:
            raise self._busy(f"none ended within {timeout_s:g} s")
        try:
            yield
        finally:
            self._places.release()

    def _busy(self, why: str) -> UpstreamError:
        running = f"is busy: {self._spec.max_concurrency} calls run and {why}."
        return UpstreamError("busy", self._spec.name, running)
