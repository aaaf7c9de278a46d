"""Clients and a server send as much as they can: memory stays, and /healthz answers.

With QM_FULL_SIZE=1, the sizes are those of lab/notes/supervision.md, and the time of /healthz has
its limit. Otherwise other tests on the same machine would decide about that time:
`QM_FULL_SIZE=1 python -m pytest -n0 -s tests/attack/test_fill_the_memory.py` on an idle machine.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import urlsplit

import pytest

from tests.support.certificates import Authority
from tests.support.health_watch import watching
from tests.support.instance import Instance, new_instance
from tests.support.waiting import wait_until

IS_FULL: Final = os.environ.get("QM_FULL_SIZE") == "1"
HEADER_BYTES: Final = 500_000_000 if IS_FULL else 20_000_000
BOMB_BYTES: Final = 10_000_000_000 if IS_FULL else 500_000_000
CONNECTIONS: Final = 2_000 if IS_FULL else 200
SESSIONS: Final = 10_000 if IS_FULL else 300
MOST_GROWTH_MB: Final = 100
SLOWEST_HEALTH_S: Final = 0.5 if IS_FULL else 10.0
_BLANKS: Final = b" " * 1_000_000
# The first half of a record with a ClientHello of 512 bytes.
_HALF_HELLO: Final = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(250)


@pytest.fixture(scope="module")
def instance(stopped_data_dir: Path) -> Generator[Instance]:
    with new_instance(copy_of=stopped_data_dir) as running:
        yield running.start()


@contextmanager
def held(instance: Instance, what: str) -> Generator[None]:
    """Asserts that memory and /healthz keep to their limits meanwhile."""
    with watching(instance.run_file) as watched:
        began = time.perf_counter()
        yield
        lasted = time.perf_counter() - began
    slowest = max(watched.health_s)
    say(
        f"{what}: {lasted:.1f} s, RSS {watched.before_mb:.0f} MB, at most"
        f" {watched.grown_mb:+.0f} MB; /healthz {len(watched.health_s)} times,"
        f" slowest {slowest:.3f} s, failed {len(watched.failed)}"
    )
    assert not watched.failed
    assert watched.grown_mb <= MOST_GROWTH_MB
    assert slowest <= SLOWEST_HEALTH_S


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def connect(instance: Instance) -> socket.socket:
    url = urlsplit(instance.run_file.url)
    return socket.create_connection((str(url.hostname), url.port), timeout=30)


def test_endless_headers(instance: Instance) -> None:
    sent = tries = 0
    with held(instance, f"headers of {HEADER_BYTES // 10**6} MB"):
        # The service closes each connection early, so the attacker tries again and again.
        while sent < HEADER_BYTES and tries < 2_000:
            tries += 1
            with connect(instance) as client, suppress(ConnectionError):
                client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
                for _ in range(HEADER_BYTES // len(_BLANKS)):
                    client.sendall(_BLANKS)
                    sent += len(_BLANKS)
    say(f"  {tries} connections, {sent / 10**6:.0f} MB left the client")
    assert tries > 1


def test_half_open_connections(instance: Instance) -> None:
    clients: list[socket.socket] = []
    with held(instance, f"{CONNECTIONS} half-open connections"):
        try:
            for _ in range(CONNECTIONS):
                clients.append(connect(instance))
                clients[-1].sendall(b"GET /healthz HTTP/1.1\r\nHost: local")
            opened = time.perf_counter()
            assert all(ended(client) for client in clients)
            say(f"  all closed {time.perf_counter() - opened:.1f} s after the last was opened")
        finally:
            for client in clients:
                client.close()


def test_half_open_handshakes(stopped_data_dir: Path, tmp_path: Path) -> None:
    authority = Authority(tmp_path, "authority")
    certified = authority.certify("server")
    options = ["--tls-cert", certified.certificate, "--tls-key", certified.key]
    options += ["--tls-ca", authority.certificate]
    clients: list[socket.socket] = []
    with (
        new_instance(*map(str, options), copy_of=stopped_data_dir) as instance,
        held(instance.start(), f"{CONNECTIONS} half-open TLS handshakes"),
    ):
        try:
            for _ in range(CONNECTIONS):
                clients.append(connect(instance))
                with suppress(ConnectionError):
                    clients[-1].sendall(_HALF_HELLO)
            assert all(ended(client) for client in clients)
        finally:
            for client in clients:
                client.close()


def ended(client: socket.socket) -> bool:
    """Returns whether the service closes the connection, after its answer 408 if it can send
    one.
    """
    answer = b""
    with suppress(ConnectionError):
        while data := client.recv(65_536):
            answer += data
    return not answer or answer.startswith(b"HTTP/1.1 408")


def test_sessions_of_one_principal(instance: Instance) -> None:
    url = urlsplit(instance.run_file.url)
    instance.qm("principal", "create", "greedy")
    key = instance.qm_json("key", "create", "greedy", "--label", "attack")["key"]
    params = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "greedy", "version": "1"},
    }
    content = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    headers = {
        "authorization": f"Bearer {key}",
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
    }

    def attempt(times: int) -> Counter[int]:
        counts = Counter[int]()
        # The client of the standard library needs the least time of its own.
        client = HTTPConnection(str(url.hostname), url.port, timeout=60)
        for _ in range(times):
            client.request("POST", "/mcp", content, headers)
            answer = client.getresponse()
            answer.read()
            counts[answer.status] += 1
        client.close()
        return counts

    with held(instance, f"{SESSIONS} attempted sessions"), ThreadPoolExecutor(4) as pool:
        counts = sum(pool.map(attempt, [SESSIONS // 4] * 4), Counter[int]())
    say(f"  answers by status: {dict(counts)}")
    assert counts[200] <= 200
    assert counts[200] + counts[429] == SESSIONS


class Bomb(ThreadingHTTPServer):
    """Answers each POST with gzip of blanks, which it makes while it sends."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Bombing)
        self.answers = 0
        self.sent = 0


class _Bombing(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        bomb = cast(Bomb, self.server)
        bomb.answers += 1
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-encoding", "gzip")
        self.end_headers()
        with suppress(OSError):
            for chunk in blanks(BOMB_BYTES):
                self.wfile.write(chunk)
                bomb.sent += len(chunk)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name there
        pass


def blanks(size: int) -> Iterator[bytes]:
    packer = zlib.compressobj(wbits=31)
    for _ in range(size // len(_BLANKS)):
        if chunk := packer.compress(_BLANKS):
            yield chunk
    yield packer.flush()


def served(server: ThreadingHTTPServer) -> Callable[[], None]:
    thread = threading.Thread(target=server.serve_forever)
    thread.start()

    def stop() -> None:
        server.shutdown()
        thread.join()
        server.server_close()

    return stop


def test_an_answer_that_unpacks_to_gigabytes(instance: Instance) -> None:
    bomb = Bomb()
    stop = served(bomb)
    try:
        with held(instance, f"an answer that unpacks to {BOMB_BYTES / 10**9:g} GB"):
            url = f"http://127.0.0.1:{bomb.server_port}/mcp"
            done = instance.qm("origin", "add", "bomb", "--url", url, "--yes")
            assert "compressed" in done.stdout + done.stderr
            assert wait_until(lambda: bomb.answers)
        say(f"  {bomb.answers} answers, {bomb.sent / 10**6:.1f} MB of gzip left the server")
        assert bomb.answers
    finally:
        stop()
