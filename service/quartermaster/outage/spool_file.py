"""A file of records of calls, each a line as api.replay_calls takes it.

A file is its writer's while the writer holds its lock; files that nobody holds were left by a
process that is gone.
"""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from quartermaster.core.locks import FileLock

FOLDER: Final = "spool"
CALLS: Final = ".jsonl"
"""Of calls made while the database is away."""
NOTES: Final = ".ends"
"""Of ends that are not in the database yet."""
Record = dict[str, Any]


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

    def append(self, record: Record, *, is_synced: bool = True) -> None:
        """Writes a record; it is on the disk when this returns.

        Args:
            record: to write.
            is_synced: false: it outlives this process, not the machine.

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
            if is_synced:
                os.fsync(file)
        except OSError:
            os.ftruncate(file, size)
            raise

    def clear(self) -> None:
        """Takes all records back."""
        os.ftruncate(self._lock.descriptor, 0)

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


def new_file(folder: Path, suffix: str) -> SpoolFile:
    """An empty one of this process.

    Raises:
        OSError: the disk refuses.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Names sort by time. The lock is taken before another process can find the file.
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
    """The lock of a file whose writer is gone; None while it has a writer."""
    lock = FileLock(path)
    if lock.try_claim() and os.fstat(lock.descriptor).st_nlink:
        return lock
    lock.close()
    return None


def now() -> str:
    """A time, in the form of the records."""
    return datetime.now(UTC).isoformat()
