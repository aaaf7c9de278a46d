"""Starts processes without blocking the event loop.

The event loop's own function copies the page tables of this process, and blocks until the program
runs. This takes 40 ms for a service with 500 MB. `subprocess` shares the tables, and needs 0.2 ms.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Sequence
from threading import Thread
from typing import IO, Any, cast

from anyio import BrokenResourceError, CancelScope, ClosedResourceError, EndOfStream
from anyio.abc import ByteReceiveStream, ByteSendStream, Process


class ChildProcess(Process):
    """A process with its pipes. `start` creates it."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        stdin: _Input | None,
        stdout: _Output | None,
        stderr: _Output | None,
    ) -> None:
        self._process = process
        self._stdin = stdin
        self._stdout = stdout
        self._stderr = stderr
        self._has_ended = asyncio.Event()
        self._tell_when_ended(asyncio.get_running_loop())

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        stdin: int | IO[bytes] = subprocess.PIPE,
        stdout: int | IO[bytes] = subprocess.PIPE,
        stderr: int | IO[bytes] = subprocess.PIPE,
        **options: Any,
    ) -> ChildProcess:
        """Starts a program in the session of this process.

        Args:
            command: the program and its arguments.
            stdin, stdout, stderr: a descriptor, a file, or a constant of `subprocess`.
            options: further arguments of `subprocess.Popen`.

        Raises:
            OSError: the program cannot be started.
        """
        process = subprocess.Popen[bytes](
            command, bufsize=0, stdin=stdin, stdout=stdout, stderr=stderr, **options
        )
        return cls(
            process,
            await _Input.of(process.stdin) if process.stdin else None,
            await _Output.of(process.stdout) if process.stdout else None,
            await _Output.of(process.stderr) if process.stderr else None,
        )

    async def aclose(self) -> None:
        """Closes the pipes and waits for the process to end; if the wait is cancelled, kills the
        process.
        """
        with CancelScope(shield=True) as scope:
            for stream in (self._stdin, self._stdout, self._stderr):
                if stream is not None:
                    await stream.aclose()
            scope.shield = False
            try:
                await self.wait()
            except BaseException:
                scope.shield = True
                self.kill()
                await self.wait()
                raise

    async def wait(self) -> int:
        """Waits for the process to end, and returns its exit status."""
        await self._has_ended.wait()
        return cast(int, self._process.returncode)

    def terminate(self) -> None:
        """Sends SIGTERM, unless the process has ended."""
        self._process.terminate()

    def kill(self) -> None:
        """Sends SIGKILL, unless the process has ended."""
        self._process.kill()

    def send_signal(self, signal: int) -> None:
        """Sends a signal, unless the process has ended."""
        self._process.send_signal(signal)

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """The exit status of the process; None while it runs."""
        return self._process.poll()

    def copy_of_stdin(self) -> int:
        """Returns a new descriptor of the process's stdin pipe, which keeps the pipe open."""
        assert self._process.stdin is not None
        return os.dup(self._process.stdin.fileno())

    @property
    def stdin(self) -> ByteSendStream | None:
        """The pipe from which the process reads (stdin)."""
        return self._stdin

    @property
    def stdout(self) -> ByteReceiveStream | None:
        """The pipe with the output of the process (stdout)."""
        return self._stdout

    @property
    def stderr(self) -> ByteReceiveStream | None:
        """The pipe with the error messages of the process (stderr)."""
        return self._stderr

    def _tell_when_ended(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            descriptor = os.pidfd_open(self.pid)
        except (AttributeError, OSError):  # only Linux has it

            def wait() -> None:
                self._process.wait()
                loop.call_soon_threadsafe(self._has_ended.set)

            Thread(target=wait, daemon=True).start()
            return

        def look() -> None:
            if self._process.poll() is not None:
                loop.remove_reader(descriptor)
                os.close(descriptor)
                self._has_ended.set()

        loop.add_reader(descriptor, look)


class _Input(ByteSendStream):
    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._is_closed = False

    @classmethod
    async def of(cls, pipe: IO[bytes]) -> _Input:
        loop = asyncio.get_running_loop()
        transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, pipe)
        return cls(asyncio.StreamWriter(transport, protocol, None, loop))

    async def send(self, item: bytes) -> None:
        if self._is_closed:
            raise ClosedResourceError
        try:
            self._writer.write(item)
            await self._writer.drain()
        except (ConnectionError, RuntimeError) as error:
            raise (ClosedResourceError if self._is_closed else BrokenResourceError) from error

    async def aclose(self) -> None:
        self._is_closed = True
        self._writer.close()


class _Output(ByteReceiveStream):
    def __init__(self, reader: asyncio.StreamReader, transport: asyncio.ReadTransport) -> None:
        self._reader = reader
        self._transport = transport

    @classmethod
    async def of(cls, pipe: IO[bytes]) -> _Output:
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(loop=loop)
        transport, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader, loop=loop), pipe
        )
        return cls(reader, transport)

    async def receive(self, max_bytes: int = 65536) -> bytes:
        if data := await self._reader.read(max_bytes):
            return data
        raise EndOfStream

    async def aclose(self) -> None:
        self._reader.set_exception(ClosedResourceError())
        self._transport.close()
