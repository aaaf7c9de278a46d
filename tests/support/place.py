"""Where the servers of tests keep their data: in memory, where there is room."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

# Of copies of databases, most of the work would be that of the file system.
_MEMORY: Final = Path("/dev/shm")
_ROOM: Final = 4 * 2**30


def temporary() -> Path:
    """Returns the folder for what is temporary."""
    has_room = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free >= _ROOM
    return _MEMORY if has_room else Path(tempfile.gettempdir())


@contextmanager
def new_place(prefix: str, *, on_disk: bool = False) -> Generator[Path]:
    """Provides a folder that is gone at the end of the block.

    Unlike pytest's own it is open to the user that PostgreSQL runs as.

    Args:
        prefix: of its name.
        on_disk: whether what is committed has to wait for a disk, for what measures that.
    """
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=None if on_disk else temporary()))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
