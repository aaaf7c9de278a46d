"""An HTTP origin leads into the machine or its network: it is connected to public addresses."""

from __future__ import annotations

from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from threading import Thread
from typing import Any

import anyio
import httpcore2
import httpx2
import pytest
from mcp import Client

from quartermaster.core.errors import QmError
from quartermaster.upstream.auth.login import log_in_by_secret
from quartermaster.upstream.auth.settings import OriginAuth
from quartermaster.upstream.egress import (
    CheckedNetwork,
    RefusedAddressError,
    is_public,
    refused_address,
)
from quartermaster.upstream.http_streams import http_streams
from quartermaster.upstream.http_transport import http_client
from quartermaster.upstream.spec import OriginSpec
from quartermaster.upstream.tls import TlsSettings
from tests.support.waiting import LONGEST_S

pytestmark = pytest.mark.anyio
INNER = [
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.169.254",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::",
    "fe80::1",
    "fd00::1",
    "fd00:ec2::254",
    "ff02::1",
    "::7f00:1",
    "::a9fe:a9fe",
    "::ffff:0:a9fe:a9fe",
    "64:ff9b:1::a9fe:a9fe",
    "fec0::1",
    "5f00::1",
    "168.63.129.16",
]


class Wire:
    """Notes to which addresses connections are opened, and opens none."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.opened: list[str] = []
        self.names: dict[str, list[list[str]]] = {}

        async def connect(_self: object, host: str, *_: object, **__: object) -> Any:
            self.opened.append(host)
            raise httpcore2.ConnectError("nobody is there")

        async def resolve(host: str, port: object, **_: object) -> Sequence[Any]:
            answers = self.names.get(host, [[host]])
            answer = answers.pop(0) if len(answers) > 1 else answers[0]
            return [(0, 0, 0, "", (address, port)) for address in answer]

        monkeypatch.setattr(httpcore2.AnyIOBackend, "connect_tcp", connect)
        monkeypatch.setattr(anyio, "getaddrinfo", resolve)


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    return Wire(monkeypatch)


@pytest.mark.parametrize("address", INNER)
async def test_no_inner_address_is_connected_to(wire: Wire, address: str) -> None:
    host = f"[{address}]" if ":" in address else address
    spec = OriginSpec(id=1, name="evil", transport="http", url=f"http://{host}/mcp")
    async with http_client(spec) as client:
        answer = await client.post(f"http://{host}/mcp", json={})
        with pytest.raises(httpx2.ConnectError) as caught:
            await client.get(f"http://{host}/mcp")
    assert "not public" in answer.text
    assert refused_address(caught.value)
    assert wire.opened == []
    assert not is_public(ip_address(address))


async def test_a_name_is_connected_to_at_the_address_that_was_checked(wire: Wire) -> None:
    """A name server that answers differently the second time is not asked a second time."""
    wire.names["rebinding.example"] = [["93.184.216.34"], ["127.0.0.1"]]
    network = CheckedNetwork(())
    with pytest.raises(httpcore2.ConnectError):
        await network.connect_tcp("rebinding.example", 80)
    assert wire.opened == ["93.184.216.34"]
    with pytest.raises(RefusedAddressError):
        await network.connect_tcp("rebinding.example", 80)
    assert wire.opened == ["93.184.216.34"]


async def test_of_several_addresses_only_public_ones_are_tried(wire: Wire) -> None:
    wire.names["mixed.example"] = [["169.254.169.254", "93.184.216.34", "::1"]]
    with pytest.raises(httpcore2.ConnectError):
        await CheckedNetwork(()).connect_tcp("mixed.example", 80)
    assert wire.opened == ["93.184.216.34"]


async def test_what_an_administrator_allowed_is_connected_to_and_nothing_beside(
    wire: Wire,
) -> None:
    network = CheckedNetwork(("10.1.0.0/16", "fd00::1/128"))
    for address in ("10.1.2.3", "fd00::1"):
        with pytest.raises(httpcore2.ConnectError, match="nobody is there"):
            await network.connect_tcp(address, 80)
    for address in ("10.2.0.1", "127.0.0.1", "fd00::2"):
        with pytest.raises(RefusedAddressError):
            await network.connect_tcp(address, 80)
    assert wire.opened == ["10.1.2.3", "fd00::1"]


class _Redirecting(BaseHTTPRequestHandler):
    """Sends every request to another place."""

    place = ""
    asked = 0

    def do_POST(self) -> None:
        type(self).asked += 1
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(307)
        self.send_header("location", self.place)
        self.send_header("content-length", "0")
        self.end_headers()

    do_GET = do_POST  # noqa: N815 - its name there

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name there
        pass


@pytest.mark.parametrize(
    "place",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://127.0.0.2:{port}/mcp",
        "http://[::1]:{port}/mcp",
        "http://localhost.localdomain:{port}/mcp",
        "//169.254.169.254/",
        "https://0x7f000002/",
        "file:///etc/passwd",
    ],
)
async def test_a_redirect_does_not_lead_there(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    opened = set[str]()
    backend: Any = httpcore2.AnyIOBackend
    connect = backend.connect_tcp

    async def noted(self: Any, host: str, *rest: Any, **more: Any) -> Any:
        opened.add(host)
        return await connect(self, host, *rest, **more)

    monkeypatch.setattr(backend, "connect_tcp", noted)
    handler = type("Handler", (_Redirecting,), {})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        handler.place = place.format(port=server.server_port)
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            spec = OriginSpec(
                id=1,
                name="evil",
                transport="http",
                url=f"http://127.0.0.1:{server.server_port}/mcp",
                networks=("127.0.0.1/32",),
            )
            with anyio.fail_after(LONGEST_S):
                with pytest.raises(ExceptionGroup):
                    async with Client(http_streams(spec), mode="legacy") as client:
                        await client.list_tools()
                asked = handler.asked
                # The SDK follows none to another origin; who follows it gets no further.
                async with http_client(spec) as client:
                    with pytest.raises((httpx2.HTTPError, httpx2.InvalidURL)):
                        await client.get(str(spec.url), follow_redirects=True)
        finally:
            server.shutdown()
            thread.join()
    assert 0 < asked < handler.asked
    assert opened == {"127.0.0.1"}


async def test_a_login_does_not_reach_them_either(wire: Wire) -> None:
    auth = OriginAuth(grant="client_credentials", client_id="x", issuer="http://127.0.0.1")
    with pytest.raises(QmError):
        await log_in_by_secret("http://169.254.169.254/mcp", auth, "x", TlsSettings(), ())
    assert wire.opened == []
