"""Standard input and output as MCP streams, read and written by the event loop itself.

The SDK's own stdio server passes every line to a thread and back, which takes longer than the rest
of a short call. That server also ends only when its input ends, so a signal could not end a process
while its client keeps the pipe open.
"""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Final

import anyio
from mcp.client._transport import TransportStreams
from mcp.shared.message import SessionMessage

from quartermaster.core.json_rpc import Inbound, Outbound, read_message
from quartermaster.doors.wire.gateway_server import GatewayServer

_CHUNK_BYTES: Final = 2**16
_LAST_WORDS_S: Final = 5.0


@contextmanager
def claimed_stdio() -> Generator[tuple[int, int]]:
    """Provides private descriptors for stdin and stdout. In the block, stdin is empty, and output
    to stdout goes to stderr.

    Accidental prints and child processes can therefore not interfere with the messages between
    client and server.
    """
    nothing = os.open(os.devnull, os.O_RDONLY)
    try:
        with _claimed(0, nothing) as source, _claimed(1, 2) as sink:
            yield source, sink
    finally:
        os.close(nothing)


@asynccontextmanager
async def open_stdio(
    source: int, sink: int, ended: anyio.Event
) -> AsyncGenerator[TransportStreams]:
    """Converts lines of JSON to messages and back.

    Args:
        source, sink: non-blocking descriptors for input and output.
        ended: event that is set when the client closes the input. If other code sets the event, the
            input ends in the same way.

    Yields:
        The stream of incoming messages, in which an invalid line is an exception, and the stream
        for answers. At the end, pending answers are written unless nobody reads them for 5 s.
    """
    inbound, inbound_read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outbound_write, outbound = anyio.create_memory_object_stream[SessionMessage](0)
    with inbound, inbound_read, outbound_write, outbound:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_read, source, inbound, ended)
            tasks.start_soon(_write, sink, outbound, ended)
            try:
                yield inbound_read, outbound_write
            finally:
                ended.set()
                inbound_read.close()
                outbound_write.close()
                tasks.cancel_scope.deadline = anyio.current_time() + _LAST_WORDS_S


@contextmanager
def _claimed(fd: int, instead: int) -> Generator[int]:
    own = os.dup(fd)
    # The mode of the terminal is restored at the end, because the shell then uses the terminal
    # again.
    was_blocking = os.get_blocking(own)
    os.dup2(instead, fd)
    os.set_blocking(own, False)
    try:
        yield own
    finally:
        os.set_blocking(own, was_blocking)
        os.dup2(own, fd)
        os.close(own)


async def _read(source: int, inbound: Inbound, ended: anyio.Event) -> None:
    async def read_on() -> None:
        line = bytearray()
        with suppress(anyio.BrokenResourceError):
            while chunk := await _received(source):
                line += chunk
                if b"\n" in chunk:
                    *complete, rest = bytes(line).split(b"\n")
                    line = bytearray(rest)
                    for text in complete:
                        await inbound.send(_parsed(text))
        ended.set()

    async with anyio.create_task_group() as reading:
        reading.start_soon(read_on)
        await ended.wait()
        reading.cancel_scope.cancel()
    inbound.close()


def _parsed(text: bytes) -> SessionMessage | Exception:
    try:
        return SessionMessage(read_message(text))
    except ValueError as error:
        return error


async def _received(source: int) -> bytes:
    while True:
        try:
            return os.read(source, _CHUNK_BYTES)
        except BlockingIOError:
            await anyio.wait_readable(source)
        except OSError:
            # The process on the other side of the terminal or socket has ended.
            return b""


async def _write(sink: int, outbound: Outbound, ended: anyio.Event) -> None:
    try:
        async for given in outbound:
            text = given.message.model_dump_json(by_alias=True, exclude_unset=True) + "\n"
            await _sent(sink, text.encode())
    except OSError:
        # Nobody reads answers any more, so no more requests will come.
        outbound.close()
        ended.set()


async def _sent(sink: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(sink, rest) :]
        except BlockingIOError:
            await anyio.wait_writable(sink)


async def serve_stdio(server: GatewayServer, pipes: tuple[int, int], ended: anyio.Event) -> None:
    """Runs an MCP server over stdin and stdout for the principal ``local`` until stdin ends.

    Args:
        server: the SDK server of one of our MCP servers, whose service must outlive the call.
        pipes: descriptors from `claimed_stdio`.
        ended: event that ends the server in the same way as the end of stdin.
    """
    async with open_stdio(*pipes, ended) as (read, write):
        await server.run(read, write, server.create_initialization_options())
