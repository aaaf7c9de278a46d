"""Measures the memory that the processes of the embedded server use."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from quartermaster.core.hardware import memory_bytes
from quartermaster.substrate import postmaster

_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
# Smaller ones are not told.
_LEAST_SHARE: Final = 0.001


def memory_of_sessions(data: Path) -> dict[str, float]:
    """Returns the private memory of each process of the server, as a share of the machine's memory.

    Private memory is estimated. It is the smaller of two numbers: the resident memory, and the
    memory that the process has mapped in addition to the main process. The main process has mapped
    all shared memory. The memory that a parallel query uses is counted in each of its processes.

    Args:
        data: the cluster's directory.

    Returns:
        The shares by process id. Small shares are left out, and the result is empty if the system
        does not report memory.
    """
    found = postmaster.read(data)
    if found is None:
        return {}
    machine, shares = memory_bytes(), dict[str, float]()
    with suppress(OSError):
        shared, _ = _pages(str(found.pid))
        for pid in Path(f"/proc/{found.pid}/task/{found.pid}/children").read_text().split():
            # A process may end meanwhile.
            with suppress(OSError):
                mapped, resident = _pages(pid)
                share = min(resident, mapped - shared) * _PAGE / machine
                if share > _LEAST_SHARE:
                    shares[pid] = share
    return shares


def _pages(pid: str) -> tuple[int, int]:
    """Returns the number of pages that a process has mapped, and how many of them are in memory."""
    mapped, resident, *_ = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()
    return int(mapped), int(resident)
