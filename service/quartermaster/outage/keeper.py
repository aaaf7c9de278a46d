"""Keeps the outage copy on this machine up to date."""

from __future__ import annotations

import json
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from anyio import from_thread, to_thread

from quartermaster.core.logs import get_logger
from quartermaster.db import Database, Row
from quartermaster.outage import files
from quartermaster.outage.files import KeptFiles
from quartermaster.outage.rights import Mark
from quartermaster.snapshots.artifact import states_of

_PAGE: Final = 1000
# Writing definitions may take at most this share of the time (1 second in 10).
_REST: Final = 9

_log = get_logger(part="keeper")


@dataclass(frozen=True)
class Renewed:
    """The outcome of a renewal.

    Attributes:
        read_s: time for reading and writing the rights, in seconds.
        due_s: seconds until missing definitions may be written; None if no definitions are missing.
    """

    read_s: float
    due_s: float | None = None


class Keeper:
    """Updates the copy: the rights at each renewal, the cards' definitions if they have changed.

    Args:
        database: the database, queried as the service's own login.
        data_dir: the data directory.

    Attributes:
        latest: the rights that were read last, even if they could not be written; None at first.
        known: the keys and subjects that had access when the rights were last read.
    """

    def __init__(self, database: Database, data_dir: Path) -> None:
        self._database = database
        self._data_dir = data_dir
        self._states: tuple[bytes, dict[int, int]] = (b"", {})
        self._rested_at = 0.0
        self.latest: KeptFiles | None = None
        self.known: set[Mark] = set()

    async def renew(self) -> Renewed:
        """Read the rights. Also read the missing definitions, unless definitions were read very
        recently.

        Raises:
            QmError: QM503 database_unavailable.
            OSError, sqlite3.Error: the copy cannot be written.
        """
        begun = time.monotonic()
        found = await self._database.call_value("read_outage_copy", None)
        rights = json.dumps(found, ensure_ascii=False)
        self.known = {row[0] for row in found["keys"]}
        self.known |= {(row[0], row[1]) for row in found["identities"]}
        if self.latest is not None:
            # Keeping the rights in memory ensures that this process refuses a disabled principal,
            # even if the copy cannot be written.
            self.latest = self.latest._replace(rights=rights)
        kept = await to_thread.run_sync(files.keep_rights, self._data_dir, rights, self._states[0])
        if kept is not None:
            self.latest = kept
        offered = {row[0]: row[1] for row in found["cards"]}
        have = await self._kept_states(kept)
        missing = [card for card, state in offered.items() if have.get(card) != state]
        read_s = time.monotonic() - begun
        if not missing and kept is not None:
            return Renewed(read_s)
        begun = time.monotonic()
        if begun < self._rested_at:
            return Renewed(read_s, self._rested_at - begun)
        gone = have.keys() - offered.keys()
        self.latest = await to_thread.run_sync(
            files.keep_definitions, self._data_dir, rights, kept, self._rows(missing), gone
        )
        took = time.monotonic() - begun
        self._rested_at = time.monotonic() + _REST * took
        _log.info("outage_copy_kept", cards=len(offered), written=len(missing), s=round(took, 2))
        return Renewed(read_s)

    async def _kept_states(self, kept: KeptFiles | None) -> dict[int, int]:
        if kept is None:
            return {}
        if self._states[0] != kept.digest:
            self._states = (kept.digest, await to_thread.run_sync(states_of, kept.path))
        return self._states[1]

    def _rows(self, cards: list[int]) -> Generator[Row]:
        """Yield the definitions page by page, because all pages together would need too much
        memory.

        This generator runs in a thread.
        """
        for first in range(0, len(cards), _PAGE):
            from_thread.check_cancelled()
            yield from from_thread.run(self._page, cards[first : first + _PAGE])

    async def _page(self, cards: list[int]) -> list[Row]:
        return await self._database.call("read_definitions", None, cards=cards)
