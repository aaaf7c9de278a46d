"""The breakers of origins, as last announced by the database, which opens and closes them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from quartermaster.core.logs import get_logger
from quartermaster.upstream.failure import UpstreamError


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why an origin is not called.

    Attributes:
        until: latest time at which it is called again.
        because: reason for the pause.
    """

    until: datetime
    because: str


class Breakers:
    """The breakers that the database has announced, for use while it does not answer."""

    def __init__(self) -> None:
        self._refusals: dict[int, Refusal] = {}

    def hear(self, payload: str) -> int | None:
        """Takes one announcement (calls.announce_breaker); returns the origin if its breaker
        closed.
        """
        told: dict[str, Any] = json.loads(payload)
        origin_id: int = told["origin_id"]
        log = get_logger(part="breakers", origin_id=origin_id)
        if told["state"] == "closed":
            self._refusals.pop(origin_id, None)
            log.info("breaker_closed")
            return origin_id
        until = datetime.fromisoformat(told["until"])
        self._refusals[origin_id] = Refusal(until, told["because"])
        log.warning("breaker_open", until=told["until"], because=told["because"])
        return None

    def renew(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Replaces all breakers with the rows of api.list_breakers, because announcements may have
        been missed.
        """
        self._refusals = {row["origin_id"]: Refusal(row["until"], row["because"]) for row in rows}

    def count_open(self) -> int:
        """The known number of origins with an open breaker."""
        now = datetime.now(UTC)
        return sum(refusal.until > now for refusal in self._refusals.values())

    def columns(self, origin_id: int) -> dict[str, Any]:
        """Gives api.call_begin's answer about a breaker, from the announcements received so far."""
        known = self._refusals.get(origin_id)
        if known is None or known.until <= datetime.now(UTC):
            return {"unavailable_until": None, "unavailable_because": None}
        return {"unavailable_until": known.until, "unavailable_because": known.because}


def require_available(origin: str, until: datetime | None, because: str | None) -> None:
    """Checks the breaker; must be called before each call to an upstream.

    Args:
        origin: name of the origin.
        until: latest time at which it is called again; None if its breaker is closed.
        because: reason for the pause.

    Raises:
        UpstreamError: QM503 ``upstream_unavailable``.
    """
    if until is not None:
        when = until.astimezone(UTC).isoformat(timespec="seconds")
        raise UpstreamError("unavailable", origin, f"will not be called before {when}: {because}.")
