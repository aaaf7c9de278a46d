"""An HTTP MCP server within the test, byte by byte, that fails where its calls say."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from socket import SO_REUSEPORT, SOL_SOCKET, socket
from typing import Any, Self

import anyio

from tests.support.fault_server import fault_of, initialized, text

# Answered before the tool runs, so a call of these has done nothing.
NOT_RUN = frozenset({"http_404", "http_429", "down"})


class FaultUpstream:
    """Counts what calls have done, in this process, and so outlives every connection.

    Attributes:
        effects: how often the tool of a call has run, by the call's ``id``.
        arrived: set when the next call arrives.
        on_run: awaited when a tool has run, before anything is answered.
    """

    def __init__(self) -> None:
        self.effects: Counter[str] = Counter()
        self.arrivals: Counter[str] = Counter()
        self.arrived = anyio.Event()
        self.on_run: Callable[[], Awaitable[None]] | None = None
        # Not listening: while the upstream is down, no connection of another process gets the port.
        self._place = socket()
        self._place.setsockopt(SOL_SOCKET, SO_REUSEPORT, 1)
        self._place.bind(("127.0.0.1", 0))
        self.port: int = self._place.getsockname()[1]
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    @classmethod
    @asynccontextmanager
    async def open(cls) -> AsyncGenerator[Self]:
        upstream = cls()
        await upstream.start()
        try:
            yield upstream
        finally:
            upstream.stop()
            upstream._place.close()

    async def start(self) -> None:
        """Listens, always at the same port."""
        self._server = await asyncio.start_server(
            self._serve, "127.0.0.1", self.port, reuse_port=True
        )

    def stop(self) -> None:
        """Is gone as after SIGKILL: every connection is reset."""
        assert self._server is not None
        self._server.close()
        for writer in list(self._writers):
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            while await self._answer(reader, writer):
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        sizes = [line[15:] for line in head.splitlines() if line.startswith("content-length:")]
        body = await reader.readexactly(int(sizes[0])) if sizes else b""
        if not head.startswith("post"):
            respond(writer, 405 if head.startswith("get") else 200, b"")
            return True
        message = json.loads(body)
        if "id" not in message:
            respond(writer, 202, b"")
            return True
        match message["method"]:
            case "initialize":
                respond(writer, 200, reply(message, result=initialized(message["params"])))
            case "tools/list":
                respond(writer, 200, reply(message, result={"tools": []}))
            case "tools/call":
                return await self._call(message, writer)
            case _:
                error = {"code": -32601, "message": "no such method"}
                respond(writer, 200, reply(message, error=error))
        return True

    async def _call(self, message: dict[str, Any], writer: asyncio.StreamWriter) -> bool:
        arguments: dict[str, Any] = message["params"]["arguments"]
        fault = fault_of(arguments, self.arrivals[arguments["id"]])
        self.arrivals[arguments["id"]] += 1
        self.effects[arguments["id"]] += fault not in NOT_RUN
        self.arrived.set()
        if self.on_run is not None:
            await self.on_run()
        answer = reply(message, result=text("done"))
        match fault:
            case "drop":
                writer.transport.abort()
                return False
            case "half":
                respond(writer, 200, answer, cut=len(answer) // 2)
                await writer.drain()
                return False
            case "hang":
                await asyncio.sleep(60)
            case "garbage":
                respond(writer, 200, b"{not json")
            case "down":
                self.stop()
                asyncio.get_running_loop().create_task(self._start_later())
                return False
            case "error":
                respond(writer, 200, reply(message, error={"code": -32000, "message": "failed"}))
            case status if status.startswith("http_"):
                respond(writer, int(status[5:]), b"", content_type="text/plain")
            case _:
                respond(writer, 200, answer)
        return True

    async def _start_later(self) -> None:
        await asyncio.sleep(0.1)
        await self.start()


def reply(message: dict[str, Any], **outcome: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": message["id"], **outcome}).encode()


def respond(
    writer: asyncio.StreamWriter,
    status: int,
    body: bytes,
    *,
    content_type: str = "application/json",
    cut: int | None = None,
) -> None:
    head = (
        f"HTTP/1.1 {status} X\r\ncontent-type: {content_type}\r\n"
        f"mcp-session-id: one\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body[:cut])
