"""Starts processes that cannot see our settings and secrets. When such a process ends, all its
descendants end, too.
"""

from __future__ import annotations

import asyncio
import json
import platform
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import anyio
from anyio.abc import Process

from quartermaster.core import landlock, seccomp
from quartermaster.core.kind_packages import GROUP, entries
from quartermaster.core.reaped import open_reaped
from quartermaster.core.reaper import GIVES_WAY
from quartermaster.projects.work import principal_at_work

MEMORY: Final = 3 << 30
running: Final[dict[Process, str | None]] = {}
"""The running processes, for the memory limit. Each is mapped to the principal for whom it works;
None while it waits for work.
"""
ended_for_memory: Final[set[Process]] = set()
"""Those running processes that were ended because all processes together used too much memory."""
TOO_MUCH_TOGETHER: Final = (
    "was ended, because all processes that read projects used too much memory together. Repeat the "
    "scan when fewer files are scanned"
)
"""The reason why they were ended, as a clause. The subject of the clause is added before it."""
# How much later a process is ended at most because it waited for a processor.
_MOST_WAITED_S: Final = 600.0
# What Python and its libraries read of a machine.
_MACHINE: Final = ("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/dev/urandom")


async def start(
    command: Sequence[str],
    home: str,
    folder: Path | None = None,
    reads: Sequence[Path] | None = None,
    path: str = "",
    **streams: Any,
) -> Process:
    """Starts a program. `stop` must end it.

    Args:
        command: the program with its arguments.
        home: an empty folder.
        folder: the working directory; None means its home.
        reads: the only folders that the program may read, in addition to Python's folders. The
            program then may not use the network, either. Both limits need a kernel with Landlock.
            None means no limits.
        path: the value of PATH for the program.
        streams: the program's stdin and stderr, in the form that `ChildProcess.start` expects.
    """
    restricted = () if reads is None else _restriction(home, reads)
    process = await open_reaped(
        command,
        ["--grace", "0.2", "--memory", str(MEMORY), "--nice", str(GIVES_WAY), *restricted],
        stdout=subprocess.PIPE,
        cwd=folder or home,
        env={"PATH": path, "HOME": home, "TMPDIR": home, "LC_ALL": "C.UTF-8", "NO_COLOR": "1"},
        **streams,
    )
    running[process] = principal_at_work()
    return process


async def stop(process: Process) -> None:
    """Ends a process that `start` has started, with all its descendants."""
    running.pop(process, None)
    ended_for_memory.discard(process)
    with anyio.CancelScope(shield=True):
        if process.returncode is None:
            process.terminate()
            with anyio.move_on_after(5):
                await process.wait()
        if process.returncode is None:
            process.kill()
        await process.aclose()


@contextmanager
def time_limit(pid: int, seconds: float) -> Generator[None]:
    """Ends the block when a process has used up its time. Seconds in which the process waited for a
    processor do not count. The process has a low priority, so on a busy machine it may wait much
    longer than it works. If the kernel does not report waiting times, all seconds count.

    Args:
        pid: id of the process; its descendants' waiting times count, too.
        seconds: the time limit.

    Raises:
        TimeoutError: the time limit is reached.
    """
    loop = asyncio.get_running_loop()
    begun, before = loop.time(), _waits(pid)
    with anyio.fail_after(None) as scope:

        def look() -> None:
            nonlocal timer
            waited = sum(
                max((wait - before.get(task, 0) for task, wait in level.items()), default=0)
                for level in _waits_by_level(pid)
            )
            left = begun + seconds + min(waited, _MOST_WAITED_S) - loop.time()
            if left > 0:
                timer = loop.call_later(left, look)
            else:
                scope.deadline = loop.time()

        timer = loop.call_later(seconds, look)
        try:
            yield
        finally:
            timer.cancel()


def _waits(pid: int) -> dict[Path, float]:
    return {task: wait for level in _waits_by_level(pid) for task, wait in level.items()}


def _waits_by_level(pid: int) -> Iterator[dict[Path, float]]:
    """Yields, level by level, the seconds that each thread waited for a processor. The first level
    is the calling thread, because while it waits, nobody notices that a program has ended. The
    process and its descendants follow, parents before children. A parent waits first and then its
    child, so the waiting times of the levels add up.
    """
    own = Path(f"/proc/self/task/{threading.get_native_id()}")
    yield _wait_of(own)
    processes = [pid]
    while processes:
        level: dict[Path, float] = {}
        below: list[int] = []
        for process in processes:
            with suppress(OSError):
                for task in Path(f"/proc/{process}/task").iterdir():
                    level |= _wait_of(task)
                    below += map(int, (task / "children").read_text(encoding="ascii").split())
        yield level
        processes = below


def _wait_of(task: Path) -> dict[Path, float]:
    with suppress(OSError, IndexError):
        return {task: int((task / "schedstat").read_text(encoding="ascii").split()[1]) / 1e9}
    return {}


def _restriction(home: str, reads: Sequence[Path]) -> Sequence[str]:
    """Returns the options of the reaper for a program that may read only some folders."""
    known = _landlock()
    if not known:
        return ()
    files = {
        "read": [*_MACHINE, *_folders_of_python(), *map(str, reads)],
        "write": [home, "/dev/null"],
        "known": known,
    }
    calls = {"network": False, "shares_user": True, "known": known}
    return "--restrict", json.dumps({"files": files, "calls": calls})


@cache
def _landlock() -> int:
    return landlock.version() if platform.machine() in seccomp.ARCHITECTURES else 0


@cache
def _folders_of_python() -> tuple[str, ...]:
    # An editable package, ours or that of a kind, may lie anywhere.
    packages = {"quartermaster", *(entry.module.partition(".")[0] for entry in entries(GROUP))}
    found = [find_spec(name) for name in sorted(packages)]
    places = [place for spec in found if spec for place in spec.submodule_search_locations or ()]
    ours = [Path(place).parent for place in places]
    folders = (sys.prefix, sys.base_prefix, Path(sys.executable).resolve().parents[1], *ours)
    return tuple(dict.fromkeys(str(Path(folder).resolve()) for folder in folders))
