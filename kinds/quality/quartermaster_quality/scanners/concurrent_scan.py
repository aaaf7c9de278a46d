"""Runs all applicable scanners of a file concurrently. If one scanner fails, the others still
finish.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

import anyio

from quartermaster import __version__
from quartermaster.core.findings import Finding, Scan, Status
from quartermaster.projects.guard import ProjectFileAccess
from quartermaster.projects.workers import ProjectWorkers, Workers
from quartermaster_quality.scanners.in_worker import OWN_SCANNERS, InWorker, load
from quartermaster_quality.scanners.interface import (
    COVERAGE_FILE,
    OTHER_SUFFIXES,
    PYTHON_SUFFIXES,
    ScanOptions,
    SourceFile,
)
from quartermaster_quality.scanners.of_kinds import OfKind, of_kinds
from quartermaster_quality.scanners.programs import PACKAGES, ScannerInstallation, ready
from quartermaster_quality.scanners.ruff import Ruff
from quartermaster_quality.scanners.scanner import Scanner
from quartermaster_quality.scanners.secrets import without_secrets
from quartermaster_quality.scanners.suppressions import NAME as SUPPRESSIONS
from quartermaster_quality.scanners.suppressions import marked, may_have_words
from quartermaster_quality.scanners.ty import Ty

QUICK_SCANNERS: Final = ("ruff", SUPPRESSIONS)
SECURITY: Final = ("taint", "bandit", "ruff", "secrets", "messaging", SUPPRESSIONS)
_LITERAL: Final = re.compile(r"Literal\[[^\]\n]*\]?")


def coverage_of(
    guard: ProjectFileAccess, path: str, new_lines: Sequence[int] | None = None
) -> dict[str, bytes]:
    """Returns the data that the scanner ``coverage`` needs in addition to the file: the project's
    coverage data, and facts as JSON. Returns an empty mapping if there is no coverage data.

    Args:
        guard: opens the files of the project.
        path: path of the file.
        new_lines: numbers of the new lines, whose coverage is measured separately.
    """
    measured, changed = guard.facts(COVERAGE_FILE), guard.facts(path)
    if measured is None or changed is None:
        return {}
    known = {
        "root": str(guard.root),
        "file_changed": changed[1],
        "data_changed": measured[1],
        "new_lines": None if new_lines is None else list(new_lines),
    }
    return {"data": guard.read(COVERAGE_FILE).data, "facts": json.dumps(known).encode()}


class Scanners:
    """All scanners, with the processes in which they run.

    Args:
        size: maximum number of workers. A worker scans one file with one scanner at a time.
    """

    def __init__(self, size: int = 3) -> None:
        self._workers = Workers(size)
        self._types = ProjectWorkers()
        python = ("bandit", "radon", "vulture", "coverage", *OWN_SCANNERS)
        self._scanners: dict[str, Scanner] = {
            **{name: InWorker(name, self._workers, PYTHON_SUFFIXES) for name in python},
            "mypy": InWorker("mypy", self._types, PYTHON_SUFFIXES),
            "lizard": InWorker("lizard", self._workers, OTHER_SUFFIXES),
            # Our own rules for secrets look even if detect-secrets is missing.
            "secrets": InWorker("secrets", self._workers, needs_package=False),
            SUPPRESSIONS: InWorker(SUPPRESSIONS, self._workers),
            "ruff": Ruff(),
            "ty": Ty(),
        }

    async def warm(self) -> None:
        """Starts the workers in advance, so that the first scan is fast."""
        await self._workers.warm(load)

    async def scan(
        self,
        source: SourceFile,
        settings: ScanOptions,
        names: Sequence[str],
        extra: Mapping[str, Mapping[str, bytes]] = MappingProxyType({}),
    ) -> tuple[Scan, ...]:
        """Scans a file with the named scanners that are meant for its kind.

        Args:
            source: the file.
            settings: options of the scans.
            names: names of scanners.
            extra: maps names of scanners to the additional data that they need: see `coverage_of`
                and `KindScanner`.

        Returns:
            One scan for each scanner that is meant for this kind of file, in the order of the
            names. The scan of a scanner that could not read the file gives the reason. If a
            suppression in the file would have hidden a finding, the finding names the suppression.
        """
        applying = self.applying(source, names)
        if not applying:
            return ()
        done: dict[str, Scan] = {}

        async def one(name: str) -> None:
            done[name] = _clean(await self._scan(name, source, settings, extra.get(name)))

        async with anyio.create_task_group() as tasks:
            for name in dict.fromkeys((*applying, SUPPRESSIONS)):
                tasks.start_soon(one, name)
        return tuple(marked(done[name], done[SUPPRESSIONS]) for name in applying)

    async def aclose(self) -> None:
        """Stops all worker processes."""
        await self._workers.aclose()
        await self._types.aclose()

    def applying(self, source: SourceFile, names: Sequence[str]) -> list[str]:
        """Returns the named scanners that are meant for this kind of file."""
        return [name for name in names if self._applies(name, source)]

    def _applies(self, name: str, source: SourceFile) -> bool:
        # It says of code that nobody reads that nobody has read it.
        if name == "taint" and source.unread_language is not None:
            return True
        return self._scanner(name).applies(source)

    def _scanner(self, name: str) -> Scanner:
        return self._scanners.get(name) or OfKind(of_kinds()[name], self._workers)

    async def _scan(
        self,
        name: str,
        source: SourceFile,
        settings: ScanOptions,
        extra: Mapping[str, bytes] | None,
    ) -> Scan:
        if name == "taint" and source.unread_language is not None:
            reason = f"No scanner reads {source.unread_language}."
            return Scan(name, __version__, Status.SKIPPED, reason)
        if name == SUPPRESSIONS and not may_have_words(source):
            return Scan(name, __version__, Status.OK)
        return await self._scanner(name).scan(source, settings, **(extra or {}))


def full() -> tuple[str, ...]:
    """Returns the names of all scanners except hadolint."""
    return tuple(name for name in available() if name != "hadolint")


def available() -> dict[str, ScannerInstallation]:
    """Maps the name of each scanner to its version, or to the reason why it cannot be used."""
    return {name: ready(name) for name in (*PACKAGES, *OWN_SCANNERS, *of_kinds(), SUPPRESSIONS)}


def _clean(scan: Scan) -> Scan:
    """Removes secrets and literal values from a scan's messages."""
    return replace(scan, findings=tuple(map(_without_values, scan.findings)))


def _without_values(finding: Finding) -> Finding:
    message = without_secrets(_LITERAL.sub("Literal[...]", finding.message))
    name = without_secrets(finding.name) if " " in finding.name else finding.name
    is_clean = (message, name) == (finding.message, finding.name)
    return finding if is_clean else replace(finding, message=message, name=name)
