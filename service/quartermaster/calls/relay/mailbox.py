"""Messages of one task to another."""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

import anyio

T = TypeVar("T")


class Mailbox(Generic[T]):
    """Unbounded, first in first out, for one reader."""

    def __init__(self) -> None:
        self._messages: deque[T] = deque()
        self._arrived = anyio.Event()

    def put(self, message: T) -> None:
        """Never blocks."""
        self._messages.append(message)
        self._arrived.set()

    async def take(self) -> T:
        """The oldest message, once there is one."""
        while not self._messages:
            self._arrived = anyio.Event()
            await self._arrived.wait()
        return self._messages.popleft()
