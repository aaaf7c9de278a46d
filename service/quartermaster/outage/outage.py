"""Keeps track of whether and since when the database is unavailable, and adds a note to replies."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

import anyio
import mcp_types as types

from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger

OUTAGE_KEY: Final = "quartermaster/outage"
READ_ONLY: Final = "database_read_only"
# So long, an outage may be that of a machine that is too busy for a new connection. Some worker
# asks the database more often.
_BRIEF_S: Final = 10.0

Reply = TypeVar("Reply", bound=types.Result)
_log = get_logger(part="outage")


class Outage:
    """The state of an outage. It begins with the first request that the database does not answer,
    and ends with the first request that the database answers again.

    Attributes:
        since: time at which the outage began; None if the database is available.
        outages: number of outages since the process started.
        snapshot: time at which the copy in use was read; None if it has not been needed yet.
        is_read_only: whether the database was read-only when the outage began.
    """

    def __init__(self) -> None:
        self.since: datetime | None = None
        self.outages = 0
        self.snapshot: datetime | None = None
        self.is_read_only = False
        self._when_over: list[Callable[[], object]] = []
        self._over = anyio.Event()

    def when_over(self, ring: Callable[[], object]) -> None:
        """Registers a function to call when an outage ends; it must not block."""
        self._when_over.append(ring)

    def begin(self, error: QmError) -> None:
        """Records that the database did not answer. This begins an outage, unless one has begun
        already.
        """
        if self.since is None:
            self.since = datetime.now(UTC)
            self._over = anyio.Event()
            self.outages += 1
            self.is_read_only = error.slug == READ_ONLY
            _log.warning("database_away", error=str(error))

    def end(self, *, has_written: bool = False) -> None:
        """Records that the database answered, which ends the outage. An outage of a read-only
        database ends only when the database accepts a write.
        """
        if self.since is not None and (has_written or not self.is_read_only):
            lasted = datetime.now(UTC) - self.since
            self.since = self.snapshot = None
            self._over.set()
            _log.warning("database_back", away_s=round(lasted.total_seconds(), 1))
            self.settle()

    async def is_soon_over(self) -> bool:
        """Waits briefly for the end of an outage that has just begun, and returns whether it is
        over.
        """
        if self.since is not None:
            lasted = datetime.now(UTC) - self.since
            with anyio.move_on_after(_BRIEF_S - lasted.total_seconds()):
                await self._over.wait()
        return self.since is None

    def settle(self) -> None:
        """Calls the registered functions at the end of an outage, and again if records arrive
        late.
        """
        for ring in self._when_over:
            ring()

    def notice(self) -> dict[str, Any] | None:
        """Returns the note for replies in an outage (since, snapshot, message); otherwise None."""
        if self.since is None:
            return None
        snapshot = self.snapshot and self.snapshot.isoformat(timespec="seconds")
        known = f" Tools and rights are those of {snapshot}, and search uses words only." * bool(
            snapshot
        )
        state = "can only be read" if self.is_read_only else "is unavailable"
        return {
            "since": self.since.isoformat(timespec="seconds"),
            "snapshot": snapshot,
            "message": (
                f"Outage: the database {state}.{known} Searches are not recorded. Calls are "
                "recorded on disk until the database is back."
            ),
        }

    def marked(self, reply: Reply) -> Reply:
        """Returns the reply, with the notice in its ``_meta`` during an outage."""
        notice = self.notice()
        if notice is None:
            return reply
        return reply.model_copy(update={"meta": {**(reply.meta or {}), OUTAGE_KEY: notice}})


def is_away(error: QmError) -> bool:
    """Returns whether an error means that the database cannot be reached or is read-only."""
    return error.slug in {"database_unavailable", READ_ONLY}
