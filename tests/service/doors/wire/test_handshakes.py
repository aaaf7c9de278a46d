"""Connections that stay in their TLS handshake, over real sockets."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from quartermaster.core.trust import trusting
from quartermaster.doors.wire.handshakes import Handshakes, network_of
from tests.support.certificates import Authority

pytestmark = pytest.mark.anyio

MOST = 3
HALF_HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(250)


class Greeting(asyncio.Protocol):
    """Greets whoever has completed the handshake."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(b"hello")


class Stand:
    """A listening service.

    Attributes:
        port: where it listens.
        trusted: context of a client that trusts it.
        handshakes: those that are open.
        writers: connections of its clients.
    """

    def __init__(self, port: int, trusted: ssl.SSLContext, handshakes: Handshakes) -> None:
        self.port, self.trusted, self.handshakes = port, trusted, handshakes
        self.writers: list[asyncio.StreamWriter] = []

    async def sent(self, data: bytes, host: str = "127.0.0.1") -> asyncio.StreamReader:
        """Returns what the answer to some bytes is read from, sent by a client with this
        address.
        """
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(host, 0))
        self.writers.append(writer)
        writer.write(data)
        await writer.drain()
        return reader

    async def greeted(self) -> bytes:
        """Returns what an honest client is sent."""
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.port, ssl=self.trusted, server_hostname="127.0.0.1"
        )
        try:
            return await reader.readexactly(5)
        finally:
            writer.close()


@asynccontextmanager
async def listening(
    folder: Path, limit_s: float, make: Callable[[], asyncio.Protocol] = Greeting
) -> AsyncGenerator[Stand]:
    authority = Authority(folder, "authority")
    certified = authority.certify("server")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certified.certificate, certified.key)
    handshakes = Handshakes(context, limit_s, make, MOST)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        handshakes.start(listener, 100)
        trusted = trusting(str(authority.certificate))
        stand = Stand(listener.getsockname()[1], trusted, handshakes)
        yield stand
        for writer in stand.writers:
            writer.close()
        handshakes.close()
        await handshakes.wait_closed()


async def is_closed(reader: asyncio.StreamReader, within_s: float) -> bool:
    try:
        await asyncio.wait_for(reader.read(), within_s)
    except TimeoutError:
        return False
    except ConnectionError:
        pass
    return True


async def test_a_fault_of_the_service_is_logged_and_that_of_a_client_is_not(tmp_path: Path) -> None:
    def fail() -> asyncio.Protocol:
        raise RuntimeError("no protocol")

    async with listening(tmp_path, 60, fail) as stand:
        with capture_logs() as lines, pytest.raises((OSError, asyncio.IncompleteReadError)):
            await stand.greeted()
        assert [line["event"] for line in lines] == ["handshake_failed"]
    async with listening(tmp_path, 60) as stand:
        with capture_logs() as lines:
            assert await is_closed(await stand.sent(b"no TLS at all, for sure"), 10)
        assert lines == []


async def test_the_oldest_is_ended_and_an_honest_client_is_served(tmp_path: Path) -> None:
    async with listening(tmp_path, limit_s=60) as stand:
        clients = [await stand.sent(HALF_HELLO) for _ in range(MOST)]
        assert await stand.greeted() == b"hello"
        clients.append(await stand.sent(HALF_HELLO))
        assert await is_closed(clients[0], 10)
        assert not await is_closed(clients[-1], 0.2)
        for _ in range(5 * MOST):
            assert await stand.greeted() == b"hello"
            await stand.sent(HALF_HELLO)


async def test_who_opens_many_ends_none_of_another_client(tmp_path: Path) -> None:
    async with listening(tmp_path, limit_s=60) as stand:
        slow = await stand.sent(HALF_HELLO)
        clients = [await stand.sent(HALF_HELLO, "127.0.0.2") for _ in range(5 * MOST)]
        assert await is_closed(clients[0], 10)
        assert not await is_closed(slow, 0.2)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("::ffff:10.0.0.1", "::ffff:10.0.0.2", False),
        ("10.0.0.1", "10.0.0.2", False),
    ],
)
def test_what_one_client_can_choose_is_one_network(one: str, other: str, same: bool) -> None:
    assert (network_of(one) == network_of(other)) == same


async def test_a_slow_one_is_ended(tmp_path: Path) -> None:
    async with listening(tmp_path, limit_s=0.5) as stand:
        assert await is_closed(await stand.sent(HALF_HELLO), 10)
        assert await stand.greeted() == b"hello"


async def test_what_is_no_handshake_ends_nothing_else(tmp_path: Path) -> None:
    async with listening(tmp_path, limit_s=60) as stand:
        for _ in range(2 * MOST):
            assert await is_closed(await stand.sent(b"GET / HTTP/1.1\r\n\r\n"), 10)
        assert await stand.greeted() == b"hello"


async def test_closing_ends_those_that_are_open(tmp_path: Path) -> None:
    async with listening(tmp_path, limit_s=60) as stand:
        client = await stand.sent(HALF_HELLO)
        await stand.greeted()
        stand.handshakes.close()
        assert await is_closed(client, 10)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(stand.greeted(), 1)
