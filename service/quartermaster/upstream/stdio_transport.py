"""The stdio transport: newline-delimited JSON-RPC with a process that the reaper starts.

The SDK's own transport keeps lines of any length, copies them again for every chunk, logs each line
that is not JSON-RPC with a traceback, and ends on invalid UTF-8. One bad upstream would therefore
harm the others.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import anyio
from anyio import to_thread
from anyio.abc import ByteReceiveStream, Process
from mcp.client._transport import TransportStreams
from mcp.shared.message import SessionMessage

from quartermaster.core.errors import QmError
from quartermaster.core.json_rpc import Inbound, Outbound
from quartermaster.core.logs import get_logger
from quartermaster.core.reaped import open_reaped
from quartermaster.upstream.confinement import Start, confinement, start_of
from quartermaster.upstream.failure import UpstreamError
from quartermaster.upstream.messages import read_upstream
from quartermaster.upstream.spec import OriginSpec

TAIL_BYTES: Final = 100_000
MAX_LINE_BYTES: Final = 32 * 2**20
MAX_GARBAGE_BYTES: Final = 4 * 2**20
WRITE_TIMEOUT_S: Final = 30.0
_CHUNK_BYTES: Final = 2**16
_POLL_S: Final = 0.01
# White space, and the mark that some programs write at the start of their output.
_BLANK: Final = b" \t\r\xef\xbb\xbf"
# The errors from reading or writing a pipe after either side has closed it.
_CLOSED: Final = (
    anyio.EndOfStream,
    anyio.ClosedResourceError,
    anyio.BrokenResourceError,
    OSError,
)
GRACE_S: Final = 2.0
_INHERITED: Final = (
    *("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "TMPDIR"),
    *("LANG", "LC_ALL", "LC_CTYPE", "TZ"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"),
)


class StderrTail:
    """Keeps the last ``limit`` appended bytes, across restarts of the upstream."""

    def __init__(self, limit: int = TAIL_BYTES) -> None:
        self._limit = limit
        self._kept = bytearray()

    def append(self, chunk: bytes) -> None:
        """Adds bytes that were just read."""
        self._kept += chunk
        # The data is cut only when it reaches twice the limit, so that most appends copy nothing.
        if len(self._kept) > 2 * self._limit:
            del self._kept[: -self._limit]

    def text(self, limit: int | None = None) -> str:
        """Returns the last ``limit`` bytes as text; by default, everything that is kept."""
        kept = self._kept[-min(limit or self._limit, self._limit) :]
        return kept.decode("utf-8", errors="replace")

    def last_line(self) -> str | None:
        """Returns the last line that is not blank, cut to 500 bytes."""
        lines = [line for line in self.text(500).splitlines() if line.strip()]
        return lines[-1].strip() if lines else None


@dataclass(eq=False)
class StdioTransport:
    """One run of a stdio upstream. Nothing is started yet when it is made.

    Attributes:
        spec: definition of the upstream.
        stderr: buffer that receives the standard error output of the program.
        on_end: function that is called when no further message can arrive.
        problem: why the upstream was stopped, if it misbehaved.
    """

    spec: OriginSpec
    stderr: StderrTail
    on_end: Callable[[], None]
    problem: str | None = None
    _garbage_bytes: int = 0
    _process: Process | None = None

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
    def returncode(self) -> int | None:
        """Exit status, or 128 + N for signal N; None while the process is running."""
        return self._process.returncode if self._process else None

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[TransportStreams]:
        """Starts the program. On exit, all its processes end within about 5 s.

        Raises:
            UpstreamError: QM502 ``upstream_command_not_found``.
        """
        process = self._process = await launch(self.spec)
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

    async def _stop(self, process: Process) -> None:
        """Closes stdin and leaves the rest to the reaper, which is itself killed if it hangs."""
        assert process.stdin is not None
        with suppress(*_CLOSED):
            await process.stdin.aclose()
        if self.problem and process.returncode is None:
            process.terminate()
        with anyio.move_on_after(2 * GRACE_S + 2) as waiting:
            # `process.wait()` would also wait for pipes that a surviving child keeps open.
            while process.returncode is None:  # noqa: ASYNC110
                await anyio.sleep(_POLL_S)
        if waiting.cancelled_caught:
            get_logger().error("upstream_reaper_killed", origin=self.spec.name, pid=process.pid)
            process.kill()
        with anyio.move_on_after(1):
            await process.aclose()

    def _give_up(self, problem: str) -> None:
        self.problem = problem
        get_logger().warning("upstream_given_up", origin=self.spec.name, problem=problem)
        if self._process and self._process.returncode is None:
            self._process.terminate()

    async def _read_stdout(self, stdout: ByteReceiveStream, inbound: Inbound) -> None:
        line = bytearray()
        try:
            while self.problem is None:
                chunk = await stdout.receive(_CHUNK_BYTES)
                line += chunk
                if b"\n" in chunk:
                    *complete, rest = bytes(line).split(b"\n")
                    line = bytearray(rest)
                    for text in complete:
                        await self._deliver(text, inbound)
                    await anyio.lowlevel.checkpoint()
                elif len(line) > MAX_LINE_BYTES:
                    self._give_up(f"wrote a line longer than {MAX_LINE_BYTES} bytes to stdout")
        except _CLOSED:
            pass
        finally:
            inbound.close()
            self.on_end()
        # A program that waits for a full pipe to be read could not exit.
        with suppress(*_CLOSED):
            while True:
                await stdout.receive(_CHUNK_BYTES)

    async def _deliver(self, text: bytes, inbound: Inbound) -> None:
        if not text.strip():
            return
        try:
            # This test finds most lines that are not JSON-RPC. Validating every line of a very long
            # output would take seconds.
            if not text.lstrip(_BLANK).startswith(b"{"):
                raise ValueError
            message = await read_upstream(text)
        except ValueError:
            self._count_garbage(text)
            return
        self._garbage_bytes = 0
        await inbound.send(SessionMessage(message))

    def _count_garbage(self, text: bytes) -> None:
        """Counts a line that is not JSON-RPC. Servers may print banners, but a server that prints
        nothing else is stopped.
        """
        if self._garbage_bytes == 0:
            shown = text[:200].decode("utf-8", errors="replace")
            get_logger().warning("upstream_stdout_garbage", origin=self.spec.name, text=shown)
        self._garbage_bytes += len(text) + 1
        if self._garbage_bytes > MAX_GARBAGE_BYTES and self.problem is None:
            self._give_up(f"wrote {self._garbage_bytes} bytes to stdout that are not JSON-RPC")

    async def _write_stdin(self, process: Process, outbound: Outbound, inbound: Inbound) -> None:
        assert process.stdin
        with suppress(*_CLOSED):
            async for session_message in outbound:
                message = session_message.message
                text = message.model_dump_json(by_alias=True, exclude_unset=True) + "\n"
                with anyio.move_on_after(WRITE_TIMEOUT_S) as writing:
                    await process.stdin.send(text.encode())
                if writing.cancelled_caught:
                    self._give_up(f"did not read its stdin for {WRITE_TIMEOUT_S:.0f} s")
                    break
        # The program may stay alive, but callers must not wait for its answer.
        inbound.close()
        outbound.close()
        self.on_end()

    async def _read_stderr(self, stderr: ByteReceiveStream) -> None:
        with suppress(*_CLOSED):
            while True:
                self.stderr.append(await stderr.receive(_CHUNK_BYTES))


async def launch(spec: OriginSpec) -> Process:
    """Starts the program in its house with pipes. Closing its stdin, or SIGTERM, ends all its
    processes.

    Its environment contains a few harmless variables from the service and the origin's own
    variables.

    Raises:
        UpstreamError: QM502 ``upstream_command_not_found`` if the program or working directory does
            not exist; QM403 ``upstream_unconfined`` if this machine cannot confine the program.
    """
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    environment = inherited | dict(spec.env)
    program = spec.command[0]
    if spec.cwd is not None and not await anyio.Path(spec.cwd).is_dir():
        raise _not_found(spec, f"needs the working directory {spec.cwd!r}, which does not exist.")
    if os.sep in program and spec.cwd is not None:
        program = str(Path(spec.cwd, program))
    found = shutil.which(program, path=environment.get("PATH"))
    if found is None:
        raise _not_found(spec, f"needs the program {program!r}, which was not found.")
    start = await to_thread.run_sync(_start_of, spec, found, environment)
    limits = {"grace": GRACE_S, "memory": spec.max_memory_mb * 2**20, "watched": 1}
    limits |= {"processes": spec.max_processes, "files": spec.max_open_files}
    options = [word for name, limit in limits.items() for word in (f"--{name}", str(limit))]
    return await open_reaped(
        start.command, [*options, *start.options], env=start.env, cwd=start.cwd
    )


def _start_of(spec: OriginSpec, found: str, environment: Mapping[str, str]) -> Start:
    program = str(Path(found).absolute())
    arguments = spec.command[1:]
    is_accepted = spec.unconfined and confinement().is_impossible and os.geteuid() != 0
    if spec.house is None or is_accepted:
        return Start((program, *arguments), environment, spec.cwd)
    if confinement().kind == "none":
        tried = " ".join(f"{each.rung}: {each.said}." for each in confinement().tried)
        what = "is not started, because this machine cannot confine it."
        raise UpstreamError("unconfined", spec.name, what, detail=tried)
    try:
        return start_of(spec.house, program, arguments, environment, spec.cwd)
    except QmError as error:
        what = f"is not started. {error.message}"
        raise UpstreamError("unconfined", spec.name, what, hint=error.hint) from error


def _not_found(spec: OriginSpec, what: str) -> UpstreamError:
    return UpstreamError("command_not_found", spec.name, what)
