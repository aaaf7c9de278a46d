"""Runs programs of the environment, such as checkers, with a time limit. No process that a program
starts survives the program.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import anyio
from anyio.abc import ByteReceiveStream, Process

from quartermaster.core.scratch import Scratch
from quartermaster.projects.isolated_processes import (
    TOO_MUCH_TOGETHER,
    ended_for_memory,
    start,
    stop,
    time_limit,
)
from quartermaster.projects.worker_calls import WorkerError

_MOST_OUTPUT: Final = 16 << 20


@dataclass(frozen=True)
class Done:
    """The result of a program that has ended.

    Attributes:
        code: its exit status.
        out: its output to stdout.
        err: its output to stderr.
    """

    code: int
    out: bytes
    err: bytes


def how_to_install(requirement: str) -> str:
    """Returns the command that installs a package into the environment of Quartermaster, which
    `make setup`, pipx, uv or venv may have created.

    Args:
        requirement: the package, in the form that pip expects.
    """
    return shlex.join([sys.executable, "-m", "pip", "install", requirement])


def program(name: str) -> str | None:
    """Returns the path of a program. Looks for the program in this Python's environment, and then
    in the PATH.
    """
    beside = shutil.which(name, path=str(Path(sys.executable).parent))
    return beside or shutil.which(name)


async def run(
    command: Sequence[str], data: bytes, *, folder: Path | None = None, timeout_s: float
) -> Done:
    """Runs a program.

    Args:
        command: the program with its arguments.
        data: bytes for the program's stdin.
        folder: the working directory; None means an empty folder, in which the program finds no
            settings.
        timeout_s: seconds after which the program is killed; see `isolated_processes.time_limit`.

    Raises:
        WorkerError: the program was ended because all processes together used too much memory.
        TimeoutError: it did not end in time.
        OSError: it cannot be started.
    """
    with Scratch("scan") as empty, tempfile.TemporaryFile() as given:
        given.write(data)
        given.seek(0)
        process = await start(command, empty, folder, stdin=given, stderr=subprocess.PIPE)
        try:
            with time_limit(process.pid, timeout_s):
                done = await _outcome(process)
            if process in ended_for_memory:
                raise WorkerError(f"The checker {TOO_MUCH_TOGETHER}.")
            return done
        finally:
            await stop(process)


async def _outcome(process: Process) -> Done:
    out, err = bytearray(), bytearray()

    async def collect(stream: ByteReceiveStream | None, into: bytearray) -> None:
        assert stream is not None
        async for chunk in stream:
            # What is cut off cannot be parsed later: the scan ends as an error.
            into += chunk[: max(0, _MOST_OUTPUT - len(into))]

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(collect, process.stdout, out)
        tasks.start_soon(collect, process.stderr, err)
    return Done(await process.wait(), bytes(out), bytes(err))
