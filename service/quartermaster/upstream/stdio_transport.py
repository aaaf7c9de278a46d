"""The stdio transport: newline-delimited JSON-RPC with a process that the reaper starts.

With the SDK's own transport, one bad upstream would harm the others. That transport keeps lines of
any length, and copies them again for every chunk. It logs a traceback for each line that is not
JSON-RPC, and ends on invalid UTF-8.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import termios
from array import array
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

import anyio
import mcp_types as types
from anyio import to_thread
from anyio.abc import ByteReceiveStream
from mcp.client._transport import TransportStreams
from mcp.shared.message import SessionMessage

from quartermaster.core.child_process import ChildProcess
from quartermaster.core.errors import QmError
from quartermaster.core.json_rpc import Inbound, Outbound
from quartermaster.core.logs import get_logger
from quartermaster.core.reaped import open_reaped
from quartermaster.upstream.confinement import ConfinedCommand, confinement, start_of
from quartermaster.upstream.failure import UpstreamError, marked_error
from quartermaster.upstream.messages import MAX_MESSAGE_BYTES, read_upstream
from quartermaster.upstream.spec import OriginSpec
from quartermaster.upstream.starting import how_to_install
from quartermaster.upstream.stderr_tail import StderrTail
from quartermaster.upstream.stdout_texts import StdoutTexts, TooLong

MAX_GARBAGE_BYTES: Final = 4 * 2**20
WRITE_TIMEOUT_S: Final = 30.0
_CHUNK_BYTES: Final = 2**16
_POLL_S: Final = 0.01
# White space, and the mark that some programs write at the start of their output.
_BLANK_BYTES: Final = b" \t\r\n\xef\xbb\xbf"
_SAID_LINES: Final = 10
_SAID_BYTES: Final = 200
_ONLY_MESSAGES: Final = (
    "Start it in its mode for stdio, in which it writes its messages to stdout and all else to"
    " stderr. `qm origin log NAME` shows its stderr."
)
_LESS_DATA_HINT: Final = "Request less data, in parts if the tool allows it."
# The errors from reading or writing a pipe after either side has closed it.
_CLOSED_PIPE_ERRORS: Final = (
    anyio.EndOfStream,
    anyio.ClosedResourceError,
    anyio.BrokenResourceError,
    OSError,
)
GRACE_S: Final = 2.0
_LAST_ANSWERS_S: Final = 1.0
_INHERITED_VARIABLES: Final = (
    *("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "TMPDIR"),
    *("LANG", "LC_ALL", "LC_CTYPE", "TZ"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"),
)


@dataclass(eq=False)
class StdioTransport:
    """One run of a stdio upstream. Creating the object does not start the program.

    Attributes:
        spec: definition of the upstream.
        stderr: buffer that receives the standard error output of the program.
        on_end: function that is called when no further message can arrive.
        problem: why the upstream was stopped, if it misbehaved.
        remedy: how to solve the problem, if that is known.
        answers_at_end: whether the program wrote messages only after the end of its input.
    """

    spec: OriginSpec
    stderr: StderrTail
    on_end: Callable[[], None]
    problem: str | None = None
    remedy: str | None = None
    answers_at_end: bool = False
    _garbage_bytes: int = 0
    # What it has last written to stdout before its first message, which may say why it ends.
    _said: deque[str] = field(default_factory=lambda: deque[str](maxlen=_SAID_LINES))
    _has_answered: bool = False
    _written: int = 0
    # Where each request that has no answer yet begins in what was written.
    _requests: dict[types.RequestId, int] = field(default_factory=dict[types.RequestId, int])
    _stdin_copy: int | None = None
    _stdout_ended: anyio.Event = field(default_factory=anyio.Event)
    _process: ChildProcess | None = None

    @property
    def pid(self) -> int | None:
        """Process id of the upstream itself if it is known, otherwise of its reaper."""
        if self._process is None or self._process.returncode is not None:
            return None
        pid = self._process.pid
        with suppress(OSError, IndexError):
            reaper = Path(f"/proc/{pid}/cmdline").read_bytes()
            # A watched reaper is two processes, the second of which starts the upstream.
            while Path(f"/proc/{pid}/cmdline").read_bytes() == reaper:
                pid = int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])
        return pid

    @property
    def stdout_lines(self) -> str | None:
        """The last lines on stdout that were not messages; None if there are no such lines, or if
        the program has answered.
        """
        return None if self._has_answered else "\n".join(self._said) or None

    @property
    def returncode(self) -> int | None:
        """Exit status, or 128 + N for signal N; None while the process is running."""
        return self._process.returncode if self._process else None

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[TransportStreams]:
        """Starts the program. On exit, all its processes end within about 5 s.

        Raises:
            UpstreamError: QM502 ``upstream_command_not_found``.
        """
        self.stderr.begin()
        process = self._process = await launch(self.spec)
        self._stdin_copy = process.copy_of_stdin()
        inbound, inbound_read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        outbound_write, outbound = anyio.create_memory_object_stream[SessionMessage](0)
        assert process.stdout is not None
        assert process.stderr is not None
        with inbound, inbound_read, outbound_write, outbound:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._read_stdout, process.stdout, inbound)
                tasks.start_soon(self._write_stdin, process, outbound, inbound)
                tasks.start_soon(self._read_stderr, process.stderr)
                try:
                    yield inbound_read, outbound_write
                finally:
                    with anyio.CancelScope(shield=True):
                        inbound_read.close()
                        outbound_write.close()
                        await self._stop(process)
                    tasks.cancel_scope.cancel()

    async def _stop(self, process: ChildProcess) -> None:
        """Closes the program's stdin; the reaper then ends the program and its processes. If the
        reaper hangs, it is killed.
        """
        assert process.stdin is not None
        self._close_copy()
        with suppress(*_CLOSED_PIPE_ERRORS):
            await process.stdin.aclose()
        if self.problem and process.returncode is None:
            process.terminate()
        elif not self._has_answered:
            await self._read_end(process)
        with anyio.move_on_after(2 * GRACE_S + 2) as waiting:
            # `process.wait()` would also wait for pipes that a surviving child keeps open.
            while process.returncode is None:  # noqa: ASYNC110
                await anyio.sleep(_POLL_S)
        if waiting.cancelled_caught:
            get_logger().error("upstream_reaper_killed", origin=self.spec.name, pid=process.pid)
            process.kill()
        with anyio.move_on_after(1):
            await process.aclose()

    async def _read_end(self, process: ChildProcess) -> None:
        """Determines whether a program that has not answered so far answers after the end of its
        input.
        """
        assert process.stdout is not None
        texts = StdoutTexts(MAX_MESSAGE_BYTES)
        # The task that has read up to now was cancelled if the start took too long.
        await anyio.lowlevel.checkpoint()
        with anyio.move_on_after(GRACE_S / 2), suppress(*_CLOSED_PIPE_ERRORS):
            while self._stdout_ended.is_set() and not self.answers_at_end:
                found = [*texts.feed(await process.stdout.receive(_CHUNK_BYTES))]
                self.answers_at_end = any(b'"jsonrpc"' in t for t in found if isinstance(t, bytes))

    def _give_up(self, problem: str, remedy: str | None = None) -> None:
        self.problem, self.remedy = problem, remedy
        get_logger().warning("upstream_given_up", origin=self.spec.name, problem=problem)
        if self._process and self._process.returncode is None:
            self._process.terminate()

    async def _read_stdout(self, stdout: ByteReceiveStream, inbound: Inbound) -> None:
        texts = StdoutTexts(MAX_MESSAGE_BYTES)
        try:
            while self.problem is None:
                for text in texts.feed(await stdout.receive(_CHUNK_BYTES)):
                    await self._take(text, inbound)
                await anyio.lowlevel.checkpoint()
        except _CLOSED_PIPE_ERRORS:
            await self._return_unread(inbound)
        finally:
            self._stdout_ended.set()
            inbound.close()
            self.on_end()
        # A program that waits for a full pipe to be read could not exit.
        with suppress(*_CLOSED_PIPE_ERRORS):
            while True:
                await stdout.receive(_CHUNK_BYTES)

    async def _take(self, text: bytes | TooLong, inbound: Inbound) -> None:
        if isinstance(text, bytes):
            await self._deliver(text, inbound)
            return
        if text.is_endless:
            what = f"wrote a line longer than {MAX_MESSAGE_BYTES} bytes to stdout"
            self._give_up(what, _LESS_DATA_HINT)
        elif text.request_id is None:
            get_logger().warning("upstream_stdout_too_long", origin=self.spec.name)
        else:
            what = f"sent an answer that has more than {MAX_MESSAGE_BYTES:,} bytes"
            error = types.ErrorData(**marked_error("too_large", what, sent=True))
            message = types.JSONRPCError(jsonrpc="2.0", id=text.request_id, error=error)
            await inbound.send(SessionMessage(message))

    async def _deliver(self, text: bytes, inbound: Inbound) -> None:
        try:
            # This test finds most lines that are not JSON-RPC. Validating every line of a very long
            # output would take seconds.
            if not text.lstrip(_BLANK_BYTES).startswith(b"{"):
                raise ValueError
            message = await read_upstream(text)
        except ValueError:
            self._count_garbage(text)
            return
        self._garbage_bytes = 0
        self._has_answered = True
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._requests.pop(cast("types.RequestId", message.id), None)
        await inbound.send(SessionMessage(message))

    def _count_garbage(self, text: bytes) -> None:
        """Counts a line that is not JSON-RPC. Servers may print banners, but a server that prints
        nothing else is stopped.
        """
        if self._garbage_bytes == 0:
            shown = text[:_SAID_BYTES].decode("utf-8", errors="replace")
            get_logger().warning("upstream_stdout_garbage", origin=self.spec.name, text=shown)
        if line := text[:_SAID_BYTES].decode("utf-8", errors="replace").strip():
            self._said.append(line)
        self._garbage_bytes += len(text) + 1
        self.stderr.heard_at = anyio.current_time()
        if self._garbage_bytes > MAX_GARBAGE_BYTES and self.problem is None:
            what = f"wrote {self._garbage_bytes} bytes to stdout that are not JSON-RPC"
            self._give_up(what, _ONLY_MESSAGES)

    async def _write_stdin(
        self, process: ChildProcess, outbound: Outbound, inbound: Inbound
    ) -> None:
        assert process.stdin
        with suppress(*_CLOSED_PIPE_ERRORS):
            async for session_message in outbound:
                message = session_message.message
                text = message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
                if isinstance(message, types.JSONRPCRequest):
                    self._requests[message.id] = self._written
                with anyio.move_on_after(WRITE_TIMEOUT_S) as writing:
                    await process.stdin.send(text)
                    self._written += len(text)
                if writing.cancelled_caught:
                    self._give_up(f"did not read its stdin for {WRITE_TIMEOUT_S:.0f} s")
                    break
        # Answers may be on their way.
        with anyio.move_on_after(_LAST_ANSWERS_S):
            await self._stdout_ended.wait()
        await self._return_unread(inbound)
        # The program may stay alive, but callers must not wait for its answer.
        inbound.close()
        outbound.close()
        self.on_end()

    async def _return_unread(self, inbound: Inbound) -> None:
        """Fails the requests that the program had not read when it ended. These requests had no
        effect, so they can be sent again to the next process.
        """
        read = self._written - self._unread_bytes()
        unread = [number for number, start in self._requests.items() if start >= read]
        what = "ended before it read the request"
        error = types.ErrorData(**marked_error("died", what, sent=False, lost=True))
        with suppress(*_CLOSED_PIPE_ERRORS):
            for number in unread:
                del self._requests[number]
                await inbound.send(
                    SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=number, error=error))
                )

    def _unread_bytes(self) -> int:
        """Returns the number of bytes in the stdin pipe that the program has not read; 0 if the
        system does not report it.
        """
        size = array("i", [0])
        if self._stdin_copy is not None:
            with suppress(OSError):
                fcntl.ioctl(self._stdin_copy, termios.FIONREAD, size)
        return size[0]

    def _close_copy(self) -> None:
        if self._stdin_copy is not None:
            os.close(self._stdin_copy)
            self._stdin_copy = None

    async def _read_stderr(self, stderr: ByteReceiveStream) -> None:
        with suppress(*_CLOSED_PIPE_ERRORS):
            while True:
                self.stderr.append(await stderr.receive(_CHUNK_BYTES))


async def launch(spec: OriginSpec) -> ChildProcess:
    """Starts the program, confined and with pipes. Closing its stdin, or SIGTERM, ends all its
    processes.

    Its environment contains a few harmless variables from the service and the origin's own
    variables.

    Raises:
        UpstreamError: QM502 ``upstream_command_not_found`` if the program or working directory does
            not exist; QM403 ``upstream_unconfined`` if this machine cannot confine the program.
    """
    inherited = {name: os.environ[name] for name in _INHERITED_VARIABLES if name in os.environ}
    environment = inherited | dict(spec.env)
    program = spec.command[0]
    if spec.cwd is not None and not await anyio.Path(spec.cwd).is_dir():
        raise _not_found(spec, f"needs the working directory '{spec.cwd}', which does not exist.")
    if os.sep in program and spec.cwd is not None:
        program = str(Path(spec.cwd, program))
    found = shutil.which(program, path=environment.get("PATH"))
    if found is None:
        what = f"needs the program '{program}', which was not found."
        raise _not_found(spec, what, how_to_install(program))
    start = await to_thread.run_sync(_start_of, spec, found, environment)
    limits = {"grace": GRACE_S, "memory": spec.max_memory_mb * 2**20, "watched": 1}
    limits |= {"processes": spec.max_processes, "files": spec.max_open_files}
    options = [word for name, limit in limits.items() for word in (f"--{name}", str(limit))]
    return await open_reaped(
        start.command, [*options, *start.options], env=start.env, cwd=start.cwd
    )


def _start_of(spec: OriginSpec, found: str, environment: Mapping[str, str]) -> ConfinedCommand:
    program = str(Path(found).absolute())
    arguments = spec.command[1:]
    is_accepted = spec.unconfined and confinement().is_impossible and os.geteuid() != 0
    if spec.profile is None or is_accepted:
        return ConfinedCommand((program, *arguments), environment, spec.cwd)
    if confinement().kind == "none":
        tried = " ".join(f"{each.rung}: {each.said}." for each in confinement().tried)
        what = "is not started, because this machine cannot confine it."
        raise UpstreamError("unconfined", spec.name, what, detail=tried)
    try:
        return start_of(spec.profile, program, arguments, environment, spec.cwd)
    except QmError as error:
        what = f"is not started. {error.message}"
        raise UpstreamError("unconfined", spec.name, what, hint=error.hint) from error


def _not_found(spec: OriginSpec, what: str, hint: str | None = None) -> UpstreamError:
    return UpstreamError("command_not_found", spec.name, what, hint=hint)
