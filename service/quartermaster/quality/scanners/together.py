"""All scanners of a file at once: those that apply run side by side, each with its own end."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import anyio

from quartermaster import __version__
from quartermaster.projects.guard import Guard
from quartermaster.quality.findings import Finding, Scan, Status
from quartermaster.quality.scanners.interface import (
    COVERAGE_FILE,
    OTHER_SUFFIXES,
    PYTHON_SUFFIXES,
    Settings,
    Source,
)
from quartermaster.quality.scanners.programs import PACKAGES, Installed, installed, program
from quartermaster.quality.scanners.ruff import Ruff
from quartermaster.quality.scanners.secrets import without_secrets
from quartermaster.quality.scanners.ty import Ty
from quartermaster.quality.scanners.workers import InWorker, Workers

QUICK: Final = ("ruff",)
SECURITY: Final = ("taint", "bandit", "ruff", "secrets", "messaging")
OWN: Final = ("taint", "messaging", "decisions")
FULL: Final = (*(name for name in PACKAGES if name != "hadolint"), *OWN)
_MOST_PROJECTS: Final = 3
_LITERAL: Final = re.compile(r"Literal\[[^\]\n]*\]")


@dataclass(frozen=True)
class Coverage:
    """The project's coverage data.

    Attributes:
        data: bytes of the data file; empty if there is none.
        facts: what the scanner has to know besides, as JSON.
    """

    data: bytes = b""
    facts: bytes = b"{}"


def coverage_of(guard: Guard, path: str, new_lines: Sequence[int] | None = None) -> Coverage:
    """Reads the coverage data of a project for one of its files.

    Args:
        guard: of the project.
        path: path of the file.
        new_lines: numbers of the lines whose coverage is measured apart.
    """
    measured, changed = guard.facts(COVERAGE_FILE), guard.facts(path)
    if measured is None or changed is None:
        return Coverage()
    known = {
        "root": str(guard.root),
        "file_changed": changed[1],
        "data_changed": measured[1],
        "new_lines": None if new_lines is None else list(new_lines),
    }
    return Coverage(guard.read(COVERAGE_FILE).data, json.dumps(known).encode())


class Scanners:
    """All scanners, with the processes in which they run.

    Args:
        size: largest number of files and scanners that are worked on at a time.
    """

    def __init__(self, size: int = 2) -> None:
        self._workers = Workers(size)
        # mypy remembers a project; so each has a worker of its own.
        self._types: dict[Path | None, Workers] = {}
        self._programs = {scanner.name: scanner for scanner in (Ruff(), Ty())}
        python = PYTHON_SUFFIXES
        self._suffixes: dict[str, frozenset[str]] = {
            **dict.fromkeys(("bandit", "radon", "vulture", "coverage", "mypy", *OWN), python),
            "lizard": OTHER_SUFFIXES,
            "secrets": frozenset(),
        }

    async def warm(self) -> None:
        """Starts the workers, so that the first scan is quick."""
        names = ("bandit", "radon", "vulture", "secrets", "lizard", "coverage")
        there = [name for name in names if not _package(name).problem]
        await self._workers.warm([*there, *OWN])

    async def scan(
        self,
        source: Source,
        settings: Settings,
        names: Sequence[str] = FULL,
        coverage: Coverage | None = None,
        decisions: bytes | None = None,
    ) -> tuple[Scan, ...]:
        """Scans a file with the named scanners that are meant for its kind.

        Args:
            source: the file.
            settings: what the scans depend on.
            names: names of scanners.
            coverage: the project's coverage data.
            decisions: the project's decisions, as `rules_of` returns them.

        Returns:
            One scan for each scanner that is meant for this kind of file, in the order of the
            names. A scanner that could not look is there too, with its reason.
        """
        applying = self.applying(source, names)
        done: dict[str, Scan] = {}

        async def one(name: str) -> None:
            done[name] = _clean(await self._scan(name, source, settings, coverage, decisions))

        async with anyio.create_task_group() as tasks:
            for name in applying:
                tasks.start_soon(one, name)
        return tuple(done[name] for name in applying)

    async def aclose(self) -> None:
        """Ends all processes."""
        for workers in (self._workers, *self._types.values()):
            await workers.aclose()
        self._types.clear()

    def applying(self, source: Source, names: Sequence[str]) -> list[str]:
        """Those of the named scanners that are meant for this kind of file."""
        return [name for name in names if self._applies(name, source)]

    def _applies(self, name: str, source: Source) -> bool:
        if name in self._programs:
            return self._programs[name].applies(source)
        # It says of code that nobody reads that nobody has read it.
        if name == "taint" and source.unread_language is not None:
            return True
        suffixes = self._suffixes[name]
        return not suffixes or source.suffix in suffixes

    async def _scan(
        self,
        name: str,
        source: Source,
        settings: Settings,
        coverage: Coverage | None,
        decisions: bytes | None,
    ) -> Scan:
        if name in self._programs:
            return await self._programs[name].scan(source, settings)
        if name == "taint" and source.unread_language is not None:
            reason = f"No scanner reads {source.unread_language}."
            return Scan(name, __version__, Status.SKIPPED, reason)
        workers = await self._workers_of(settings.mirror) if name == "mypy" else self._workers
        # Our own rules for secrets look even if detect-secrets is missing.
        scanner = InWorker(name, workers, self._suffixes[name], needs_package=name != "secrets")
        if name == "coverage":
            given = coverage or Coverage()
            return await scanner.scan(source, settings, data=given.data, facts=given.facts)
        if name == "decisions":
            if decisions is None:
                reason = (
                    "Decisions belong to a project, but this file does not. Add a project: "
                    "`qm project add PATH`."
                )
                return Scan(name, __version__, Status.SKIPPED, reason)
            return await scanner.scan(source, settings, rules=decisions)
        return await scanner.scan(source, settings)

    async def _workers_of(self, mirror: Path | None) -> Workers:
        workers = self._types.pop(mirror, None) or Workers(1)
        self._types[mirror] = workers  # the last is the latest used
        while len(self._types) > _MOST_PROJECTS:
            oldest = next(iter(self._types))
            await self._types.pop(oldest).aclose()
        return workers


def available() -> dict[str, Installed]:
    """Each scanner with its version, or why it cannot be used."""
    found = {name: _package(name) for name in PACKAGES}
    for name in ("ruff", "ty", "hadolint"):
        if not found[name].problem and program(name) is None:
            problem = f"The program {name} is missing. Install the package {name} again."
            found[name] = Installed(found[name].version, problem)
    return found | dict.fromkeys(OWN, Installed(__version__))


def _package(name: str) -> Installed:
    return installed(*PACKAGES[name])


def _clean(scan: Scan) -> Scan:
    """Removes values that a scanner may have quoted in its messages."""
    return replace(scan, findings=tuple(map(_without_values, scan.findings)))


def _without_values(finding: Finding) -> Finding:
    message = without_secrets(_LITERAL.sub("Literal[...]", finding.message))
    return finding if message == finding.message else replace(finding, message=message)
