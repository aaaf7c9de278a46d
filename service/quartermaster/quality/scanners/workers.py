"""A bounded number of warm workers. One that hangs or dies is replaced; its scan is an error.

No principal has all of them: one is left to those who have none (see `FairQueue`).
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import anyio
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from quartermaster.core.scratch import Scratch
from quartermaster.core.fair_queue import FairQueue
from quartermaster.db import LOCAL
from quartermaster.projects.work import worker_for
from quartermaster.quality.findings import Scan
from quartermaster.quality.scanners.interface import (
    ANSWER,
    REQUEST,
    Request,
    Settings,
    Source,
    UnreadableError,
)
from quartermaster.quality.scanners.programs import start, stop
from quartermaster.quality.scanners.scanner import Scanner

_MOST_ANSWER: Final = 64 << 20
_MOST_PROJECTS: Final = 3


class Workers:
    """Worker processes, started when they are needed.

    Args:
        size: largest number of workers at a time.
        command: the command of a worker; other than the default only in tests.
    """

    def __init__(self, size: int = 3, command: Sequence[str] | None = None) -> None:
        self._command = command or [
            sys.executable,
            "-I",
            "-m",
            "quartermaster.quality.scanners.worker",
        ]
        self._size = size
        self._idle: list[_Worker] = []
        self._places = FairQueue("scans", size, exempt=LOCAL)

    async def warm(self, modules: Sequence[str]) -> None:
        """Starts all workers and loads the scanners, so that the first scan is quick."""

        async def load() -> None:
            async with self._worker() as worker:
                for module in modules:
                    await worker.ask(Request(module))

        async with anyio.create_task_group() as tasks:
            for _ in range(self._size):
                tasks.start_soon(load)

    async def ask(self, request: Request) -> Scan | str:
        """Has a worker examine a file.

        Raises:
            TimeoutError: it did not answer in time; the worker was killed.
            WorkerDiedError: the worker ended.
            ValueError: its answer is none.
        """
        async with self._worker() as worker:
            with anyio.fail_after(request.settings.timeout_s):
                return await worker.ask(request)

    async def aclose(self) -> None:
        """Ends all workers."""
        while self._idle:
            await self._idle.pop().stop()

    @asynccontextmanager
    async def _worker(self) -> AsyncGenerator[_Worker]:
        async with self._places.slot(worker_for()):
            worker = self._idle.pop() if self._idle else await _Worker.start(self._command)
            try:
                yield worker
            except BaseException:
                # It may still be busy, or answer later: it is of no use any more.
                await worker.stop()
                raise
            self._idle.append(worker)


class ProjectWorkers:
    """A worker for each of the projects that were read last: mypy remembers what it has read.

    Args:
        command: see `Workers`.
    """

    def __init__(self, command: Sequence[str] | None = None) -> None:
        self._command = command
        self._workers: dict[Path | None, Workers] = {}
        self._asking: Counter[Path | None] = Counter()
        self._places = FairQueue("type checks", _MOST_PROJECTS, exempt=LOCAL)

    async def ask(self, request: Request) -> Scan | str:
        """Has the worker of a project examine a file; see `Workers.ask`."""
        mirror = request.settings.mirror
        async with self._places.slot(worker_for()):
            self._asking[mirror] += 1
            try:
                return await (await self._of(mirror)).ask(request)
            finally:
                self._asking[mirror] -= 1

    async def _of(self, mirror: Path | None) -> Workers:
        """The worker of a project; one that nobody asks makes room for a new one."""
        workers = self._workers.pop(mirror, None) or Workers(1, self._command)
        self._workers[mirror] = workers  # the last is the latest used
        while len(self._workers) > _MOST_PROJECTS:
            oldest = next(each for each in self._workers if not self._asking[each])
            await self._workers.pop(oldest).aclose()
        return workers

    async def aclose(self) -> None:
        """Ends all workers."""
        while self._workers:
            await self._workers.popitem()[1].aclose()


class WorkerDiedError(Exception):
    """The worker ended before it answered, as when a file crashes a parser."""


class _Worker:
    def __init__(self, process: Process, folder: Scratch) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._folder = folder
        self._requests = process.stdin
        self._answers = BufferedByteReceiveStream(process.stdout)

    @classmethod
    async def start(cls, command: Sequence[str]) -> _Worker:
        folder = Scratch("scan")
        try:
            process = await start(
                command, folder.name, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except BaseException:
            folder.cleanup()
            raise
        return cls(process, folder)

    async def ask(self, request: Request) -> Scan | str:
        body = REQUEST.dump_json(request)
        try:
            await self._requests.send(len(body).to_bytes(4, "big") + body)
            size = int.from_bytes(await self._answers.receive_exactly(4), "big")
            if size > _MOST_ANSWER:
                raise WorkerDiedError
            return ANSWER.validate_json(await self._answers.receive_exactly(size))
        except (
            anyio.IncompleteRead,
            anyio.EndOfStream,
            anyio.BrokenResourceError,
            anyio.ClosedResourceError,
        ):
            raise WorkerDiedError from None

    async def stop(self) -> None:
        await stop(self._process)
        self._folder.cleanup()


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

    async def look(self, source: Source, settings: Settings, **extra: bytes) -> Scan:
        """Has a worker read a file; see `Scanner.look`."""
        try:
            answer = await self._workers.ask(Request(self.name, source, settings, extra))
        except (WorkerDiedError, ValueError):
            reason = f"{self.name} crashed on this file. Check the file with {self.name} itself"
            raise UnreadableError(f"{reason} and report the error.") from None
        if isinstance(answer, str):
            raise UnreadableError(answer)
        return answer
