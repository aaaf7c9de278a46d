"""A provider of documentation answers with a way into the machine, without end, or with rubbish."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress

import pytest

from quartermaster_knowledge.providers import ProviderError, Providers
from quartermaster_knowledge.settings import Documents

pytestmark = pytest.mark.anyio
# The server answers once a connection: a client that reused one would meet its end.
HEAD = b"HTTP/1.1 200 OK\r\nconnection: close\r\n"
Answer = Callable[[socket.socket], None]


@contextmanager
def answering(*answers: Answer) -> Generator[tuple[str, list[bytes]]]:
    """Provides a server that gives these answers, one a connection; its URL, and what it was
    asked.
    """
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                for answer in answers:
                    connection, _ = server.accept()
                    with connection, suppress(OSError):
                        asked.append(connection.recv(65_536))
                        answer(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}", asked
        server.shutdown(socket.SHUT_RDWR)
        thread.join(10)
        assert not thread.is_alive()


def report(body: bytes, head: bytes = HEAD) -> Answer:
    return lambda to: to.sendall(head + b"content-length: %d\r\n\r\n" % len(body) + body)


def endlessly(part: bytes, head: bytes = HEAD + b"\r\n", pause_s: float = 0) -> Answer:
    def send(to: socket.socket) -> None:
        to.sendall(head)
        stopped = threading.Event()
        while not stopped.wait(pause_s):
            to.sendall(part)

    return send


def providers(url: str, networks: tuple[str, ...] = ("127.0.0.1/32",)) -> Providers:
    documents = Documents(
        context7_url=url, llms_txt={"acme": f"{url}/llms.txt"}, networks=networks, timeout_s=1
    )
    return Providers(documents, "a key")


@pytest.mark.parametrize(
    "place",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://127.0.0.1:1/",
        "http://2130706433/",
        "http://0177.0.0.1/",
        "//[::ffff:169.254.169.254]/",
        "file:///etc/passwd",
    ],
)
async def test_a_redirect_is_not_followed(place: str) -> None:
    head = b"HTTP/1.1 302 Found\r\nconnection: close\r\nlocation: %s\r\n" % place.encode()
    with answering(report(b"", head), report(b"", head)) as (url, asked):
        for library in ("acme", "/acme/parcels"):
            with pytest.raises(ProviderError, match="status 302"):
                await providers(url).fetch(library, "")
    assert len(asked) == 2


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "2130706433", "0x7f.1", "0177.1", "localhost", "[::1]", "[::ffff:7f00:1]"]
)
async def test_an_inner_address_is_not_asked_however_it_is_written(host: str) -> None:
    with answering() as (url, asked):
        port = url.rpartition(":")[2]
        found = Providers(
            Documents.model_construct(
                context7_url=f"http://{host}:{port}", llms_txt={}, networks=(), timeout_s=1
            )
        )
        with pytest.raises(ProviderError, match="not public"):
            await found.fetch("/acme/parcels", "")
    assert asked == []


@pytest.mark.parametrize(
    "answer",
    [
        endlessly(b"x" * 65_536),
        endlessly(b"1\r\nx\r\n", HEAD + b"transfer-encoding: chunked\r\n\r\n", pause_s=0.05),
        endlessly(b"x", HEAD + b"content-length: 900000\r\n\r\n", pause_s=0.05),
        endlessly(b"x-more: 1\r\n", HEAD),
        endlessly(b"HTTP/1.1 100 Continue\r\n\r\n", b""),
        report(gzip.compress(b"0" * 5_000_000), HEAD + b"content-encoding: gzip\r\n"),
        lambda to: to.sendall(HEAD + b"content-length: -1\r\n\r\n"),
        lambda to: to.sendall(b"SSH-2.0-OpenSSH_9.2\r\n"),
        lambda to: None,
    ],
    ids=["body", "chunks", "drops", "headers", "continue", "gzip", "length", "ssh", "nothing"],
)
async def test_an_answer_without_end_or_sense_ends(answer: Answer) -> None:
    begun = time.monotonic()
    with answering(answer) as (url, _), pytest.raises(ProviderError) as refused:
        await providers(url).fetch("acme", "")
    assert "OpenSSH" not in str(refused.value)
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize("body", [b"\0\xff\xfe\x1b[2J", "\ud800".encode("utf-8", "surrogatepass")])
async def test_what_is_no_text_can_be_stored(body: bytes) -> None:
    with answering(report(body)) as (url, _):
        fetched = await providers(url).fetch("acme", "")
    assert fetched.text is not None
    assert fetched.text.encode()


@pytest.mark.parametrize("title", ["A\0cme", "A\ud800cme", "A\x1b[2Jcme", "Ac\u202eme", "\n"])
async def test_a_title_is_one_printable_line(title: str) -> None:
    found = json.dumps({"results": [{"id": "/acme/parcels", "title": title}]}).encode()
    with answering(report(found), report(b"text")) as (url, _):
        fetched = await providers(url).fetch("parcels", "")
    assert fetched.title.isprintable()
    assert fetched.title.encode()


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 500_000,
        b'{"results": ' + b"9" * 5_000 + b"}",
        b'{"results": {"0": 1}}',
        b'{"results": [1]}',
        b'"results"',
        b"\xff",
    ],
)
async def test_a_list_of_libraries_that_is_none(body: bytes) -> None:
    with answering(report(body)) as (url, _), pytest.raises(ProviderError, match="not Context7's"):
        await providers(url).fetch("parcels", "")


@pytest.mark.parametrize(
    "identifier",
    ["/../parcels", "//169.254.169.254/parcels", "/a/parcels?x=", "/a/parcels#", "/a/..%2fparcels"],
)
async def test_an_id_is_no_way_to_another_path(identifier: str) -> None:
    found = json.dumps({"results": [{"id": identifier, "title": "parcels"}]}).encode()
    with answering(report(found)) as (url, asked):
        assert (await providers(url).fetch("parcels", "")).text == ""
    assert len(asked) == 1
