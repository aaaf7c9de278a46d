"""The limits of a connection, over real sockets and a real uvicorn."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncGenerator, Awaitable
from contextlib import asynccontextmanager, suppress
from time import perf_counter
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from quartermaster.doors.wire.http_protocol import LimitedHttp
from quartermaster.settings.sections import ServerSettings

pytestmark = pytest.mark.anyio

LIMITS = ServerSettings(
    max_header_bytes=2_000, header_timeout_s=1, body_timeout_s=1, write_timeout_s=1
)
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"


async def size(request: Request) -> Response:
    return PlainTextResponse(str(len(await request.body())))


async def refused(_: Request) -> Response:
    return PlainTextResponse("no", 401)


async def endless(_: Request) -> Response:
    async def blanks() -> AsyncGenerator[bytes]:
        while True:
            yield b" " * 65_536
            await asyncio.sleep(0)  # otherwise nothing else would run after the client is gone

    return StreamingResponse(blanks())


async def slow(_: Request) -> Response:
    async def words() -> AsyncGenerator[bytes]:
        for _ in range(4):
            await asyncio.sleep(0.5)
            yield b"word "

    return StreamingResponse(words(), headers={"Content-Length": "20"})


class Client:
    """A connection that can break every rule."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self) -> tuple[int, bytes]:
        """Returns status and body of the next answer."""
        head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.split(b"content-length: ")[1].split(b"\r\n")[0])
        return int(head.split()[1]), await self.reader.readexactly(length)

    async def keep_sending(self) -> None:
        """Sends for three seconds."""
        for _ in range(60):
            await self.send(b"x" * 65_536)
            await asyncio.sleep(0.05)

    async def is_closed(self) -> bool:
        """Returns whether the server ends the connection; reads what it still sends."""
        try:
            while await self.reader.read(65_536):
                pass
        except ConnectionError:
            pass
        return True


