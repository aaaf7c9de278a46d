"""Provides a bell that wakes a waiting task, and a loop that repeats its work when the bell
rings.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NoReturn

import anyio

from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger


class Wakeup:
    """A bell whose ring is kept until a task waits for it; several rings count as one."""

    def __init__(self) -> None:
        self._rung = anyio.Event()

    def ring(self) -> None:
        """Wakes the waiting task, or lets the next wait return immediately."""
        self._rung.set()

    async def wait(self, seconds: float) -> None:
        """Waits until the bell rings, but no longer than the given time."""
        with anyio.move_on_after(seconds):
            await self._rung.wait()
        self._rung = anyio.Event()


async def repeat(
    work: Callable[[], Awaitable[object]],
    every_s: float,
    trouble: str,
    wakeup: Wakeup | None = None,
) -> NoReturn:
    """Repeats the work until it is cancelled, even while the database is unavailable.

    Args:
        work: work to repeat.
        every_s: pause after each run, in seconds.
        trouble: event to log if the work fails.
        wakeup: bell that ends the pause early.
    """
    rest = wakeup or Wakeup()
    while True:
        try:
            await work()
        except (QmError, OSError) as error:
            get_logger(part="workers").warning(trouble, error=str(error), again_in_s=every_s)
        await rest.wait(every_s)
