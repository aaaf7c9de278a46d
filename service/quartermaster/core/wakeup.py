"""A bell that one task rings and another waits for."""

from __future__ import annotations

import anyio


class Wakeup:
    """Remembers that it was rung until somebody has waited for it; many rings count as one."""

    def __init__(self) -> None:
        self._rung = anyio.Event()

    def ring(self) -> None:
        """Wakes whoever waits, or lets the next wait return at once."""
        self._rung.set()

    async def wait(self, seconds: float) -> None:
        """Returns when rung, or after this time."""
        with anyio.move_on_after(seconds):
            await self._rung.wait()
        self._rung = anyio.Event()
