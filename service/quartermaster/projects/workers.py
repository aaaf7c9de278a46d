"""Keeps a bounded number of warm workers. A worker that is late or dies is replaced, and the caller
gets an error that gives the reason. No principal can occupy all workers: one is kept free for
principals that use none (see `FairQueue`).
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeVar, TypeVarTuple

import anyio
from anyio.abc import Process
from anyio.lowlevel import RunVar
from anyio.streams.buffered import BufferedByteReceiveStream

from quartermaster.core.fair_queue import FairQueue
from quartermaster.core.scratch import Scratch
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.projects.isolated_processes import (
    TOO_MUCH_TOGETHER,
    ended_for_memory,
    running,
    start,
    stop,
    time_limit,
)
from quartermaster.projects.threads import run_sync
from quartermaster.projects.work import principal_at_work
from quartermaster.projects.worker_calls import Wire, WorkerError, wire_of

_MOST_ANSWER: Final = 32 << 20
# A larger answer is read on a thread, so that the event loop goes on.
_LARGE_ANSWER_BYTES: Final = 64 << 10
_MOST_PROJECTS: Final = 3
_COMMAND: Final = (sys.executable, "-I", "-m", "quartermaster.projects.worker")
Arguments = TypeVarTuple("Arguments")
Value = TypeVar("Value")


_readers: Final[RunVar[Workers | None]] = RunVar("readers")


class WorkerLateError(WorkerError, TimeoutError):
    """A worker did not answer in time, and was killed."""


class WorkerDiedError(WorkerError):
    """A worker ended before it answered, for example because a file crashed a parser."""


class Workers:
    """Worker processes, started when they are needed.

    Args:
        size: maximum number of workers at a time.
        command: the command of a worker; only tests replace the default.
        reads, path: see `isolated_processes.start`.
    """

    def __init__(
        self,
        size: int = 3,
        command: Sequence[str] = _COMMAND,
        reads: Sequence[Path] | None = None,
        path: str = "",
    ) -> None:
        self._command = command
        self._path = path
        self._size = size
        self._reads = reads
        self._idle: list[_Worker] = []
        self._is_closed = False
        self._places = FairQueue("reads of files", size, exempt=LOCAL_PRINCIPAL)

    async def warm(self, load: Callable[[], None]) -> None:
        """Starts all workers, and calls a function in each worker, so that the first real call is
        quick.
        """
        request = wire_of(load).request((), 60)

        async def one() -> None:
            async with self._worker() as worker:
                await worker.ask(request)

        async with anyio.create_task_group() as tasks:
            for _ in range(self._size):
                tasks.start_soon(one)

    async def call(
        self,
        function: Callable[[*Arguments], Value],
        *arguments: *Arguments,
        timeout_s: float = 20.0,
    ) -> Value:
        """Calls a function in a worker.

        Args:
            function: see `Wire`.
            arguments: arguments of the function.
            timeout_s: seconds after which the worker is killed; see
                `isolated_processes.time_limit`.

        Raises:
            WorkerError: there is no answer, because the worker was late or died, or the function
                failed.
            QmError: the function raised this error.
        """
        wire = wire_of(function)
        request = await run_sync(wire.request, arguments, timeout_s)
        async with self._worker() as worker:
            try:
                with worker.time_limit(timeout_s):
                    answer = await worker.ask(request)
            except TimeoutError:
                raise WorkerLateError(
                    f"Reading the file took longer than {timeout_s:g} seconds and was stopped."
                ) from None
        return await _value(wire, answer)

    async def aclose(self) -> None:
        """Ends all idle workers. A busy worker ends after its answer."""
        self._is_closed = True
        while self._idle:
            await self._idle.pop().stop()

    @asynccontextmanager
    async def _worker(self) -> AsyncGenerator[_Worker]:
        async with self._places.slot(principal_at_work()):
            worker = await self._living()
            worker.work_for(principal_at_work())
            try:
                yield worker
            except BaseException:
                # It may still be busy, or answer later: it is of no use any more.
                await worker.stop()
                raise
            if self._is_closed:
                await worker.stop()
            else:
                worker.work_for(None)
                self._idle.append(worker)

    async def _living(self) -> _Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:
                return worker
            await worker.stop()
        return await _Worker.start(self._command, self._reads, self._path)


class ProjectWorkers:
    """Keeps one worker for each of the most recently read projects, because a worker caches what it
    has read.

    Args:
        is_restricted: whether a worker may read only files of its project; see
            `isolated_processes.start`.
        command: see `Workers`.
    """

    def __init__(self, *, is_restricted: bool = False, command: Sequence[str] = _COMMAND) -> None:
        self._is_restricted = is_restricted
        self._command = command
        self._workers: dict[tuple[Path | None, int], Workers] = {}
        self._asking: Counter[tuple[Path | None, int]] = Counter()
        self._places = FairQueue("reads of projects", _MOST_PROJECTS, exempt=LOCAL_PRINCIPAL)

    async def call(
        self,
        folder: Path | None,
        function: Callable[[*Arguments], Value],
        *arguments: *Arguments,
        timeout_s: float = 20.0,
    ) -> Value:
        """Calls a function in the worker of a project; see `Workers.call`.

        Args:
            folder: root folder of the project, whose files the function reads.
            function, arguments, timeout_s: see `Workers.call`.
        """
        # What a worker may read is this folder, and not another one that gets its name later.
        key = folder, _number(folder) if self._is_restricted else 0
        async with self._places.slot(principal_at_work()):
            self._asking[key] += 1
            try:
                workers = await self._of(key)
                return await workers.call(function, *arguments, timeout_s=timeout_s)
            finally:
                self._asking[key] -= 1

    async def _of(self, key: tuple[Path | None, int]) -> Workers:
        """Returns the worker of a project. If there are too many workers, ends the idle worker that
        was used least recently.
        """
        reads = [key[0]] if self._is_restricted and key[0] else None
        workers = self._workers.pop(key, None) or Workers(1, self._command, reads)
        self._workers[key] = workers  # the last is the latest used
        while len(self._workers) > _MOST_PROJECTS:
            oldest = next(each for each in self._workers if not self._asking[each])
            await self._workers.pop(oldest).aclose()
        return workers

    async def aclose(self) -> None:
        """Ends all workers."""
        while self._workers:
            await self._workers.popitem()[1].aclose()


def readers() -> Workers:
    """Returns this event loop's workers that parse the contents of files. They receive the bytes,
    and cannot open files of a project. They are started when they are needed; `close_readers` ends
    them.
    """
    found = _readers.get(None)
    if found is None:
        found = Workers(reads=())
        _readers.set(found)
    return found


async def close_readers() -> None:
    """Ends the workers that `readers` has started."""
    found = _readers.get(None)
    if found is not None:
        _readers.set(None)
        await found.aclose()


def _number(folder: Path | None) -> int:
    try:
        return 0 if folder is None else folder.lstat().st_ino
    except OSError:
        return 0


async def _value(wire: Wire, answer: bytes) -> Any:
    try:
        if len(answer) > _LARGE_ANSWER_BYTES:
            return await run_sync(wire.value, answer)
        return wire.value(answer)
    except ValueError:
        raise _died() from None


def _died() -> WorkerDiedError:
    return WorkerDiedError(
        "The process that read the file ended: it needed too much memory, or its parser crashed."
    )


class _Worker:
    def __init__(self, process: Process, folder: Scratch) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._folder = folder
        self._requests = process.stdin
        self._answers = BufferedByteReceiveStream(process.stdout)

    @classmethod
    async def start(
        cls, command: Sequence[str], reads: Sequence[Path] | None, path: str
    ) -> _Worker:
        folder = Scratch("scan")
        try:
            process = await start(
                command,
                folder.name,
                reads=reads,
                path=path,
                stdin=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except BaseException:
            folder.cleanup()
            raise
        return cls(process, folder)

    @property
    def is_alive(self) -> bool:
        """Whether the process is running, as far as this object knows."""
        return self._process.returncode is None

    def work_for(self, who: str | None) -> None:
        """Sets the principal to whom the memory of the process counts from now on; None if the
        process is idle.
        """
        if self._process in running:
            running[self._process] = who

    def time_limit(self, seconds: float) -> AbstractContextManager[None]:
        """See `isolated_processes.time_limit`."""
        return time_limit(self._process.pid, seconds)

    async def ask(self, request: bytes) -> bytes:
        """Sends a request to the worker, and returns the answer."""
        try:
            await self._requests.send(len(request).to_bytes(4, "big") + request)
            size = int.from_bytes(await self._answers.receive_exactly(4), "big")
            if size > _MOST_ANSWER:
                raise _died()
            return await self._answers.receive_exactly(size)
        except (
            anyio.IncompleteRead,
            anyio.EndOfStream,
            anyio.BrokenResourceError,
            anyio.ClosedResourceError,
        ):
            if self._process in ended_for_memory:
                raise WorkerError(f"The process that read the file {TOO_MUCH_TOGETHER}.") from None
            raise _died() from None

    async def stop(self) -> None:
        await stop(self._process)
        self._folder.cleanup()
