"""Records calls on disk during an outage, before and after the upstream is called."""

from __future__ import annotations

import threading
from collections.abc import Generator
from pathlib import Path

from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.outage.spool_file import (
    CALLS,
    FOLDER,
    NOTES,
    Record,
    SpoolFile,
    claimed,
    new_file,
    now,
)

_log = get_logger(part="spool")


class Spool:
    """The records of this process, and the records that other processes left behind.

    Args:
        data_dir: the data directory.

    Attributes:
        refused_ends: ends that could not be written to disk; they are kept, because the upstream
            has already done its work.
    """

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / FOLDER
        self._writing = threading.Lock()
        self._open: SpoolFile | None = None
        self._closed: list[SpoolFile] = []
        self.refused_ends: list[Record] = []

    def begin(self, record: Record) -> None:
        """Record the start of a call.

        Raises:
            QmError: QM503 call_not_recorded: the call must not be made.
        """
        try:
            self._append({"event": "begin", "at": now(), **record})
        except OSError as error:
            raise QmError(
                503,
                "call_not_recorded",
                f"The database is unavailable, and the call cannot be recorded in {self._folder}: "
                f"{error.strerror or error}. The call was not made.",
                "Free some space on that disk, or try again when the database is back.",
            ) from error

    def end(self, record: Record) -> None:
        """Record how a call ended; the record stays in memory if the disk fails."""
        record = {"event": "end", "at": now(), **record}
        try:
            self._append(record)
        except OSError as error:
            _log.error("end_not_written", error=str(error))
            self.refused_ends.append(record)

    def is_empty(self) -> bool:
        """Tell whether there are no records to send."""
        return (
            not self.refused_ends
            and not any(self._folder.glob(f"*{CALLS}"))
            and not any(map(_is_left, self._folder.glob(f"*{NOTES}")))
        )

    def take(self) -> Generator[SpoolFile]:
        """Yield the files to send: this process's file, now closed, and files left by others.

        A file that the caller does not remove is yielded again the next time. Close the generator.
        """
        with self._writing:
            if self._open is not None:
                self._closed.append(self._open)
                self._open = None
        for file in list(self._closed):
            yield file
            if not file.path.exists():
                self._closed.remove(file)
        for path in sorted((*self._folder.glob(f"*{CALLS}"), *self._folder.glob(f"*{NOTES}"))):
            if (lock := claimed(path)) is not None:
                file = SpoolFile(path, lock, is_leftover=True)
                try:
                    yield file
                finally:
                    if path.exists():
                        file.release()

    def set_aside(self, lines: list[bytes]) -> Path:
        """Store records that the database rejects in a file for people; returns its path."""
        path = self._folder / "refused.txt"
        with path.open("ab") as file:
            file.write(b"".join(line + b"\n" for line in lines))
        path.chmod(0o600)
        return path

    def _append(self, record: Record) -> None:
        with self._writing:
            if self._open is None:
                self._open = new_file(self._folder, CALLS)
            self._open.append(record)


def _is_left(notes: Path) -> bool:
    lock = claimed(notes)
    if lock is not None:
        lock.close()
    return lock is not None
