"""Records the calls of upstreams on disk during an outage, before and after each call."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Generator
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from math import inf
from pathlib import Path
from stat import S_ISREG
from typing import Any, BinaryIO, Final, cast
from uuid import uuid4

from anyio import to_thread

from quartermaster import api
from quartermaster.core.errors import QmError, WaitError
from quartermaster.core.fair_queue import KEPT_FREE, Shares
from quartermaster.core.locks import FileLock
from quartermaster.core.logs import get_logger
from quartermaster.db import Database

FOLDER: Final = "spool"
CALLS: Final = ".jsonl"
"""Suffix of files with calls that were made during an outage."""
NOTES: Final = ".ends"
"""Suffix of files with call ends that the database does not have yet."""
Record = dict[str, Any]
_log = get_logger(part="spool")
_BATCH: Final = 500
# A record has at most the 2,000 characters of a failure, and a few short members.
_MAX_LINE_BYTES: Final = 1_000_000
_SHOWN_BYTES: Final = 1_000
_AGAIN_S: Final = 60.0


class SpoolFile:
    """One locked file of records.

    Args:
        path: path of the file, which is created if necessary.
        lock: the open and locked file.
        is_leftover: whether the process that wrote the file no longer exists.
    """

    def __init__(self, path: Path, lock: FileLock, *, is_leftover: bool) -> None:
        self.path = path
        self.is_leftover = is_leftover
        self._lock = lock

    def append(self, record: Record, *, is_synced: bool = True) -> None:
        """Appends a record. After this function returns, the record survives the end of this
        process.

        Args:
            record: the record to write.
            is_synced: whether the record must also survive a crash of the machine.

        Raises:
            OSError: the record could not be written; a partly written record is removed if
                possible.
        """
        line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        file = self._lock.descriptor
        size = os.fstat(file).st_size
        try:
            written = os.pwrite(file, line, size)
            if written != len(line):
                raise OSError(f"{written} of {len(line)} bytes were written")
            if is_synced:
                os.fsync(file)
        except OSError:
            os.ftruncate(file, size)
            raise

    def clear(self) -> None:
        """Removes all records from the file."""
        os.ftruncate(self._lock.descriptor, 0)

    def read(self) -> tuple[list[Record], list[bytes]]:
        """Returns the records, and the lines that are not valid records.

        If the last line has no line end, it is left out. Its writing was interrupted, so no process
        relies on it. If a line is longer than any record can be, only its beginning is returned.
        """
        records: list[Record] = []
        strange: list[bytes] = []
        with self.path.open("rb") as file:
            while line := file.readline(_MAX_LINE_BYTES):
                if not line.endswith(b"\n"):
                    if _skip_line(file):
                        strange.append(line[:_SHOWN_BYTES])
                elif (record := _record(line)) is not None:
                    records.append(record)
                else:
                    strange.append(line[:-1])
        return records, strange

    def remove(self) -> None:
        """Removes the file after all its records have reached the database."""
        self.path.unlink(missing_ok=True)
        self._lock.close()

    def release(self) -> None:
        """Releases the lock, so that other processes can take the file."""
        self._lock.close()


def new_file(folder: Path, suffix: str) -> SpoolFile:
    """Creates an empty file for the records of this process.

    Raises:
        OSError: the file cannot be written.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    # File names sort by time. The file is locked before another process can find it.
    path = folder / f"{time.time_ns():020d}-{uuid4()}{suffix}"
    making = path.with_suffix(".making")
    lock = FileLock(making)
    lock.claim()
    making.replace(path)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return SpoolFile(path, lock, is_leftover=False)


def claimed(path: Path) -> FileLock | None:
    """Locks a file that was left behind; returns None if another process still writes to it."""
    lock = FileLock(path)
    if lock.try_claim() and os.fstat(lock.descriptor).st_nlink:
        return lock
    lock.close()
    return None


def now() -> str:
    """Returns the current time in the format of the records."""
    return datetime.now(UTC).isoformat()


