"""The base class of scanners that run in other processes. Every run, even a crash, results in a
scan.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import replace

from quartermaster.core.findings import Scan, Status
from quartermaster.projects.worker_calls import WorkerError
from quartermaster.projects.workers import WorkerDiedError
from quartermaster_quality.scanners.interface import ScanOptions, SourceFile
from quartermaster_quality.scanners.programs import ready


class Scanner(ABC):
    """A scanner that runs in another process.

    Attributes:
        name: name of the scanner.
        suffixes: the suffixes of the files that the scanner reads; empty: all files.
        needs_package: whether the scanner is skipped if its package is not installed.
    """

    name: str
    suffixes: frozenset[str] = frozenset()
    needs_package = True

    def applies(self, source: SourceFile) -> bool:
        """Returns whether the scanner is meant for this kind of file."""
        return not self.suffixes or source.suffix in self.suffixes

    @abstractmethod
    async def look(self, source: SourceFile, settings: ScanOptions, **extra: bytes) -> Scan:
        """Scans a file in the other process.

        Raises:
            WorkerError: the process could not scan the file; the message gives the reason.
            TimeoutError: the process did not finish in time.
            OSError: the process cannot be started.
        """

    def obstacle(self, source: SourceFile, settings: ScanOptions) -> str:
        """Returns why the scanner cannot scan a file, and what to do about it; an empty string if
        the scanner can scan the file.
        """
        del settings
        return "" if self.applies(source) else f"{self.name} is not meant for this kind of file."

    async def scan(self, source: SourceFile, settings: ScanOptions, **extra: bytes) -> Scan:
        """Scans a file. If the scan fails, the returned scan gives the reason.

        Args:
            source: the file.
            settings: options of the scan.
            extra: additional data that the scanner needs.
        """
        there = ready(self.name)
        missing = there.problem if self.needs_package else ""
        if reason := missing or self.obstacle(source, settings):
            return Scan(self.name, there.version, Status.SKIPPED, reason)
        start = time.perf_counter()
        try:
            scan = await self.look(source, settings, **extra)
        except TimeoutError:
            scan = self._failed(
                f"{self.name} did not finish within {settings.timeout_s:g} seconds and was killed. "
                "Scan the file again; if that does not help, split the file."
            )
        except WorkerDiedError:
            scan = self._failed(
                f"{self.name} crashed on this file. Check the file with {self.name} itself and "
                "report the error."
            )
        except WorkerError as error:
            scan = self._failed(str(error))
        except OSError as error:
            is_broken = isinstance(error, FileNotFoundError | PermissionError)
            remedy = "Install it again." if is_broken else "Scan the file again."
            why = error.strerror or type(error).__name__
            scan = self._failed(f"{self.name} cannot be started: {why}. {remedy}")
        if there.problem and scan.status is Status.OK:
            scan = replace(scan, status=Status.DEGRADED, reason=there.problem)
        elapsed = (time.perf_counter() - start) * 1000
        return replace(scan, version=there.version, elapsed_ms=elapsed)

    def _failed(self, reason: str) -> Scan:
        return Scan(self.name, "", Status.ERROR, reason)
