"""Reads facts about processes that this process did not start."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

_TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_MAX_PROCESSES: Final = 1_000


def processor_seconds(pid: int) -> float:
    """Returns the processor time in seconds that a process and its descendants have used, including
    ended ones; 0 if it is unknown.
    """
    ticks, waiting, seen = 0, [pid], 0
    while waiting and seen < _MAX_PROCESSES:
        process = Path(f"/proc/{waiting.pop()}")
        seen += 1
        try:
            # The command name, which is in parentheses, may contain spaces and parentheses.
            fields = (process / "stat").read_text(errors="replace").rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))
            for task in (process / "task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
        except (OSError, ValueError):
            continue
    return ticks / _TICKS_PER_S
