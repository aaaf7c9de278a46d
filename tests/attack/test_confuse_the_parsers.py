"""A client sends what is no request, or a request that means nothing: nothing breaks.

Requests are made by hypothesis. A refusal is an answer; an internal error, a lost service or
another process is not.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Generator
from typing import Any, Final
from urllib.parse import urlsplit

import httpx2
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.attack.conftest import Crowd
from tests.service.doors.test_rights_of_doors import REQUESTS
from tests.support.lots import lots

DOORS: Final = (
    "/mcp",
    "/mcp/reconcile",
    "/mcp/decisions",
    "/mcp/knowledge",
    "/mcp/quality",
    "/mcp/transparent/slow",
)
PAGES: Final = ("/reconcile", "/reconcile/match", "/reconcile/extend", "/reconcile/suggest/entity")
METHODS: Final = (
    *("initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/read"),
    *("resources/subscribe", "prompts/get", "completion/complete", "logging/setLevel"),
    *("server/discover", "notifications/cancelled", "notifications/initialized", "tasks/get", ""),
)
NAMES: Final = (
    *("search_tools", "describe_tool", "call_tool", "read_result", "slow__echo", "search_lookup"),
    *("rerank", "normalize", "tapps_stats", "start_task", "get_decisions_for_context"),
)
KNOWN: Final = (
    *("name", "arguments", "uri", "cursor", "query", "goal", "limit", "table", "queries", "type"),
    *("protocolVersion", "capabilities", "clientInfo", "_meta", "requestId", "ref", "argument"),
)
TEXTS = st.text(max_size=60) | st.sampled_from(
    ["\0", "\u202e", "'; drop table core.setting; --", "../../etc/passwd", "%s%n", "9" * 400]
)
SIMPLE = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS
ANYTHING = st.recursive(
    SIMPLE,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(KNOWN) | TEXTS, inner, max_size=4)
    ),
    max_leaves=12,
)
PARAMS = ANYTHING | st.fixed_dictionaries(
    {"name": st.sampled_from(NAMES) | TEXTS, "arguments": ANYTHING},
    optional={"_meta": ANYTHING, "uri": TEXTS, "cursor": ANYTHING},
)
RPC = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0") | SIMPLE, "method": st.sampled_from(METHODS) | TEXTS},
    optional={"id": SIMPLE, "params": PARAMS, "result": ANYTHING, "error": ANYTHING},
)
BODIES = RPC.map(json.dumps) | st.lists(RPC, max_size=3).map(json.dumps) | ANYTHING.map(json.dumps)
HEADERS = st.dictionaries(
    st.sampled_from(
        [
            *("mcp-session-id", "mcp-protocol-version", "mcp-method", "mcp-name", "last-event-id"),
            *("content-type", "accept", "x-request-id", "origin", "content-encoding", "range"),
        ]
    ),
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60)
    | st.sampled_from(["2026-07-28", "2025-06-18", "tools/call", "text/event-stream", "gzip"]),
    max_size=5,
)
PIECES = st.sampled_from(
    [
        *(b"GET /healthz HTTP/1.1\r\n", b"POST /mcp HTTP/1.1\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n"),
        *(b"Host: localhost\r\n", b"Host: a\r\nHost: b\r\n", b"Content-Length: 5\r\n", b"\r\n"),
        *(b"Content-Length: -1\r\n", b"Content-Length: 99999999999999999999\r\n", b"\0\r\n"),
        *(b"Transfer-Encoding: chunked\r\n", b"5\r\nhello\r\n", b"FFFFFFFFFFFFFFFF\r\n", b"0\r\n"),
        *(b"Expect: 100-continue\r\n", b"Upgrade: h2c\r\n", b"Connection: upgrade\r\n", b": x\r\n"),
    ]
)
_JSON: Final = {"content-type": "application/json"}
BYTES = st.lists(PIECES | st.binary(max_size=40), max_size=8).map(b"".join)

often = settings(
    max_examples=lots(10),
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.function_scoped_fixture,
    ],
)


@pytest.fixture(scope="module")
def client(crowd: Crowd) -> Generator[httpx2.Client]:
    """Requests with the key of an administrator, who is let in everywhere and has no limits."""
    with crowd.instance.http() as client:
        yield client


@pytest.fixture(autouse=True)
def alive(crowd: Crowd) -> Generator[None]:
    """The same process serves afterwards."""
    pid = crowd.instance.run_file.pid
    yield
    with crowd.instance.http() as http:
        assert http.get("/readyz").status_code == 200
    assert crowd.instance.run_file.pid == pid
    assert crowd.instance.process is not None
    assert crowd.instance.process.poll() is None


def check(answer: httpx2.Response) -> None:
    """Asserts that it is no internal error; the limit of requests may refuse it."""
    assert answer.status_code != 500, answer.text
    assert "QM500" not in answer.text
    assert "Traceback" not in answer.text


def post(client: httpx2.Client, door: str, body: str, headers: dict[str, str]) -> None:
    """Sends a body, and reads at most the beginning of a stream."""
    accept = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
    with client.stream("POST", door, content=body, headers=accept | headers) as answer:
        is_stream = answer.headers.get("content-type", "").startswith("text/event-stream")
        if not is_stream or "server/discover" not in body:
            answer.read()
            check(answer)


@pytest.mark.parametrize("door", DOORS)
def test_by_messages(client: httpx2.Client, door: str) -> None:
    @often
    @given(BODIES)
    def attempt(body: str) -> None:
        post(client, door, body, {})

    attempt()


@pytest.mark.parametrize("door", DOORS)
def test_by_headers(client: httpx2.Client, door: str) -> None:
    @often
    @given(BODIES, HEADERS)
    def attempt(body: str, headers: dict[str, str]) -> None:
        post(client, door, body, headers)

    attempt()


@pytest.mark.parametrize("page", [*PAGES, *(path for path, _ in REQUESTS.values())])
def test_by_parameters(client: httpx2.Client, page: str) -> None:
    @often
    @given(st.dictionaries(st.sampled_from(KNOWN) | TEXTS, TEXTS, max_size=4), ANYTHING)
    def attempt(parameters: dict[str, str], body: Any) -> None:
        check(client.get(page.partition("?")[0], params=parameters))
        check(client.post(page.partition("?")[0], data={"queries": json.dumps(body)}))
        content = json.dumps(body)  # with NaN, which is no JSON
        check(client.post(page.partition("?")[0], content=content, headers=_JSON))

    attempt()


def test_by_bytes(crowd: Crowd) -> None:
    url = urlsplit(crowd.url)

    @often
    @given(BYTES)
    def attempt(data: bytes) -> None:
        with socket.create_connection((str(url.hostname), url.port), timeout=30) as connection:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            answer = b""
            try:
                while more := connection.recv(65_536):
                    answer += more
            except ConnectionError:
                pass
        assert b" 500 " not in answer.partition(b"\r\n")[0]

    attempt()
