"""Writes receipts of lookups to the database, in batches."""

from __future__ import annotations

from collections import deque
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final, NoReturn

import anyio

from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.core.meters import Meters
from quartermaster.db import Database

_EVERY_S: Final = 1.0
_LAST_WITHIN_S: Final = 3.0
_BATCH: Final = 2_000
_MOST: Final = 50_000

Record = dict[str, Any]
log = get_logger(part="lookup")


class RequestLog:
    """Stores receipts of lookups in the database in batches.

    In an outage receipts wait. If more than 50,000 are waiting, the oldest are dropped and counted.

    Args:
        database: the database with the log.
        meters: counters of dropped receipts.
    """

    def __init__(self, database: Database, meters: Meters) -> None:
        self._database = database
        self._meters = meters
        self._waiting: deque[Record] = deque()

    def __len__(self) -> int:
        """Return the number of waiting records."""
        return len(self._waiting)

    def add(self, records: list[Record]) -> None:
        """Add records for api.record_lookups; never blocks."""
        self._waiting.extend(records)
        self._drop(len(self._waiting) - _MOST)

    async def run(self) -> NoReturn:
        """Write records until cancelled, and then the remaining ones."""
        try:
            while True:
                await anyio.sleep(_EVERY_S)
                await self.flush()
        finally:
            with anyio.move_on_after(_LAST_WITHIN_S, shield=True):
                await self.flush()

    async def flush(self) -> None:
        """Write the waiting receipts; in an outage, they keep waiting."""
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(_BATCH, len(self._waiting)))]
            try:
                # The write is shielded, because after a cancellation nobody would know whether the
                # batch was written.
                with anyio.CancelScope(shield=True):
                    await self._database.call("record_lookups", None, requests=batch)
            except QmError as error:
                if error.status >= 500:
                    # The outage is not logged here, because another part of the service logs it
                    # once.
                    self._waiting.extendleft(reversed(batch))
                    self._drop(len(self._waiting) - _MOST)
                else:
                    log.warning("lookups_not_recorded", queries=len(batch), error=str(error))
                    self._meters.unwritten_lookups.inc(len(batch))
                return

    def _drop(self, count: int) -> None:
        for _ in range(count):
            self._waiting.popleft()
        self._meters.unwritten_lookups.inc(max(count, 0))


def hash_of(query: str) -> str:
    """Return the hash of a query for logs: SHA-256 in hexadecimal, ignoring case and blanks."""
    return sha256(" ".join(query.lower().split()).encode(errors="replace")).hexdigest()


def now() -> str:
    """Return the current time in the format of the records."""
    return datetime.now(UTC).isoformat()
