"""Advisory file locks, which the kernel releases when their holder dies, however it dies."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


class FileLock:
    """One open lock file, not yet locked.

    Args:
        path: made when absent, mode 0600; a symbolic link is refused.
    """

    def __init__(self, path: Path) -> None:
        self.descriptor = os.open(
            path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600
        )

    def share(self) -> None:
        """Hold it together with others; waits for an exclusive holder."""
        fcntl.flock(self.descriptor, fcntl.LOCK_SH)

    def claim(self) -> None:
        """Hold it alone; waits for every other holder."""
        fcntl.flock(self.descriptor, fcntl.LOCK_EX)

    def try_claim(self) -> bool:
        """Tries to hold it alone, without waiting; returns whether that worked."""
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        """Releases it. A process that inherited the open file still holds the lock."""
        os.close(self.descriptor)


@contextmanager
def exclusive(path: Path) -> Generator[None]:
    """Inside the block, no other process holds the lock of this file."""
    lock = FileLock(path)
    try:
        lock.claim()
        yield
    finally:
        lock.close()
