"""Limits the requests that a principal can send to a process, with a token bucket."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Self

from prometheus_client import Counter

from quartermaster.core.errors import WaitError
from quartermaster.core.meters import Meters
from quartermaster.db import LOCAL_PRINCIPAL, Principal
from quartermaster.settings.sections import LimitSettings

_MAX_BUCKETS: Final = 10_000


@dataclass(eq=False)
class RateLimit:
    """One limit, applied to each principal separately, except the principal `local`.

    Attributes:
        what: what is limited, as a plural noun for error messages.
        per_s: number of tokens added per second; 0 means no limit.
        burst: capacity of a bucket, which is the largest number of requests in a burst.
        refusals: counter of refused requests; None if they are not counted.
        clock: function that returns monotonic time in seconds.
    """

    what: str
    per_s: float
    burst: int
    refusals: Counter | None = None
    clock: Callable[[], float] = time.monotonic
    # For each principal, the time from which its bucket has been filling up. The number of tokens
    # in the bucket follows from this time.
    _empty_at: dict[int, float] = field(default_factory=dict[int, float], init=False)

    @classmethod
    def of_requests(cls, limits: LimitSettings, meters: Meters) -> Self:
        """Returns the rate limit for requests at all doors that require authentication."""
        refusals = meters.limited.labels("requests")
        return cls("requests", limits.requests_per_s, limits.requests_burst, refusals)

    def spend(self, principal: Principal) -> None:
        """Takes one token from the bucket of a principal.

        Raises:
            WaitError: QM429 rate_limited, because no token is left.
        """
        if not self.per_s or principal.name == LOCAL_PRINCIPAL:
            return
        now = self.clock()
        full_since = now - self.burst / self.per_s
        empty_at = max(self._empty_at.get(principal.id, full_since), full_since)
        tokens = (now - empty_at) * self.per_s
        if tokens < 1:
            if self.refusals is not None:
                self.refusals.inc()
            wait_s = (1 - tokens) / self.per_s
            raise WaitError(
                "rate_limited",
                f"The limit of {self.per_s:g} {self.what} per second was exceeded.",
                f"Wait {wait_s:.2g} s. Send fewer requests, or send several in one batch.",
                wait_s,
            )
        if len(self._empty_at) >= _MAX_BUCKETS:
            self._forget_full(full_since)
        self._empty_at[principal.id] = empty_at + 1 / self.per_s

    def _forget_full(self, full_since: float) -> None:
        """Removes full buckets, because a full bucket has the same effect as no bucket."""
        self._empty_at = {who: at for who, at in self._empty_at.items() if at > full_since}
