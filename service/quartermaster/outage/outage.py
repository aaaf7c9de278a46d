"""Whether and since when the database is away, and the note about it in replies."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

import mcp_types as types

from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger

OUTAGE_KEY: Final = "quartermaster/outage"

Reply = TypeVar("Reply", bound=types.Result)
_log = get_logger(part="outage")


class Outage:
    """Begins with the first request that the database does not answer, ends with one that it does.

    Attributes:
        since: when it began; None: the database is there.
        outages: how many there were since the process began.
        snapshot: what answers instead: when it was read; None: nothing was needed yet.
    """

    def __init__(self) -> None:
        self.since: datetime | None = None
        self.outages = 0
        self.snapshot: datetime | None = None
        self._when_over: list[Callable[[], object]] = []

    def when_over(self, ring: Callable[[], object]) -> None:
        """Registers a function for the end of an outage; it must not block."""
        self._when_over.append(ring)

    def begin(self, error: QmError) -> None:
        """Notes that the database did not answer; only the first time counts."""
        if self.since is None:
            self.since = datetime.now(UTC)
            self.outages += 1
            _log.warning("database_away", error=str(error))

    def end(self) -> None:
        """Notes that the database answered."""
        if self.since is not None:
            lasted = datetime.now(UTC) - self.since
            self.since = self.snapshot = None
            _log.warning("database_back", away_s=round(lasted.total_seconds(), 1))
            self.settle()

    def settle(self) -> None:
        """Runs the work for the end of an outage, also for records that came late."""
        for ring in self._when_over:
            ring()

    def notice(self) -> dict[str, Any] | None:
        """The note in replies during an outage: since, snapshot (ISO 8601), message; else None."""
        if self.since is None:
            return None
        snapshot = self.snapshot and self.snapshot.isoformat(timespec="seconds")
        known = f" Tools and rights are those of {snapshot}, found by words only." * bool(snapshot)
        return {
            "since": self.since.isoformat(timespec="seconds"),
            "snapshot": snapshot,
            "message": (
                f"Outage: the database is away.{known} Searches are not recorded; calls are, on "
                "disk until it is back."
            ),
        }

    def marked(self, reply: Reply) -> Reply:
        """The reply, with the notice in its ``_meta`` while the outage lasts."""
        notice = self.notice()
        if notice is None:
            return reply
        return reply.model_copy(update={"meta": {**(reply.meta or {}), OUTAGE_KEY: notice}})


def is_away(error: QmError) -> bool:
    """Tells whether an error means that the database cannot be reached."""
    return error.slug == "database_unavailable"
