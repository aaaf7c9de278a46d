"""Somebody answers in place of the service, to read the key of a client."""

from __future__ import annotations

import json
import os
import socket
import ssl
import subprocess
import threading
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from quartermaster.core.paths import RunFile
from tests.support.certificates import Authority
from tests.support.forks import forked_qm
from tests.support.instance import QM, environment_of_commands
from tests.support.waiting import wait_until

TOKEN = "qm_cnryQm7x-the-key-of-the-client"
HELLO = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}


@dataclass
class Impostor:
    """A server in place of the service.

    Attributes:
        listener: its socket.
        context: its certificate; None if it speaks HTTP without TLS.
        heard: what clients have sent to it.
    """

    listener: socket.socket
    context: ssl.SSLContext | None
    heard: list[bytes] = field(default_factory=list[bytes])

    @property
    def port(self) -> int:
        return self.listener.getsockname()[1]

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            connection.settimeout(60)
            try:
                if self.context is not None:
                    connection = self.context.wrap_socket(connection, server_side=True)
                self.heard.append(connection.recv(100_000))
                connection.sendall(b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n")
            except OSError as error:
                self.heard.append(str(error).encode())
            finally:
                connection.close()


@pytest.fixture
def mallory(tmp_path: Path) -> Authority:
    return Authority(tmp_path, "mallory")


@pytest.fixture(params=["certificate of another authority", "for another name", "no tls"])
def impostor(
    request: pytest.FixtureRequest, tmp_path: Path, mallory: Authority
) -> Generator[Impostor]:
    """Its address is in run.json, which names the authority of the real service."""
    real = Authority(tmp_path, "real")
    context = None
    if request.param != "no tls":
        is_named = request.param == "for another name"
        shown = real.certify("elsewhere", ["other.example"]) if is_named else mallory.certify("own")
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(shown.certificate, shown.key)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        impostor = Impostor(listener, context)
        thread = threading.Thread(target=impostor.serve)
        thread.start()
        url = f"https://127.0.0.1:{impostor.port}"
        RunFile(url, TOKEN, os.getpid(), str(real.certificate)).write(tmp_path / "data")
        yield impostor
        listener.shutdown(socket.SHUT_RDWR)
    thread.join()


def run(
    tmp_path: Path, command: list[str], given: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    environment = environment_of_commands() | {"QM_DATA_DIR": str(tmp_path / "data")}
    return subprocess.run(command, env=environment, input=given, capture_output=True, timeout=60)


def test_qm_call_does_not_send_the_key(impostor: Impostor, tmp_path: Path) -> None:
    done = run(tmp_path, [*forked_qm(), "call", "leaf__echo", "{}"])
    assert done.returncode == 1
    assert b"not_reachable" in done.stderr
    assert wait_until(lambda: bool(impostor.heard))
    assert TOKEN.encode() not in b"".join(impostor.heard)


def test_qm_stdio_does_not_send_the_key(impostor: Impostor, tmp_path: Path) -> None:
    done = run(tmp_path, [str(QM), "stdio"], json.dumps(HELLO).encode() + b"\n")
    assert json.loads(done.stdout)["error"]["code"] == -32000
    assert wait_until(lambda: bool(impostor.heard))
    assert TOKEN.encode() not in b"".join(impostor.heard)


@pytest.mark.parametrize("impostor", ["certificate of another authority"], indirect=True)
def test_whoever_trusts_the_impostor_does_send_it(
    impostor: Impostor, tmp_path: Path, mallory: Authority
) -> None:
    """The attempts above would succeed without the check."""
    url = f"https://127.0.0.1:{impostor.port}"
    RunFile(url, TOKEN, os.getpid(), str(mallory.certificate)).write(tmp_path / "data")
    run(tmp_path, [str(QM), "stdio"], json.dumps(HELLO).encode() + b"\n")
    assert TOKEN.encode() in b"".join(impostor.heard)
