"""Limits the requests of one principal to one process, with a token bucket."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil
from typing import Final, Self

from prometheus_client import Counter

from quartermaster.core.errors import QmError
from quartermaster.core.meters import Meters
from quartermaster.db import Principal
from quartermaster.settings.sections import Limits

_MANY: Final = 10_000


class RateLimitError(QmError):
    """The error for too many requests of one principal.

    Args:
        what: was asked for, in the plural.
        per_s: how many a second are let through in the long run.
        retry_after_s: seconds until the next one would be.
    """

    def __init__(self, what: str, per_s: float, retry_after_s: float) -> None:
        super().__init__(
            429,
            "rate_limited",
            f"More than {per_s:g} {what} a second.",
            f"Wait {retry_after_s:.2g} s, and send fewer at once or several in a batch.",
        )
        self.retry_after_s = retry_after_s

    @property
    def header(self) -> str:
        """The value of Retry-After: whole seconds, at least one."""
        return str(max(1, ceil(self.retry_after_s)))


class RateLimit:
    """One limit, for each principal apart.

    Args:
        what: is limited, in the plural, for people.
        per_s: tokens added each second; 0: there is no limit.
        burst: the most tokens that a bucket holds, so the most requests at once.
        refusals: counts what was refused; None: nobody does.
        clock: seconds that only grow.
    """

    def __init__(
        self,
        what: str,
        per_s: float,
        burst: int,
        refusals: Counter | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._what = what
        self._refusals = refusals
        self._per_s = per_s
        self._burst = float(burst)
        self._clock = clock
        # For each principal, the time at which its bucket would have been empty.
        self._empty_at: dict[int, float] = {}

    @classmethod
    def of_requests(cls, limits: Limits, meters: Meters) -> Self:
        """The limit of requests at all doors with authentication."""
        refusals = meters.limited.labels("requests")
        return cls("requests", limits.requests_per_s, limits.requests_burst, refusals)

    @classmethod
    def of_lookups(cls, limits: Limits, meters: Meters) -> Self:
        """The limit of queries to lookup tables, alone or in batches."""
        refusals = meters.limited.labels("lookups")
        return cls(
            "requests to lookup tables", limits.lookups_per_s, limits.lookups_burst, refusals
        )

    def spend(self, principal: Principal) -> None:
        """Takes one token.

        Raises:
            RateLimitError: QM429 rate_limited: there is none left.
        """
        if not self._per_s:
            return
        now = self._clock()
        full_since = now - self._burst / self._per_s
        empty_at = max(self._empty_at.get(principal.id, full_since), full_since)
        tokens = (now - empty_at) * self._per_s
        if tokens < 1:
            if self._refusals is not None:
                self._refusals.inc()
            raise RateLimitError(self._what, self._per_s, (1 - tokens) / self._per_s)
        if len(self._empty_at) >= _MANY:
            self._forget_full(full_since)
        self._empty_at[principal.id] = empty_at + 1 / self._per_s

    def _forget_full(self, full_since: float) -> None:
        """A bucket that is full again is as good as none."""
        self._empty_at = {who: at for who, at in self._empty_at.items() if at > full_since}
