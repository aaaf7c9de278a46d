"""CPU and memory of the processes between a client and an upstream."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from tests.support.instance import descendants
from tests.support.upstreams import is_running

_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def between(roots: Iterable[int], upstream: str) -> set[int]:
    """Returns the process ids of some processes and all below them that run now.

    Args:
        roots: process ids.
        upstream: file name of the upstream's program; it is left out.
    """
    family = {pid for root in roots for pid in {root, *descendants(root)}}
    return {pid for pid in family if is_running(pid) and not _runs(pid, upstream)}


def cpu_s(pids: Iterable[int]) -> float:
    """Returns seconds of CPU that they have used since they began, with children they have
    outlived.
    """
    return sum(sum(map(int, _stat(pid)[11:15])) for pid in pids if is_running(pid)) / _TICKS_PER_S


def memory_mb(pids: Iterable[int]) -> float:
    """Proportional set size of all of them, in 1e6 bytes: shared pages are counted once."""
    return round(sum(_pss_kb(pid) for pid in pids if is_running(pid)) * 1024 / 1e6, 1)


def _pss_kb(pid: int) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def _stat(pid: int) -> list[str]:
    text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    return text.rpartition(")")[2].split()


def _runs(pid: int, script: str) -> bool:
    """Returns whether it is Python with that script; others may have the script among their
    arguments.
    """
    try:
        words = Path(f"/proc/{pid}/cmdline").read_text(errors="replace").split("\0")
    except OSError:
        return False
    return len(words) > 1 and words[1].endswith(script)
