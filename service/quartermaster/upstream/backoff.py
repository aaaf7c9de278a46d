"""When a failed connection may be tried again."""

from __future__ import annotations

import random
from typing import Final

import anyio

_FIRST_S: Final = 0.5
_LAST_S: Final = 30.0


class Backoff:
    """Pauses that double from 0.5 s to 30 s while attempts fail one after the other."""

    def __init__(self) -> None:
        self._failures = 0
        self._retry_at = 0.0

    def remaining_s(self) -> float:
        """Seconds until the next attempt; zero or less when it may be made now."""
        return self._retry_at - anyio.current_time()

    def failed(self) -> None:
        """Start a pause, longer than the one before."""
        delay_s = min(_FIRST_S * 2 ** min(self._failures, 16), _LAST_S)
        # Jitter, so that requests that failed together are not retried together.
        self._retry_at = anyio.current_time() + delay_s * random.uniform(0.5, 1.0)  # noqa: S311
        self._failures += 1

    def succeeded(self) -> None:
        """The next failure is the first again."""
        self._failures = 0

    def forget(self) -> None:
        """The next attempt may be made now."""
        self._failures = 0
        self._retry_at = 0.0
