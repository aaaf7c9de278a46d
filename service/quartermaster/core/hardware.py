"""Finds out how much memory this machine has."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

# The limits of a container, in the two versions of control groups.
_LIMITS: Final = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def memory_bytes() -> int:
    """Returns the memory of the machine, or the limit of the container if that is lower."""
    sizes = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for limit in _LIMITS:
        # Where there is no limit, the file is missing or contains a word.
        with suppress(OSError, ValueError):
            sizes.append(int(limit.read_text(encoding="ascii")))
    return min(sizes)
