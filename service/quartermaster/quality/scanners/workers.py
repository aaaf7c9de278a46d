"""A bounded number of warm workers. One that hangs or dies is replaced; its scan is an error."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Final

import anyio
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from quartermaster import __version__
from quartermaster.core.reaped import open_reaped
from quartermaster.quality.findings import Scan, Status
from quartermaster.quality.scanners.interface import Settings, Source, scan_from_dict
from quartermaster.quality.scanners.programs import PACKAGES, Installed, installed, stop

_MEMORY: Final = str(3 << 30)
_MOST_ANSWER: Final = 64 << 20


class Workers:
    """Worker processes, started when they are needed.

    Args:
        size: largest number of workers at a time.
        command: the command of a worker; other than the default only in tests.
    """

    def __init__(self, size: int = 2, command: Sequence[str] | None = None) -> None:
        self._command = command or [
            sys.executable,
            "-I",
            "-m",
            "quartermaster.quality.scanners.worker",
        ]
        self._size = size
        self._idle: list[_Worker] = []
        self._places = anyio.CapacityLimiter(size)

    async def warm(self, modules: Sequence[str]) -> None:
        """Starts all workers and loads the scanners, so that the first scan is quick."""

        async def load() -> None:
            async with self._worker() as worker:
                for module in modules:
                    await worker.ask({"module": module})

        async with anyio.create_task_group() as tasks:
            for _ in range(self._size):
                tasks.start_soon(load)

    async def ask(
        self, module: str, source: Source, settings: Settings, extra: Mapping[str, bytes]
    ) -> dict[str, Any]:
        """Has a worker examine a file.

        Raises:
            TimeoutError: it did not answer in time; the worker was killed.
            WorkerDiedError: the worker ended.
        """
        request = {
            "module": module,
            "path": source.path,
            "data": base64.b64encode(source.data).decode(),
            "settings": settings.as_dict(),
            "extra": {name: base64.b64encode(data).decode() for name, data in extra.items()},
        }
        async with self._worker() as worker:
            with anyio.fail_after(settings.timeout_s):
                return await worker.ask(request)

    async def aclose(self) -> None:
        """Ends all workers."""
        while self._idle:
            await self._idle.pop().stop()

    @asynccontextmanager
    async def _worker(self) -> AsyncGenerator[_Worker]:
        async with self._places:
            worker = self._idle.pop() if self._idle else await _Worker.start(self._command)
            try:
                yield worker
            except BaseException:
                # It may still be busy, or answer later: it is of no use any more.
                await worker.stop()
                raise
            self._idle.append(worker)


class WorkerDiedError(Exception):
    """The worker ended before it answered, as when a file crashes a parser."""


class _Worker:
    def __init__(self, process: Process, folder: tempfile.TemporaryDirectory[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._folder = folder
        self._requests = process.stdin
        self._answers = BufferedByteReceiveStream(process.stdout)

    @classmethod
    async def start(cls, command: Sequence[str]) -> _Worker:
        folder = tempfile.TemporaryDirectory(prefix="qm-scan-")
        process = await open_reaped(
            command,
            ["--grace", "0.2", "--memory", _MEMORY],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder.name,
            env={"PATH": "", "HOME": folder.name, "TMPDIR": folder.name, "LC_ALL": "C.UTF-8"},
        )
        return cls(process, folder)

    async def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        body = json.dumps(request).encode()
        try:
            await self._requests.send(len(body).to_bytes(4, "big") + body)
            size = int.from_bytes(await self._answers.receive_exactly(4), "big")
            if size > _MOST_ANSWER:
                raise WorkerDiedError
            return json.loads(await self._answers.receive_exactly(size))
        except (
            anyio.IncompleteRead,
            anyio.EndOfStream,
            anyio.BrokenResourceError,
            anyio.ClosedResourceError,
            ValueError,
        ):
            raise WorkerDiedError from None

    async def stop(self) -> None:
        await stop(self._process)
        self._folder.cleanup()


class InWorker:
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
        workers: Workers,
        suffixes: frozenset[str] = frozenset(),
        *,
        needs_package: bool = True,
    ) -> None:
        self.name = module
        self._workers = workers
        self._suffixes = suffixes
        self._needs_package = needs_package

    def applies(self, source: Source) -> bool:
        """Whether it is meant for this kind of file."""
        return not self._suffixes or source.suffix in self._suffixes

    async def scan(self, source: Source, settings: Settings, **extra: bytes) -> Scan:
        """Scans a file.

        Args:
            source: the file.
            settings: what the scan depends on.
            extra: further bytes that the module's ``examine`` takes.
        """
        package = PACKAGES.get(self.name)
        there = installed(*package) if package else Installed(__version__)
        if there.problem and self._needs_package:
            return Scan(self.name, there.version, Status.SKIPPED, there.problem)
        if not self.applies(source):
            reason = f"{self.name} is not meant for this kind of file."
            return Scan(self.name, there.version, Status.SKIPPED, reason)
        start = time.perf_counter()
        try:
            answer = await self._workers.ask(self.name, source, settings, extra)
            scan = scan_from_dict(answer["scan"]) if "scan" in answer else None
            reason = "" if scan else str(answer["unreadable"])
        except TimeoutError:
            scan, reason = None, timed_out(self.name, settings)
        except (WorkerDiedError, KeyError, TypeError, ValueError):
            scan, reason = None, crashed(self.name)
        elapsed = (time.perf_counter() - start) * 1000
        if scan is None:
            return Scan(self.name, there.version, Status.ERROR, reason, elapsed_ms=elapsed)
        if there.problem and scan.status is Status.OK:
            scan = replace(scan, status=Status.DEGRADED, reason=there.problem)
        return replace(scan, version=there.version, elapsed_ms=elapsed)


def timed_out(name: str, settings: Settings) -> str:
    """The reason of a scan that was killed."""
    return (
        f"{name} did not finish within {settings.timeout_s:g} seconds and was killed. Scan the "
        "file again; if that does not help, split the file."
    )


def crashed(name: str) -> str:
    """The reason of a scan whose process ended by itself."""
    return f"{name} crashed on this file. Check the file with {name} itself and report the error."
