"""The breakers of origins, as last read from the database, which opens and closes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from quartermaster.core.logs import get_logger
from quartermaster.upstream.failure import UpstreamError

_log = get_logger(part="breakers")


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
    """The breakers as they were read last, for use while the database does not answer."""

    def __init__(self) -> None:
        self._refusals: dict[int, Refusal] = {}

    def renew(self, rows: Iterable[Mapping[str, Any]]) -> set[int]:
        """Replaces all breakers with the rows of api.list_breakers.

        Returns:
            The origins whose breaker has closed.
        """
        before = self._refusals
        self._refusals = {row["origin_id"]: Refusal(row["until"], row["because"]) for row in rows}
        for origin_id, refusal in self._refusals.items():
            if before.get(origin_id) != refusal:
                until = refusal.until.isoformat()
                _log.warning(
                    "breaker_open", origin_id=origin_id, until=until, because=refusal.because
                )
        closed = before.keys() - self._refusals.keys()
        for origin_id in closed:
            _log.info("breaker_closed", origin_id=origin_id)
        return closed

    def count_open(self) -> int:
        """The known number of origins with an open breaker."""
        now = datetime.now(UTC)
        return sum(refusal.until > now for refusal in self._refusals.values())

    def columns(self, origin_id: int) -> dict[str, Any]:
        """Gives api.call_begin's answer about a breaker, as it was read last."""
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
