"""Calls made while the database is away, written to disk: before the upstream is asked, and after.

A file is its writer's while the writer holds its lock; files that nobody holds were left by a
process that is gone. Each line is a record of api.replay_calls.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from quartermaster.errors import QmError
from quartermaster.logs import get_logger
from quartermaster.substrate.locks import FileLock

FOLDER: Final = "spool"
Record = dict[str, Any]

_log = get_logger(part="spool")


class SpoolFile:
    """One file of records, locked.

    Args:
        path: where it is, or is made.
        lock: its open file, locked.
        is_leftover: whether its writer is gone.
    """

    def __init__(self, path: Path, lock: FileLock, *, is_leftover: bool) -> None:
        self.path = path
        self.is_leftover = is_leftover
        self._lock = lock

    def append(self, record: Record) -> None:
        """Writes a record; it is on the disk when this returns.

        Raises:
            OSError: it is not; what of it was written is taken back, if that can be done.
        """
        line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        file = self._lock.descriptor
        size = os.fstat(file).st_size
        try:
            written = os.pwrite(file, line, size)
            if written != len(line):
                raise OSError(f"{written} of {len(line)} bytes were written")
            os.fsync(file)
        except OSError:
            os.ftruncate(file, size)
            raise

    def read(self) -> tuple[list[Record], list[bytes]]:
        """The records, and the lines that are none.

        A last line without an end was cut short, so nobody has relied on it: it is left out.
        """
        *lines, _cut_short = self.path.read_bytes().split(b"\n")
        records: list[Record] = []
        strange: list[bytes] = []
        for line in lines:
            try:
                records.append(json.loads(line))
            except ValueError:
                strange.append(line)
        return records, strange

    def remove(self) -> None:
        """Removes the file: everything in it is in the database."""
        self.path.unlink(missing_ok=True)
        self._lock.close()

    def release(self) -> None:
        """Leaves the file to others."""
        self._lock.close()


class Spool:
    """What this process writes down, and what others have left.

    Args:
        data_dir: where the folder is.

    Attributes:
        refused_ends: that the disk did not take: the upstream has done its work, so they count.
    """

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / FOLDER
        self._writing = threading.Lock()
        self._open: SpoolFile | None = None
        self._closed: list[SpoolFile] = []
        self.refused_ends: list[Record] = []

    def begin(self, record: Record) -> None:
        """Writes down that a call begins.

        Raises:
            QmError: QM503 call_not_recorded: it must not be made.
        """
        try:
            self._append({"event": "begin", "at": now(), **record})
        except OSError as error:
            raise QmError(
                503,
                "call_not_recorded",
                f"The database is away, and the call cannot be written down in {self._folder}: "
                f"{error.strerror or error}. It was not made.",
                "Make room on that disk, or try again when the database is back.",
            ) from error

    def end(self, record: Record) -> None:
        """Writes down how a call ended; what the disk refuses is kept in memory."""
        record = {"event": "end", "at": now(), **record}
        try:
            self._append(record)
        except OSError as error:
            _log.error("end_not_written", error=str(error))
            self.refused_ends.append(record)

    def is_empty(self) -> bool:
        """Whether there is nothing to hand in."""
        return not self.refused_ends and not any(self._folder.glob("*.jsonl"))

    def take(self) -> Generator[SpoolFile]:
        """The files to hand in: this process's, from now on complete, and those left by others.

        Whoever takes one removes it, or it is there again the next time; close the generator.
        """
        with self._writing:
            if self._open is not None:
                self._closed.append(self._open)
                self._open = None
        for file in list(self._closed):
            yield file
            if not file.path.exists():
                self._closed.remove(file)
        for path in sorted(self._folder.glob("*.jsonl")):
            if (lock := _claimed(path)) is not None:
                file = SpoolFile(path, lock, is_leftover=True)
                try:
                    yield file
                finally:
                    if path.exists():
                        file.release()

    def set_aside(self, lines: list[bytes]) -> Path:
        """Keeps what the database does not take, for people; returns where."""
        path = self._folder / "refused.txt"
        with path.open("ab") as file:
            file.write(b"".join(line + b"\n" for line in lines))
        path.chmod(0o600)
        return path

    def _append(self, record: Record) -> None:
        with self._writing:
            if self._open is None:
                self._open = self._new_file()
            self._open.append(record)

    def _new_file(self) -> SpoolFile:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # In the order of their making; locked before anybody else could find it.
        path = self._folder / f"{time.time_ns():020d}-{uuid4()}.jsonl"
        making = path.with_suffix(".making")
        lock = FileLock(making)
        lock.claim()
        making.replace(path)
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
        return SpoolFile(path, lock, is_leftover=False)


def _claimed(path: Path) -> FileLock | None:
    """The lock of a file whose writer is gone; None while there is one."""
    lock = FileLock(path)
    if lock.try_claim() and os.fstat(lock.descriptor).st_nlink:
        return lock
    lock.close()
    return None


def now() -> str:
    """The moment, as records say it."""
    return datetime.now(UTC).isoformat()
