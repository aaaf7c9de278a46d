"""The outage copy, verified and open while the database is unavailable."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
from anyio import to_thread

from quartermaster.core.errors import QmError
from quartermaster.db import Principal, Subject, key_digest
from quartermaster.outage import files
from quartermaster.outage.cards import Cards
from quartermaster.outage.files import KeptFiles
from quartermaster.outage.keeper import Keeper
from quartermaster.outage.outage import Outage
from quartermaster.outage.rights import Rights
from quartermaster.snapshots.artifact import digest_of


@dataclass(frozen=True)
class Opened:
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
        self._refused: set[str | tuple[str, str]] = set()
        outage.when_over(self._forget)

    async def authenticate(self, key: str) -> Principal:
        """Find the principal of a bearer key.

        Raises:
            QmError: QM401 key_invalid, and the errors of `open`.
        """
        digest = key_digest(key).hex()
        rights = (await self.open()).rights
        found = rights.find_key(digest)
        if found is None or digest in self._refused:
            raise rights.error(
                "key_invalid",
                "the key is not valid, or is newer than the outage copy",
                "Use another key, or wait until the database is back.",
            )
        return found

    async def authenticate_subject(self, subject: Subject) -> Principal:
        """Find the principal of a verified token.

        Raises:
            QmError: QM403 subject_unknown, and the errors of `open`.
        """
        rights = (await self.open()).rights
        found = rights.find_subject(subject)
        if found is None or (subject.issuer, subject.subject) in self._refused:
            raise rights.error(
                "subject_unknown",
                f"the outage copy has no enabled principal for the subject "
                f"{subject.subject[:200]!r} with these claims",
                "Ask an administrator to bind the subject, or wait until the database is back.",
            )
        return found

    async def find_principal(self, name: str) -> Principal:
        """Find a principal by name.

        Raises:
            QmError: QM403 principal_unknown, and the errors of `open`.
        """
        rights = (await self.open()).rights
        found = rights.find_name(name)
        if found is None:
            raise rights.error(
                "principal_unknown",
                f"the outage copy has no enabled principal called {name!r}",
                "Wait until the database is back, or ask an administrator.",
            )
        return found

    def note(self, who: str | Subject, *, is_refused: bool) -> None:
        """Record a key or subject that the database refused, in case an outage begins before the
        copy is updated.

        Args:
            who: a key, or the subject of a token.
            is_refused: whether it was refused; false removes an earlier refusal.
        """
        if not is_refused and not self._refused:
            return
        mark = key_digest(who).hex() if isinstance(who, str) else (who.issuer, who.subject)
        if not is_refused:
            self._refused.discard(mark)
        elif self._keeper.knows(mark):
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
                "The database is unavailable, and the local copy of the catalog is too old "
                f"to use: its data was read from the database at {read_at.isoformat()}, "
                f"more than {self._max_age} ago.",
                "Bring the database back, or raise outage.max_age_h in the settings.",
            )
        return self._opened

    def _verified(self) -> Opened:
        kept = self._keeper.latest
        if kept is None:
            kept = files.read(self._data_dir)
        elif not _is_whole(kept, self._data_dir):
            raise files.damaged(f"{kept.artifact} is missing or differs from the signed file")
        return Opened(Rights(kept.rights), Cards(kept.path(self._data_dir)))

    def _forget(self) -> None:
        self._opened = None


def _is_whole(kept: KeptFiles, data_dir: Path) -> bool:
    path = kept.path(data_dir)
    return path.is_file() and digest_of(path) == kept.artifact_hash
