"""Advisory file locks, which the kernel releases whenever the process that has the lock dies."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from quartermaster.core.paths import give_to_owner


class FileLock:
    """An open lock file that is not locked yet.

    Args:
        path: lock file; created with mode 0600 if it is missing. A symbolic link is refused.
    """

    def __init__(self, path: Path) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            self.descriptor = os.open(path, flags | os.O_EXCL, 0o600)
        except FileExistsError:
            self.descriptor = os.open(path, flags, 0o600)
        else:
            give_to_owner(self.descriptor, path.parent)

    def share(self) -> None:
        """Acquires the lock as a shared lock; waits while another process has the lock
        exclusively.
        """
        fcntl.flock(self.descriptor, fcntl.LOCK_SH)

    def claim(self) -> None:
        """Acquires the lock exclusively; waits until no other process has the lock."""
        fcntl.flock(self.descriptor, fcntl.LOCK_EX)

    def try_claim(self) -> bool:
        """Tries to acquire the lock exclusively without waiting; returns whether it succeeded."""
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        """Releases the lock, unless another process has inherited the open file."""
        os.close(self.descriptor)


def is_claimed(path: Path) -> bool:
    """Returns whether a process has the lock of a file exclusively. Unlike an attempt to lock the
    file, this check cannot block another process.

    Returns:
        Whether the file is locked; also False if the system does not provide this information.
    """
    try:
        lock = f":{path.stat().st_ino} "
        lines = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return False
    return any(lock in line and " FLOCK " in line and " WRITE " in line for line in lines)


@contextmanager
def exclusive(path: Path) -> Generator[None]:
    """Locks a file exclusively for the duration of the block."""
    with closing(FileLock(path)) as lock:
        lock.claim()
        yield
