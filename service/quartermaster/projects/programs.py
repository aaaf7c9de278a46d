"""Programs of the environment, such as checkers: each ends in time, and nothing of it survives."""

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
    """A program that has ended.

    Attributes:
        code: its exit status.
        out: what it wrote to stdout.
        err: what it wrote to stderr.
    """

    code: int
    out: bytes
    err: bytes


def how_to_install(requirement: str) -> str:
    """Returns the command that installs a package into the environment of Quartermaster, whoever
    made it: `make setup`, pipx, uv or venv.

    Args:
        requirement: the package, as pip takes it.
    """
    return shlex.join([sys.executable, "-m", "pip", "install", requirement])


def program(name: str) -> str | None:
    """Returns the path of a program, first of this Python's environment, then of the PATH."""
    beside = shutil.which(name, path=str(Path(sys.executable).parent))
    return beside or shutil.which(name)


async def run(
    command: Sequence[str], data: bytes, *, folder: Path | None = None, timeout_s: float
) -> Done:
    """Runs a program.

    Args:
        command: the program with its arguments.
        data: what it reads from stdin.
        folder: the working directory; None: an empty one, so that it finds no settings.
        timeout_s: seconds after which it is killed; see `processes.time_limit`.

    Raises:
        WorkerError: it was ended because all processes together used too much memory.
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