class Door:
    """A server with the limits above."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._clients: list[Client] = []

    async def connect(self, **options: Any) -> Client:
        client = Client(*await asyncio.open_connection("127.0.0.1", self._port, **options))
        self._clients.append(client)
        return client

    async def close(self) -> None:
        for client in self._clients:
            client.writer.transport.abort()
            with suppress(ConnectionError):
                await client.writer.wait_closed()


@asynccontextmanager
async def served() -> AsyncGenerator[Door]:
    app = Starlette(
        routes=[
            Route("/", size, methods=["GET", "POST"]),
            Route("/slow", slow),
            Route("/refused", refused, methods=["POST"]),
            Route("/endless", endless),
        ],
    )
    config = uvicorn.Config(
        app, http=LimitedHttp.limited(LIMITS), ws="none", log_config=None, lifespan="off"
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config.load()
        server.lifespan = config.lifespan_class(config)
        await server.startup(sockets=[listener])
        door = Door(listener.getsockname()[1])
        try:
            yield door
        finally:
            await door.close()
            server.force_exit = True
            await server.shutdown(sockets=[listener])


async def within(seconds: float, what: Awaitable[Any]) -> Any:
    return await asyncio.wait_for(what, seconds)


async def test_honest_requests_are_served():
    async with served() as door:
        client = await door.connect()
        await client.send(GET + b"\r\n")
        assert await client.answer() == (200, b"0")
        # The same connection, a body larger than a head may be, and two requests at once.
        await client.send(POST % 500_000 + b"x" * 500_000)
        assert await client.answer() == (200, b"500000")
        await client.send(GET + b"\r\n" + POST % 3 + b"abc")
        assert [await client.answer(), await client.answer()] == [(200, b"0"), (200, b"3")]
        # Each head may have its full size.
        for _ in range(3):
            await client.send(GET + b"X: " + b"x" * 1_900 + b"\r\n\r\n")
            assert await client.answer() == (200, b"0")


@pytest.mark.parametrize(
    "head",
    [
        GET + b"X: " + b"x" * 10_000,
        b"GET /" + b"x" * 10_000,
        b"x" * 10_000_000,
        GET + b"".join(b"X%d: 1\r\n" % number for number in range(150)) + b"\r\n",
    ],
    ids=["header", "path", "method", "number"],
)
@pytest.mark.parametrize("before", [b"", GET + b"\r\n"], ids=["first", "second"])
async def test_a_large_head_ends_the_connection(head: bytes, before: bytes):
    async with served() as door:
        client = await door.connect()
        if before:
            await client.send(before)
            assert await client.answer() == (200, b"0")
        try:
            await client.send(head)
            status, body = await within(1, client.answer())
        except (ConnectionError, asyncio.IncompleteReadError):
            status, body = 0, b""  # the server closed before we had sent all
        if status == 431:
            error = json.loads(body)["error"]
            assert (error["code"], error["slug"]) == ("QM431", "headers_too_large")
        else:
            assert status in {0, 400}
        assert await within(1, client.is_closed())


@pytest.mark.parametrize(
    ("start", "drip"),
    [(b"", b""), (b"", b"\r"), (GET, b"x"), (POST % 50, b"x")],
    ids=["silent", "blank lines", "head", "body"],
)
async def test_a_slow_request_ends_the_connection(start: bytes, drip: bytes):
    async with served() as door:
        client = await door.connect()
        begun = perf_counter()

        async def send_slowly() -> None:
            await client.send(start)
            while drip:
                await asyncio.sleep(0.1)
                await client.send(drip)

        sending = asyncio.create_task(send_slowly())
        assert await within(4, client.is_closed())
        assert perf_counter() - begun > 0.8
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        # The server goes on.
        other = await door.connect()
        await other.send(GET + b"\r\n")
        assert await other.answer() == (200, b"0")


async def test_a_slow_body_is_answered():
    async with served() as door:
        client = await door.connect()
        await client.send(POST % 50 + b"x")
        status, body = await within(2, client.answer())
        error = json.loads(body)["error"]
        assert (status, error["slug"]) == (408, "request_too_slow")
        assert await within(1, client.is_closed())


async def test_an_idle_connection_that_sends_a_byte_now_and_then_is_ended():
    async with served() as door:
        client = await door.connect()
        await client.send(GET + b"\r\n")
        assert await client.answer() == (200, b"0")
        await client.send(b"\r\n")
        assert await within(4, client.is_closed())


@pytest.mark.parametrize("extra", [b"\r\n", b"G"], ids=["blank line", "next head"])
async def test_bytes_during_an_answer_do_not_end_it(extra: bytes):
    async with served() as door:
        client = await door.connect()
        await client.send(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await asyncio.sleep(0.2)
        await client.send(extra)
        assert await within(4, client.answer()) == (200, b"word " * 4)


async def test_a_body_that_waits_for_an_earlier_answer_is_not_slow():
    async with served() as door:
        client = await door.connect()
        slow_request = b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n"
        await client.send(slow_request + POST % 500_000 + b"x" * 500_000)
        assert await within(4, client.answer()) == (200, b"word " * 4)
        assert await within(1, client.answer()) == (200, b"500000")
        # From then on, the time of the body counts.
        await client.send(slow_request + POST % 3)
        assert await within(4, client.answer()) == (200, b"word " * 4)
        assert (await within(2, client.answer()))[0] == 408


@pytest.mark.parametrize("rest", [b"xyz", b"xyzGET"], ids=["body", "body and next head"])
async def test_a_body_after_its_answer_leaves_no_connection_without_a_limit(rest: bytes):
    async with served() as door:
        client = await door.connect()
        await client.send((POST % 3).replace(b"/", b"/refused", 1))
        assert await within(1, client.answer()) == (401, b"no")
        await client.send(rest)
        assert await within(3, client.is_closed())


async def test_a_client_that_does_not_read_is_cut_off():
    async with served() as door:
        client = await door.connect(limit=1024)
        await client.send(b"GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await asyncio.sleep(2.5)
        with pytest.raises(ConnectionError):
            await client.keep_sending()
