"""The outage copy, verified and open while the database is unavailable."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import anyio
from anyio import to_thread

from quartermaster.core.errors import QmError
from quartermaster.db import Principal, Subject
from quartermaster.outage import files
from quartermaster.outage.cards import Cards
from quartermaster.outage.keeper import Keeper
from quartermaster.outage.outage import Outage
from quartermaster.outage.rights import NEWER, Mark, Rights, mark_of
from quartermaster.snapshots.artifact import digest_of


class Opened(NamedTuple):
    """The open copy: rights and cards."""

    rights: Rights
    cards: Cards


class Kept:
    """The outage copy, opened when an outage first needs it, and closed when the outage ends.

    Args:
        data_dir: the data directory.
        keeper: keeper of this process; the rights that it read last are at least as new as any
            file.
        outage: state of the outage, in which the time of the copy is recorded.
        max_age: age above which the copy is not used.
    """

    def __init__(self, data_dir: Path, keeper: Keeper, outage: Outage, max_age: timedelta) -> None:
        self._data_dir = data_dir
        self._keeper = keeper
        self._outage = outage
        self._max_age = max_age
        self._opening = anyio.Lock()
        self._opened: Opened | None = None
        self._refused: set[Mark] = set()
        outage.when_over(self._forget)

    async def authenticate(self, who: str | Subject) -> Principal:
        """Find the principal of a bearer key or of a verified token.

        Raises:
            QmError: QM401 key_invalid, QM403 subject_unknown, and the errors of `open`.
        """
        rights = (await self.open()).rights
        found = rights.find(who)
        if found is None or mark_of(who) in self._refused:
            slug = "key_invalid" if isinstance(who, str) else "subject_unknown"
            raise rights.error(slug, hint=NEWER)
        return found

    async def find_principal(self, name: str) -> Principal:
        """Find a principal by name.

        Raises:
            QmError: QM403 principal_unknown, and the errors of `open`.
        """
        rights = (await self.open()).rights
        found = rights.find_name(name)
        if found is None:
            raise rights.error("principal_unknown", hint=NEWER)
        return found

    def note(self, who: str | Subject, *, is_refused: bool) -> None:
        """Record a key or subject that the database refused, in case an outage begins before the
        copy is updated.

        Args:
            who: a key, or the subject of a token.
            is_refused: whether it was refused; false removes an earlier refusal.
        """
        mark = mark_of(who)
        if not is_refused:
            self._refused.discard(mark)
        elif mark in self._keeper.known:
            # This set contains only known keys. Unknown keys are refused anyway, and storing them
            # would use more and more memory.
            self._refused.add(mark)

    async def open(self) -> Opened:
        """Open the copy and verify it.

        Raises:
            QmError: QM503 standby_missing, standby_damaged or standby_too_old.
        """
        async with self._opening:
            if self._opened is None:
                self._opened = await to_thread.run_sync(self._verified)
        read_at = self._opened.rights.read_at
        self._outage.snapshot = read_at
        if datetime.now(UTC) - read_at > self._max_age:
            raise QmError(
                503,
                "standby_too_old",
                "The database is unavailable, and the local copy of the catalog is too old to use: "
                f"it was read at {read_at.isoformat()}, more than {self._max_age} ago.",
                "Bring the database back, or raise outage.max_age_h in the settings.",
            )
        return self._opened

    def _verified(self) -> Opened:
        kept = self._keeper.latest
        if kept is None:
            kept = files.read(self._data_dir)
        elif not kept.path.is_file() or digest_of(kept.path) != kept.digest:
            raise files.damaged(f"{kept.path} is missing or differs from the signed file")
        return Opened(Rights(kept.rights), Cards(kept.path))

    def _forget(self) -> None:
        self._opened = None
