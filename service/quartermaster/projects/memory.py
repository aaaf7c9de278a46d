"""Limits the memory that all processes for projects use together."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from typing import Final

from quartermaster.core.logs import get_logger
from quartermaster.core.reaper import usage
from quartermaster.projects.isolated_processes import ended_for_memory, running
from quartermaster.settings.sections import LimitSettings

_SHARE_OF_MACHINE: Final = 0.5
log = get_logger(part="projects")


def bound_memory(limits: LimitSettings) -> None:
    """Ends processes until all processes for projects together use no more memory than the setting
    allows.

    The scan for which an ended process worked fails, and its error gives the reason. Without /proc,
    the memory use is unknown, so only the limit of each process applies.
    """
    end_largest(limits.project_memory_mb * 2**20 or _of_machine())


def end_largest(most: int) -> None:
    """Ends processes until the others together use at most this number of bytes of memory. Ends
    idle processes first, and then the largest process of the principal whose processes use most.
    """
    held = {process: usage(process.pid)[0] for process in running}
    owners = dict(running)
    while (total := sum(held.values())) > most:
        of_owner = Counter[str | None]()
        for process, used in held.items():
            of_owner[owners[process]] += used
        owner = None if None in of_owner else max(of_owner, key=lambda each: of_owner[each])
        own = [process for process in held if owners[process] == owner]
        largest = max(own, key=lambda each: held[each])
        mb = held.pop(largest) // 2**20
        ended_for_memory.add(largest)
        with suppress(ProcessLookupError):
            largest.terminate()
        log.warning("project_process_ended", used_mb=mb, all_mb=total // 2**20)


def _of_machine() -> int:
    pages = os.sysconf("SC_PHYS_PAGES")
    return int(_SHARE_OF_MACHINE * pages * os.sysconf("SC_PAGE_SIZE"))
