"""Keeps the outage copy up to date, and opens and verifies it while the database is unavailable."""

from __future__ import annotations

import json
import time
from collections.abc import Generator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

import anyio
from anyio import from_thread, to_thread

from quartermaster import api
from quartermaster.core.logs import get_logger
from quartermaster.db import Database, Principal, Row, Subject
from quartermaster.outage import copy_files
from quartermaster.outage.cards import Cards
from quartermaster.outage.copy_files import CopyFiles
from quartermaster.outage.outage import Outage
from quartermaster.outage.rights import NEWER_HINT, Mark, Rights, mark_of
from quartermaster.snapshots.artifact import digest_of, states_of

_PAGE: Final = 1000
# Writing definitions may take at most this share of the time (1 second in 10).
_REST_FACTOR: Final = 9

_log = get_logger(part="keeper")


class Renewed(NamedTuple):
    """The result of a renewal of the outage copy.

    Attributes:
        read_s: time for reading and writing the rights, in seconds.
        due_s: seconds until missing definitions may be written; None if no definitions are missing.
    """

    read_s: float
    due_s: float | None = None


class Opened(NamedTuple):
    """The open copy: rights and cards."""

    rights: Rights
    cards: Cards


class OutageCopy:
    """The outage copy, which is renewed while the database answers, and open while it does not.

    Each renewal reads the rights, and the definitions of cards that have changed. The copy is
    opened when an outage first needs it, and closed when the outage ends.

    Args:
        database: the database, queried as the service's own login.
        data_dir: the data directory.
        outage: state of the outage, in which the time of the copy is recorded.
        max_age: age above which the copy is not used.

    Attributes:
        latest: the rights that were read last, even if they could not be written; None at first.
    """

    def __init__(
        self, database: Database, data_dir: Path, outage: Outage, max_age: timedelta
    ) -> None:
        self._database = database
        self._data_dir = data_dir
        self._outage = outage
        self._max_age = max_age
        self._states: tuple[bytes, dict[int, int]] = (b"", {})
        self._rested_at = 0.0
        self._known: set[Mark] = set()
        self._refused: set[Mark] = set()
        self._opening = anyio.Lock()
        self._opened: Opened | None = None
        self.latest: CopyFiles | None = None
        outage.when_over(self._forget)

    async def renew(self) -> Renewed:
        """Reads the rights from the database and writes them. Does the same for missing
        definitions, unless definitions were read very recently.

        Raises:
            QmError: QM503 database_unavailable.
            OSError, sqlite3.Error: the copy cannot be written.
        """
        begun = time.monotonic()
        found = await self._database.call_value(api.read_outage_copy(), None)
        rights = json.dumps(found, ensure_ascii=False)
        self._known = {row[0] for row in found["keys"]}
        self._known |= {(row[0], row[1]) for row in found["identities"]}
        if self.latest is not None:
            # Keeping the rights in memory ensures that this process refuses a disabled principal,
            # even if the copy cannot be written.
            self.latest = self.latest._replace(rights=rights)
        copied = await to_thread.run_sync(
            copy_files.keep_rights, self._data_dir, rights, self._states[0]
        )
        if copied is not None:
            self.latest = copied
        offered = {row[0]: row[1] for row in found["cards"]}
        have = await self._stored_states(copied)
        missing = [card for card, state in offered.items() if have.get(card) != state]
        read_s = time.monotonic() - begun
        if not missing and copied is not None:
            return Renewed(read_s)
        begun = time.monotonic()
        if begun < self._rested_at:
            return Renewed(read_s, self._rested_at - begun)
        gone = have.keys() - offered.keys()
        self.latest = await to_thread.run_sync(
            copy_files.keep_definitions, self._data_dir, rights, copied, self._rows(missing), gone
        )
        took = time.monotonic() - begun
        self._rested_at = time.monotonic() + _REST_FACTOR * took
        _log.info("outage_copy_kept", cards=len(offered), written=len(missing), s=round(took, 2))
        return Renewed(read_s)

    async def authenticate(self, who: str | Subject) -> Principal:
        """Finds the principal of a bearer key or of a verified token.

        Raises:
            QmError: QM401 key_invalid, QM403 subject_unknown, and the errors of `open`.
        """
        rights = (await self.open()).rights
        found = rights.find(who)
        if found is None or mark_of(who) in self._refused:
            slug = "key_invalid" if isinstance(who, str) else "subject_unknown"
            raise rights.error(slug, hint=NEWER_HINT)
        return found

    async def find_principal(self, name: str) -> Principal:
        """Finds a principal by name.

        Raises:
            QmError: QM403 principal_unknown, and the errors of `open`.
        """
        rights = (await self.open()).rights
        found = rights.find_name(name)
        if found is None:
            raise rights.error("principal_unknown", hint=NEWER_HINT)
        return found

    def note(self, who: str | Subject, *, is_refused: bool) -> None:
        """Records a key or subject that the database refused, in case an outage begins before the
        copy is updated.

        Args:
            who: a key, or the subject of a token.
            is_refused: whether the database refused it; false removes the record of an earlier
                refusal.
        """
        mark = mark_of(who)
        if not is_refused:
            self._refused.discard(mark)
        elif mark in self._known:
            # This set contains only known keys. Unknown keys are refused anyway, and storing them
            # would use more and more memory.
            self._refused.add(mark)

    async def open(self) -> Opened:
        """Opens the copy and verifies it.

        Raises:
            QmError: QM503 standby_missing, standby_damaged or standby_too_old.
        """
        async with self._opening:
            if self._opened is None:
                self._opened = await to_thread.run_sync(self._verified)
        read_at = self._opened.rights.read_at
        self._outage.snapshot = read_at
        if datetime.now(UTC) - read_at > self._max_age:
            raise copy_files.unusable(
                "standby_too_old",
                f"is too old: it was read at {read_at.isoformat()}, over {self._max_age} ago",
                "Bring the database back, or raise outage.max_age_h in the settings.",
            )
        return self._opened

    def _verified(self) -> Opened:
        copied = self.latest
        if copied is None:
            copied = copy_files.read(self._data_dir)
        elif not copied.path.is_file() or digest_of(copied.path) != copied.digest:
            raise copy_files.unusable("standby_damaged", f"{copied.path} is missing or was changed")
        return Opened(Rights(copied.rights), Cards(copied.path))

    def _forget(self) -> None:
        self._opened = None

    async def _stored_states(self, copied: CopyFiles | None) -> dict[int, int]:
        if copied is None:
            return {}
        if self._states[0] != copied.digest:
            self._states = (copied.digest, await to_thread.run_sync(states_of, copied.path))
        return self._states[1]

    def _rows(self, cards: list[int]) -> Generator[Row]:
        """Yields the definitions, and reads them from the database page by page, because all pages
        together would need too much memory.

        This generator runs in a thread.
        """
        for first in range(0, len(cards), _PAGE):
            from_thread.check_cancelled()
            yield from from_thread.run(self._page, cards[first : first + _PAGE])

    async def _page(self, cards: list[int]) -> Sequence[Row]:
        return await self._database.call(api.read_definitions(cards=cards), None)
