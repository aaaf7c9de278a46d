"""A file of call records, one a line, in the format of api.replay_calls.

A file belongs to the process that holds its lock. A file that nobody has locked was left behind by
a process that no longer exists.
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
"""Suffix of files with calls that were made during an outage."""
NOTES: Final = ".ends"
"""Suffix of files with call ends that the database does not have yet."""
Record = dict[str, Any]


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
        """Append a record, which is on the disk when this returns.

        Args:
            record: the record to write.
            is_synced: whether the record must survive a crash of the machine, not only of this
                process.

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
        """Remove all records."""
        os.ftruncate(self._lock.descriptor, 0)

    def read(self) -> tuple[list[Record], list[bytes]]:
        """Return the records, and the lines that are not valid records.

        A last line without a line end was cut short, so nobody relies on it, and it is left out.
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
        """Remove the file after all its records have reached the database."""
        self.path.unlink(missing_ok=True)
        self._lock.close()

    def release(self) -> None:
        """Release the lock, so that other processes can take the file."""
        self._lock.close()


def new_file(folder: Path, suffix: str) -> SpoolFile:
    """Create an empty file for this process.

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
    """Lock a file that was left behind; returns None if another process still writes to it."""
    lock = FileLock(path)
    if lock.try_claim() and os.fstat(lock.descriptor).st_nlink:
        return lock
    lock.close()
    return None


def now() -> str:
    """Return the current time in the format of the records."""
    return datetime.now(UTC).isoformat()
