"""Decides when a failed connection may be tried again."""

from __future__ import annotations

import random
from typing import Final

import anyio

_FIRST_S: Final = 0.5
_LAST_S: Final = 30.0


class Backoff:
    """Pauses that double from 0.5 s to 30 s while consecutive attempts fail."""

    def __init__(self) -> None:
        self._failures = 0
        self._retry_at = 0.0

    def remaining_s(self) -> float:
        """Seconds until the next attempt is allowed; zero or less if it is allowed now."""
        return self._retry_at - anyio.current_time()

    def failed(self) -> None:
        """Starts a pause that is longer than the previous pause."""
        delay_s = min(_FIRST_S * 2 ** min(self._failures, 16), _LAST_S)
        # The jitter keeps requests that failed together from being retried together.
        self._retry_at = anyio.current_time() + delay_s * random.uniform(0.5, 1.0)  # noqa: S311
        self._failures += 1

    def succeeded(self) -> None:
        """Resets the pauses, so that the next failure counts as the first."""
        self._failures = 0

    def forget(self) -> None:
        """Ends the pause, so that the next attempt may be made now."""
        self._failures = 0
        self._retry_at = 0.0
