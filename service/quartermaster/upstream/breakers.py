"""Keeps the breakers of origins that were last read from the database. The database opens and
closes the breakers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from quartermaster.core.logs import get_logger
from quartermaster.upstream.failure import UpstreamError

_log = get_logger(part="breakers")


@dataclass(frozen=True, slots=True)
class BreakerRefusal:
    """Why an origin must not be called, and until when.

    Attributes:
        until: latest time at which it is called again.
        because: reason for the pause.
    """

    until: datetime
    because: str


class Breakers:
    """The breakers that were last read from the database, for use while the database does not
    answer.
    """

    def __init__(self) -> None:
        # By origin and principal; None means all principals.
        self._refusals: dict[tuple[int, int | None], BreakerRefusal] = {}

    def renew(self, rows: Iterable[Mapping[str, Any]]) -> set[int]:
        """Replaces all breakers with the rows of api.list_breakers.

        Returns:
            The origins of the breakers that have closed.
        """
        before = self._refusals
        self._refusals = {
            (row["origin_id"], row["principal_id"]): BreakerRefusal(row["until"], row["because"])
            for row in rows
        }
        for (origin_id, principal_id), refusal in self._refusals.items():
            if before.get((origin_id, principal_id)) != refusal:
                _log.warning(
                    "breaker_open",
                    origin_id=origin_id,
                    principal_id=principal_id,
                    until=refusal.until.isoformat(),
                    because=refusal.because,
                )
        closed = before.keys() - self._refusals.keys()
        for origin_id, principal_id in closed:
            _log.info("breaker_closed", origin_id=origin_id, principal_id=principal_id)
        return {origin_id for origin_id, _ in closed}

    def count_open(self) -> int:
        """Returns the number of origins whose breaker is known to be open for all principals."""
        now = datetime.now(UTC)
        return sum(
            refusal.until > now
            for (_, principal_id), refusal in self._refusals.items()
            if principal_id is None
        )

    def columns(self, origin_id: int, principal_id: int) -> dict[str, Any]:
        """Checks the breakers that were last read for a principal, and returns the same columns as
        service.call_begin.
        """
        now = datetime.now(UTC)
        known = [self._refusals.get((origin_id, whose)) for whose in (None, principal_id)]
        refusals = [refusal for refusal in known if refusal is not None and refusal.until > now]
        if not refusals:
            return {"unavailable_until": None, "unavailable_because": None}
        longest = max(refusals, key=lambda refusal: refusal.until)
        return {"unavailable_until": longest.until, "unavailable_because": longest.because}


def require_available(origin: str, until: datetime | None, because: str | None) -> None:
    """Raises an error if the breaker of an origin is open. Must be called before each call to an
    upstream.

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
