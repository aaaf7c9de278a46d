"""Processes that see none of our settings and secrets, and of which nothing survives."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import anyio
from anyio.abc import Process

from quartermaster.core import landlock, seccomp
from quartermaster.core.reaped import open_reaped
from quartermaster.core.reaper import GIVES_WAY
from quartermaster.projects.work import worker_for

MEMORY: Final = 3 << 30
running: Final[dict[Process, str | None]] = {}
"""Those that run, for the limit of their memory: for which principal; None while they wait."""
ended_for_memory: Final[set[Process]] = set()
"""Those of them that were ended because all of them together used too much."""
TOO_MUCH_TOGETHER: Final = (
    "was ended, because all processes that read projects used too much memory together. Repeat the "
    "scan when fewer files are scanned"
)
"""Why they were ended, after what a process is."""
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
    """Starts a program. See `stop`.

    Args:
        command: the program with its arguments.
        home: an empty folder.
        folder: the working directory; None: its home.
        reads: the only folders that it may read, besides those of Python, where the kernel has
            Landlock; it may not use the network then. None: no such limit.
        path: the PATH, where it looks for programs.
        streams: its stdin and stderr, as `anyio.open_process` takes them.
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
    running[process] = worker_for()
    return process


async def stop(process: Process) -> None:
    """Ends a process that `start` started, with everything that it started."""
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


def _restriction(home: str, reads: Sequence[Path]) -> Sequence[str]:
    """The options of the reaper for a program that reads only some folders."""
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
    ours = Path(__file__).parents[2]
    folders = (sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parents[1]), ours)
    return tuple(dict.fromkeys(str(Path(folder).resolve()) for folder in folders))
