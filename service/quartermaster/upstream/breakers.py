"""Breakers of origins. The database decides; this remembers its last announcement."""

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
    """Why an origin is not called.

    Attributes:
        until: when it is called again at the latest.
        because: what was seen of it.
    """

    until: datetime
    because: str


class Breakers:
    """The breakers that the database has announced, for use while it is away."""

    def __init__(self) -> None:
        self._refusals: dict[int, Refusal] = {}

    def hear(self, payload: str) -> int | None:
        """Takes one announcement (calls.announce_breaker); returns the origin if it closed."""
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
        """Replaces all of them with rows of api.list_breakers, because announcements may have been
        missed.
        """
        self._refusals = {row["origin_id"]: Refusal(row["until"], row["because"]) for row in rows}

    def count_open(self) -> int:
        """The number of origins whose breaker is open, as far as is known."""
        now = datetime.now(UTC)
        return sum(refusal.until > now for refusal in self._refusals.values())

    def columns(self, origin_id: int) -> dict[str, Any]:
        """The answer of api.call_begin about a breaker, as far as is known."""
        known = self._refusals.get(origin_id)
        if known is None or known.until <= datetime.now(UTC):
            return {"unavailable_until": None, "unavailable_because": None}
        return {"unavailable_until": known.until, "unavailable_because": known.because}


def require_available(origin: str, until: datetime | None, because: str | None) -> None:
    """To be called before an upstream is.

    Args:
        origin: its name.
        until: when it is called again at the latest; None: it is called.
        because: what was seen of it.

    Raises:
        UpstreamError: QM503 ``upstream_unavailable``.
    """
    if until is not None:
        when = until.astimezone(UTC).isoformat(timespec="seconds")
        raise UpstreamError("unavailable", origin, f"is not called until {when}: {because}.")
