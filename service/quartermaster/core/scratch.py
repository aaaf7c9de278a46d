"""Temporary folders that are removed at the next start if the process that created them was
killed.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

Kind = Literal["scan", "git", "trial", "probe", "check"]
_KINDS: Final[tuple[Kind, ...]] = ("scan", "git", "trial", "probe", "check")
_NEW_PREFIX: Final = "qm-new-"


class Scratch:
    """An empty temporary folder, as a context manager or until `cleanup`.

    The folder is locked while its owner lives. The lock ends with the process, however the process
    ends. Other containers that share the folder for temporary files see the lock.

    Attributes:
        name: path of the folder.
    """

    def __init__(self, kind: Kind) -> None:
        """Creates the folder; its name begins with ``qm-KIND-``."""
        new = Path(tempfile.mkdtemp(prefix=_NEW_PREFIX))
        self._lock = os.open(new, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        # Nobody takes it for a folder without an owner before it is locked.
        self.name = str(
            new.rename(new.with_name(f"qm-{kind}-{new.name.removeprefix(_NEW_PREFIX)}"))
        )

    def cleanup(self) -> None:
        """Removes the folder as far as possible."""
        shutil.rmtree(self.name, ignore_errors=True)
        os.close(self._lock)

    def __enter__(self) -> str:
        return self.name

    def __exit__(self, *raised: object) -> None:
        self.cleanup()


def remove_left() -> list[str]:
    """Removes the folders of this user whose owners have ended; returns their paths.

    Folders of running services are not removed, even if another user runs the service.
    """
    removed: list[str] = []
    for path in _folders():
        with suppress(OSError):
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if os.fstat(lock).st_uid == os.geteuid():
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path, ignore_errors=True)
                    removed.append(str(path))
            finally:
                os.close(lock)
    return removed


def _folders() -> Iterator[Path]:
    top = Path(tempfile.gettempdir())
    for kind in _KINDS:
        yield from top.glob(f"qm-{kind}-*")
