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
    """While the database is away they wait; beyond 50,000 the oldest are dropped, and counted.

    Without the database they wait; of more than 50,000 the oldest are given up, and counted.

    Args:
        database: where the log is.
        meters: count what is given up.
    """

    def __init__(self, database: Database, meters: Meters) -> None:
        self._database = database
        self._meters = meters
        self._waiting: deque[Record] = deque()

    def __len__(self) -> int:
        """How many records wait."""
        return len(self._waiting)

    def add(self, records: list[Record]) -> None:
        """Takes records of api.record_lookups; never blocks."""
        self._waiting.extend(records)
        self._drop(len(self._waiting) - _MOST)

    async def run(self) -> NoReturn:
        """Writes until cancelled, and then the rest."""
        try:
            while True:
                await anyio.sleep(_EVERY_S)
                await self.flush()
        finally:
            with anyio.move_on_after(_LAST_WITHIN_S, shield=True):
                await self.flush()

    async def flush(self) -> None:
        """Writes the waiting receipts; while the database is away, they go on waiting."""
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(_BATCH, len(self._waiting)))]
            try:
                # Shielded, because after a cancellation nobody would know whether the batch was
                # written.
                with anyio.CancelScope(shield=True):
                    await self._database.call("record_lookups", None, requests=batch)
            except QmError as error:
                if error.status >= 500:
                    # Another part of the service reports the outage, once.
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
    """By which a query is known in logs: SHA-256 in hexadecimal; case and blanks do not matter."""
    return sha256(" ".join(query.lower().split()).encode(errors="replace")).hexdigest()


def now() -> str:
    """A time, in the form of the records."""
    return datetime.now(UTC).isoformat()
