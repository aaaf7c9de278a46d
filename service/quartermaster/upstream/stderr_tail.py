"""The last bytes that a stdio upstream wrote to its stderr."""

from __future__ import annotations

from typing import Final

TAIL_BYTES: Final = 100_000


class StderrTail:
    """Keeps the last ``limit`` appended bytes, across restarts of the upstream."""

    def __init__(self, limit: int = TAIL_BYTES) -> None:
        self._limit = limit
        self._kept = bytearray()

    def append(self, chunk: bytes) -> None:
        """Adds bytes that were just read."""
        self._kept += chunk
        # The data is cut only when it reaches twice the limit, so that most appends copy nothing.
        if len(self._kept) > 2 * self._limit:
            del self._kept[: -self._limit]

    def text(self, limit: int | None = None) -> str:
        """Returns the last ``limit`` bytes as text; by default, everything that is kept."""
        kept = self._kept[-min(limit or self._limit, self._limit) :]
        return kept.decode("utf-8", errors="replace")

    def last_line(self) -> str | None:
        """Returns the last line that is not blank, cut to 500 bytes."""
        lines = [line for line in self.text(500).splitlines() if line.strip()]
        return lines[-1].strip() if lines else None
