"""Scanners that are Python packages, which run in workers."""

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
        module: module of this package with its function ``examine``; also its name.
        workers: where it runs.
        suffixes: ends of the names of the files that it is meant for; empty: all files.
        needs_package: whether it can do nothing without its package.
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
        """Has a worker read a file; see `Scanner.look`."""
        workers, given = self._workers, (self.name, source, settings, extra)
        if isinstance(workers, ProjectWorkers):
            mirror = settings.mirror
            return await workers.call(mirror, examine, *given, timeout_s=settings.timeout_s)
        return await workers.call(examine, *given, timeout_s=settings.timeout_s)


def examine(
    module: str, source: SourceFile, settings: ScanOptions, extra: Mapping[str, bytes]
) -> Scan:
    """Has a scanner read a file. Runs in a worker.

    Args:
        module: name of the scanner.
        source: the file.
        settings: what the scan depends on.
        extra: further bytes that the scanner takes.
    """
    scan: Scan = _loaded(module).examine(source, settings, **extra)
    return scan


def load() -> None:
    """Loads the scanners that are installed. Runs in a worker."""
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