class Spool:
    """The records of this process, and the records that other processes left behind.

    Args:
        data_dir: the data directory.
        most_bytes: largest size of the records of calls; infinity means no limit.
        kept_free: share of this size that a principal with records must leave free for other
            principals.

    Attributes:
        refused_ends: records of call ends that could not be written to disk. They are kept in
            memory, because the upstream has already done its work.
    """

    def __init__(
        self, data_dir: Path, most_bytes: float = inf, kept_free: float = KEPT_FREE
    ) -> None:
        self._new_shares = partial(Shares, most_bytes, kept_free=kept_free)
        self._shares = self._new_shares()
        self._folder = data_dir / FOLDER
        self._writing = threading.Lock()
        self._open: SpoolFile | None = None
        self._closed: list[SpoolFile] = []
        self.refused_ends: list[Record] = []

    def begin(self, record: Record) -> None:
        """Records the start of a call.

        Raises:
            QmError: QM429 spool_full, QM503 call_not_recorded: the call must not be made.
        """
        line = {"event": "begin", "at": now(), **record}
        # The end of a call is always recorded, so it is counted now.
        size, who = 2 * len(json.dumps(line)), str(record["principal_id"])
        if not self._shares.may_take(who, size):
            raise WaitError(
                "spool_full",
                "The records of your calls in this outage fill your share of the disk space.",
                "Wait until the database is back. An administrator can raise outage.spool_mb.",
                _AGAIN_S,
            )
        try:
            self._append(line)
        except OSError as error:
            raise QmError(
                503,
                "call_not_recorded",
                f"The call was not made: it cannot be recorded in {self._folder}, {error}.",
                "Free some space on that disk, or try again when the database is back.",
            ) from error
        self._shares.take(who, size)

    def end(self, record: Record) -> None:
        """Records how a call ended; if the disk fails, the record is kept in memory."""
        record = {"event": "end", "at": now(), **record}
        try:
            self._append(record)
        except OSError as error:
            _log.error("end_not_written", error=str(error))
            self.refused_ends.append(record)

    def is_empty(self) -> bool:
        """Returns whether there are no records of calls to send."""
        return not self.refused_ends and not self._files(CALLS)

    def take(self) -> Generator[SpoolFile]:
        """Yields the files to send: this process's file, now closed, and files left by others.

        A file that the caller does not remove is yielded again the next time. The caller must close
        the generator.
        """
        with self._writing:
            if self._open is not None:
                self._closed.append(self._open)
                self._open = None
        for file in list(self._closed):
            yield file
            if not file.path.exists():
                self._closed.remove(file)
        if not self._closed and self._open is None:
            self._shares = self._new_shares()
        for path in sorted((*self._files(CALLS), *self._files(NOTES))):
            if (lock := claimed(path)) is not None:
                file = SpoolFile(path, lock, is_leftover=True)
                try:
                    yield file
                finally:
                    if path.exists():
                        file.release()

    def set_aside(self, lines: list[bytes]) -> Path:
        """Writes records that the database rejects to a file for people to examine; returns the
        file's path.
        """
        path = self._folder / "refused.txt"
        with path.open("ab") as file:
            file.write(b"".join(line + b"\n" for line in lines))
        path.chmod(0o600)
        return path

    def _files(self, suffix: str) -> list[Path]:
        """Returns the files with this suffix. Leaves out links, pipes and folders: our processes do
        not create them, and an error with one of them would block the files after it.
        """
        return [path for path in self._folder.glob(f"*{suffix}") if S_ISREG(path.lstat().st_mode)]

    def _append(self, record: Record) -> None:
        with self._writing:
            if self._open is None:
                self._open = new_file(self._folder, CALLS)
            self._open.append(record)


def _skip_line(file: BinaryIO) -> bool:
    """Reads a line to its end; returns whether the line has a line end."""
    while part := file.readline(_MAX_LINE_BYTES):
        if part.endswith(b"\n"):
            return True
    return False


def _record(line: bytes) -> Record | None:
    """Returns the record in a line; None if the line is not a record."""
    try:
        record: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    match record:
        case {"event": "begin", "at": str(), "key": str(), "principal_id": int()}:
            return cast("Record", record)
        case {"event": "end", "key": str()} | {"event": "end", "call_id": int()}:
            return cast("Record", record)
        case _:
            return None


async def replay(database: Database, spool: Spool) -> int:
    """Sends all records; a file is deleted when all its records are committed.

    Returns:
        The number of records that were sent.

    Raises:
        QmError: QM503 database_unavailable: the next replay sends the remaining records.
        OSError: a file cannot be read or removed.
    """
    handed_in = 0
    with closing(spool.take()) as files:
        for file in files:
            handed_in += await _hand_in(database, spool, file)
    while spool.refused_ends:
        await _send(database, [spool.refused_ends[0]])
        spool.refused_ends.pop(0)
        handed_in += 1
    if handed_in:
        _log.info("spool_replayed", records=handed_in)
    return handed_in


async def _hand_in(database: Database, spool: Spool, file: SpoolFile) -> int:
    records, strange = await to_thread.run_sync(file.read)
    if file.is_leftover:
        records += _lost(records)
    refused: list[Record] = []
    for first in range(0, len(records), _BATCH):
        refused += await _send(database, records[first : first + _BATCH])
    aside = [*strange, *(json.dumps(record).encode() for record in refused)]
    if aside:
        path = await to_thread.run_sync(spool.set_aside, aside)
        _log.error("records_refused", lines=len(aside), outage_copy_in=str(path))
    await to_thread.run_sync(file.remove)
    return len(records) - len(refused)


async def _send(database: Database, records: list[Record]) -> list[Record]:
    """Sends records, and returns the records that the database rejects."""
    try:
        await database.call(api.replay_calls(records=records), None)
    except QmError as error:
        if error.status not in {409, 422}:
            raise
        if len(records) == 1:
            _log.error("record_refused", error=str(error))
            return records
        return [refused for record in records for refused in await _send(database, [record])]
    return []


def _lost(records: list[Record]) -> list[Record]:
    """Returns end records for calls whose process died before it recorded how they ended."""
    ended = {record["key"] for record in records if record["event"] == "end" and "key" in record}
    return [
        {
            "event": "end",
            "key": record["key"],
            "started_at": record["at"],
            "at": now(),
            "principal_id": record["principal_id"],
            "outcome": "lost",
            "failure": "the process that made the call died",
        }
        for record in records
        if record["event"] == "begin" and record["key"] not in ended
    ]
