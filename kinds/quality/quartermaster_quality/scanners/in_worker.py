"""Runs scanners that are Python packages, in worker processes."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from quartermaster.core.findings import Scan
from quartermaster.projects.workers import ProjectWorkers, Workers
from quartermaster_quality.scanners.interface import ScanOptions, SourceFile
from quartermaster_quality.scanners.programs import ready
from quartermaster_quality.scanners.scanner import Scanner
from quartermaster_quality.scanners.suppressions import NAME as SUPPRESSIONS

_PACKAGE: Final = "quartermaster_quality.scanners"
# Those that every worker may need; mypy has workers of its own.
OWN_SCANNERS: Final = ("taint", "messaging")
WARMED_SCANNERS: Final = (
    "bandit",
    "radon",
    "vulture",
    "secrets",
    "lizard",
    "coverage",
    *OWN_SCANNERS,
    SUPPRESSIONS,
)


class InWorker(Scanner):
    """A scanner that is a Python package and runs in a worker.

    Args:
        module: name of the scanner, and of the module in this package that contains its function
            ``examine``.
        workers: the processes in which the scanner runs.
        suffixes: the suffixes of the files that the scanner reads; empty: all files.
        needs_package: whether the scanner is skipped if its package is not installed.
    """

    def __init__(
        self,
        module: str,
        workers: Workers | ProjectWorkers,
        suffixes: frozenset[str] = frozenset(),
        *,
        needs_package: bool = True,
    ) -> None:
        self.name = module
        self._workers = workers
        self.suffixes = suffixes
        self.needs_package = needs_package

    async def look(self, source: SourceFile, settings: ScanOptions, **extra: bytes) -> Scan:
        """Scans a file in a worker; see `Scanner.look`."""
        workers, given = self._workers, (self.name, source, settings, extra)
        if isinstance(workers, ProjectWorkers):
            mirror = settings.mirror
            return await workers.call(mirror, examine, *given, timeout_s=settings.timeout_s)
        return await workers.call(examine, *given, timeout_s=settings.timeout_s)


def examine(
    module: str, source: SourceFile, settings: ScanOptions, extra: Mapping[str, bytes]
) -> Scan:
    """Scans a file with a scanner. Runs in a worker.

    Args:
        module: name of the scanner.
        source: the file.
        settings: options of the scan.
        extra: additional data that the scanner needs.
    """
    scan: Scan = _loaded(module).examine(source, settings, **extra)
    return scan


def load() -> None:
    """Loads the installed scanners in advance. Runs in a worker."""
    for name in WARMED_SCANNERS:
        if not ready(name).problem:
            _loaded(name)


def _loaded(module: str) -> Any:
    before = list(sys.path)
    try:
        return import_module(f"{_PACKAGE}.{module}")
    finally:
        # lizard adds the folder of the program, whose modules may have the names of packages.
        sys.path[:] = before
