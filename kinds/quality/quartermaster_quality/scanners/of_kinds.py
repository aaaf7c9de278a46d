"""Runs the scanners that other kinds provide."""

from __future__ import annotations

from functools import cache

from quartermaster.core.findings import Scan, Status
from quartermaster.core.kind_packages import KindScanner, kind_packages
from quartermaster.projects.workers import Workers
from quartermaster_quality.scanners.interface import PYTHON_SUFFIXES, ScanOptions, SourceFile
from quartermaster_quality.scanners.parsing import unparsed
from quartermaster_quality.scanners.scanner import Scanner


@cache
def of_kinds() -> dict[str, KindScanner]:
    """Maps the names of the scanners of all kind packages to the scanners."""
    found = [each.scanner for each in kind_packages() if each.scanner is not None]
    return {scanner.name: scanner for scanner in found}


class OfKind(Scanner):
    """A scanner that a kind package provides. It runs in a worker.

    Args:
        scanner: the package's description of the scanner.
        workers: the processes in which the scanner runs.
    """

    suffixes = PYTHON_SUFFIXES

    def __init__(self, scanner: KindScanner, workers: Workers) -> None:
        self.name = scanner.name
        self._examine = scanner.examine
        self._workers = workers

    async def look(self, source: SourceFile, settings: ScanOptions, **extra: bytes) -> Scan:
        """Scans a file in a worker if the package has facts about the file; see `Scanner.look`."""
        limit = settings.timeout_s
        facts = extra.get("facts")
        if not facts:
            return Scan(self.name, "", Status.OK)
        if wrong := await self._workers.call(unparsed, source, self.name, timeout_s=limit):
            return wrong
        given = (source.path, source.data, facts)
        return await self._workers.call(self._examine, *given, timeout_s=limit)
