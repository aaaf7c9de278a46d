"""What the figures were measured on."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class HostFacts:
    """Facts that figures depend on.

    Attributes:
        load: average number of running processes in the last minute before the start.
        memory_gb: of the machine.
    """

    cores: int
    processor: str
    memory_gb: float
    load: float
    python: str
    postgresql: str


def describe(postgresql: str) -> HostFacts:
    """This machine, with the version of the server that was started on it."""
    page, pages = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_PHYS_PAGES")
    return HostFacts(
        cores=len(os.sched_getaffinity(0)),
        processor=_processor(),
        memory_gb=round(page * pages / 1e9, 1),
        load=round(os.getloadavg()[0], 2),
        python=platform.python_version(),
        postgresql=postgresql,
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
