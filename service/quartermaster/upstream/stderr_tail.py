"""Keeps the last output of a stdio upstream to its standard error."""

from __future__ import annotations

from typing import Final

import anyio

TAIL_BYTES: Final = 100_000
_SAID_BYTES: Final = 2_000
_SAID_LINES: Final = 10


class StderrTail:
    """Keeps the last ``limit`` appended bytes, across restarts of the upstream.

    Attributes:
        heard_at: time at which the program last wrote something, on the event loop's clock.
    """

    def __init__(self, limit: int = TAIL_BYTES) -> None:
        self._limit = limit
        self._tail = bytearray()
        self._since_begin = 0
        self.heard_at = 0.0

    def begin(self) -> None:
        """Records that a new program has started. Its output follows."""
        self._since_begin = 0

    def append(self, chunk: bytes) -> None:
        """Appends bytes that were just read."""
        self._tail += chunk
        self._since_begin += len(chunk)
        self.heard_at = anyio.current_time()
        # The data is cut only when it reaches twice the limit, so that most appends copy nothing.
        if len(self._tail) > 2 * self._limit:
            del self._tail[: -self._limit]

    def text(self, limit: int | None = None) -> str:
        """Returns the last ``limit`` bytes as text; by default, everything that is kept."""
        tail = self._tail[-min(limit or self._limit, self._limit) :]
        return tail.decode("utf-8", errors="replace")

    def said(self) -> str:
        """Returns the last part of the output that the program has written since its start."""
        size = min(self._since_begin, _SAID_BYTES)
        return self.text(size) if size else ""

    def last_lines(self) -> str | None:
        """Returns the last non-blank lines that the program has written since its start, at most
        2,000 bytes; None if there are none.
        """
        lines = [line.strip() for line in self.said().splitlines() if line.strip()]
        return "\n".join(lines[-_SAID_LINES:]) or None
