"""What only HTTP shows: who may come in, how much they may send, and errors of one shape."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import httpx2
import pytest
import uvicorn
from anyio.abc import SocketAttribute, SocketStream
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from quartermaster import api
from quartermaster.calls.relay.relay import NOT_RELAYED
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.doors.http.app import create_app
from quartermaster.service import Service
from quartermaster.settings.sections import ServerSettings
from quartermaster.settings.settings import Settings
from tests.service.doors.mcp.test_sessions import BRIDGES, GOAL, Ears
from tests.support.call_rows import CallRows
from tests.support.connected import connected
from tests.support.database import Database
from tests.support.reading import names_of, text_of
from tests.support.waiting import LONGEST_S, until

pytestmark = pytest.mark.anyio

TOKEN = "a token of the tests"
OTHERS_TOKEN = "a token of somebody else"
JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@dataclass
class Door:
    """A served application."""

    port: int
    app: Any

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def http(self, token: str | None = TOKEN, **headers: str) -> httpx2.AsyncClient:
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        return httpx2.AsyncClient(base_url=self.url, headers=headers, timeout=60, trust_env=False)

    @asynccontextmanager
    async def client(
        self, era: str, token: str = TOKEN, path: str = "/mcp", **more: Any
    ) -> AsyncGenerator[Client]:
        """Provides the official client."""
        async with (
            self.http(token) as http,
            Client(
                streamable_http_client(f"{self.url}{path}", http_client=http), mode=era, **more
            ) as client,
        ):
            yield client


async def add_key(service: Service, principal: str, token: str) -> None:
    admin = await service.database.find_principal(LOCAL_PRINCIPAL)
    await service.database.call(
        api.put_key(
            principal=principal,
            label="tests",
            prefix=token[:4],
            key_hash=sha256(token.encode()).digest(),
        ),
        admin,
    )


@asynccontextmanager
async def serving(service: Service) -> AsyncGenerator[Door]:
    app = create_app(service)
    config = uvicorn.Config(
        app, port=0, log_config=None, access_log=False, timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server._serve)  # without its own handling of signals
        await until(lambda: server.started)
        yield Door(server.servers[0].sockets[0].getsockname()[1], app)
        server.should_exit = True


@pytest.fixture
async def door(service: Service, execute: Callable[[str], Any]) -> AsyncGenerator[Door]:
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    execute("select policy.put_principal('somebody', 'agent', 'user')")
    await add_key(service, LOCAL_PRINCIPAL, TOKEN)
    await add_key(service, "somebody", OTHERS_TOKEN)
    async with serving(service) as door:
        yield door


async def asked_twice(door: Door, token: str | None, **headers: str) -> list[httpx2.Response]:
    """Returns the answers of the two protected routes."""
    async with door.http(token, **headers) as http:
        return [await http.post("/mcp", json=PING, headers=JSON), await http.get("/status")]


def error_in(response: httpx2.Response) -> dict[str, Any]:
    """The error of an answer, in the one shape every route has."""
    body = response.json()
    assert body.keys() == {"error"}
    error = body["error"]
    assert error.keys() == {"code", "slug", "message", "hint", "detail", "request_id"}
    assert error["code"] == f"QM{response.status_code}"
    assert error["hint"]
    assert error["request_id"] == response.headers["x-request-id"]
    return error


async def test_a_client_searches_and_calls(door: Door, era: str, call_rows: CallRows):
    async with door.client(era) as client:
        assert client.protocol_version == ("2025-11-25" if era == "legacy" else era)
        assert "time__convert_time" in names_of(await client.call_tool("search_tools", GOAL))
        asked = {"name": "leaf__echo", "arguments": {"text": "over HTTP"}}
        assert text_of(await client.call_tool("call_tool", asked)) == "over HTTP"
    await call_rows.wait_for("ok")


async def test_list_changed_arrives_on_the_stream_of_the_search(door: Door):
    ears = Ears()
    async with door.client("legacy", message_handler=ears) as client:
        await client.call_tool("search_tools", GOAL)
        await ears.wait_for(1)
        tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools][3:] == ["time__convert_time", "time__get_current_time"]


async def test_a_change_of_the_catalog_arrives_outside_of_any_request(door: Door, service: Service):
    ears = Ears()
    async with door.client("legacy", message_handler=ears) as client:
        await client.call_tool("search_tools", GOAL)
        await ears.wait_for(1)
        await client.list_tools()
        changed = {"origin": "time", "name": "convert_time", "description": "Convert time anew."}
        await service.database.call(api.import_items(kind="tool", items=[changed]), service.worker)

        async def is_heard() -> bool:
            """Returns the client opens its stream after the handshake; until then news are lost."""
            door.app.state.catalog_changed()
            report = changed | {"description": f"Convert time {ears.heard}"}
            await service.database.call(
                api.import_items(kind="tool", items=[report]), service.worker
            )
            return ears.heard >= 2

        await until(is_heard)


async def test_the_list_of_a_stateless_client_is_constant(door: Door):
    async with door.client("2026-07-28") as client:
        await client.call_tool("search_tools", GOAL)
        assert [tool.name for tool in (await client.list_tools()).tools] == BRIDGES


async def test_listening_clients_hear_of_a_changed_catalog(door: Door, service: Service):
    async with (
        door.client("2026-07-28") as client,
        client.listen(tools_list_changed=True) as changes,
    ):
        changed = {"origin": "time", "name": "convert_time", "description": "Convert time anew."}
        await service.database.call(api.import_items(kind="tool", items=[changed]), service.worker)
        door.app.state.catalog_changed()
        with anyio.fail_after(LONGEST_S):
            async for _ in changes:
                break


async def test_progress_is_relayed(door: Door, era: str):
    heard: list[float] = []

    async def hear(progress: float, _total: float | None, _message: str | None) -> None:
        heard.append(progress)

    asked = {"name": "leaf__count", "arguments": {"to": 3}}
    async with door.client(era) as client:
        result = await client.call_tool("call_tool", asked, progress_callback=hear)
    assert text_of(result) == "counted"
    assert heard == [1, 2, 3]


async def test_what_comes_before_a_result_is_not_held_until_it(door: Door, era: str):
    heard = anyio.Event()

    async def hear(*_progress: object) -> None:
        heard.set()

    asked = {"name": "leaf__hang"}
    async with door.client(era) as client, anyio.create_task_group() as tasks:
        call = partial(client.call_tool, progress_callback=hear)
        tasks.start_soon(call, "call_tool", asked)
        with anyio.fail_after(LONGEST_S):
            await heard.wait()
        tasks.cancel_scope.cancel()


async def test_an_answer_alone_is_no_stream_and_keeps_its_connection(door: Door, era: str):
    answers: list[tuple[str, int]] = []

    async def note(response: httpx2.Response) -> None:
        if response.request.method == "POST" and response.status_code == 200:
            port = response.extensions["network_stream"].get_extra_info("client_addr")[1]
            answers.append((response.headers["content-type"], port))

    async def hear(*_progress: object) -> None:
        pass

    asked = {"name": "leaf__count", "arguments": {"to": 2}}
    async with (
        door.http() as http,
        Client(streamable_http_client(f"{door.url}/mcp", http_client=http), mode=era) as client,
    ):
        http.event_hooks["response"] = [note]
        for _ in range(4):
            assert text_of(await client.call_tool("call_tool", asked)) == "counted"
        alone = list(answers)
        await client.call_tool("call_tool", asked, progress_callback=hear)
    assert len(alone) >= 4
    assert {kind for kind, _ in alone} == {"application/json"}
    assert len({port for _, port in alone}) == 1
    assert answers[-1][0].startswith("text/event-stream")


async def test_a_client_that_goes_away_cancels_its_call(door: Door, era: str, call_rows: CallRows):
    async with door.client(era) as client, anyio.create_task_group() as tasks:
        asked = {"name": "leaf__hang"}
        tasks.start_soon(client.call_tool, "call_tool", asked)
        await call_rows.wait_for("pending")
        tasks.cancel_scope.cancel()
    await call_rows.wait_for("cancelled")


async def test_the_request_id_given_is_in_the_answer_and_the_call_log(
    door: Door, era: str, execute: Callable[[str], Any]
):
    async with (
        door.http(**{"x-request-id": "given-by-me"}) as http,
        Client(streamable_http_client(f"{door.url}/mcp", http_client=http), mode=era) as client,
    ):
        await client.call_tool("call_tool", {"name": "leaf__measure"})
    assert execute("select request_id from calls.call") == [("given-by-me",)]


WRONG_AUTHORIZATIONS = [
    (None, "token_missing"),
    ("", "token_missing"),
    ("Bearer", "token_missing"),
    (f"Basic {TOKEN}", "token_missing"),
    (f"Bearer {'x' * 20_000}", "token_missing"),
    ("Bearer wrong", "key_invalid"),
]


async def test_nobody_comes_in_without_a_valid_token(door: Door):
    for authorization, slug in WRONG_AUTHORIZATIONS:
        headers = {} if authorization is None else {"authorization": authorization}
        for answer in await asked_twice(door, None, **headers):
            assert answer.status_code == 401
            assert error_in(answer)["slug"] == slug, authorization
            assert answer.headers["www-authenticate"].startswith("Bearer")


async def test_two_tokens_at_once_are_none(door: Door):
    both = [("authorization", f"Bearer {TOKEN}"), ("authorization", "Bearer other")]
    async with httpx2.AsyncClient(base_url=door.url, headers=both, trust_env=False) as http:
        assert error_in(await http.get("/status"))["slug"] == "token_missing"


async def test_a_revoked_key_is_refused_at_once(door: Door, execute: Callable[[str], Any]):
    async with door.http() as http:
        assert (await http.get("/status")).status_code == 200
        execute("update policy.api_key set revoked_at = now()")
        assert (await http.get("/status")).status_code == 401


async def test_a_session_belongs_to_whom_began_it(door: Door):
    async with door.http() as http, door.http(OTHERS_TOKEN) as others:
        hello = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "tests", "version": "0"},
        }
        begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
        begun = await http.post("/mcp", json=begin, headers=JSON)
        session = {"mcp-session-id": begun.headers["mcp-session-id"], **JSON}
        assert (await http.post("/mcp", json=PING, headers=session)).status_code == 200
        assert (await others.post("/mcp", json=PING, headers=session)).status_code == 404


async def test_calls_are_made_as_the_keys_principal(door: Door, execute: Callable[[str], Any]):
    async with door.client("2026-07-28", OTHERS_TOKEN) as client:
        await client.call_tool("call_tool", {"name": "leaf__measure"})
    query = "select name from policy.principal where id in (select principal_id from calls.call)"
    assert execute(query) == [("somebody",)]


FOREIGN_HEADERS = [
    ({"host": "evil.example"}, 421, "host_not_allowed"),
    ({"host": "evil.example:{port}"}, 421, "host_not_allowed"),
    ({"host": "localhost.evil.example"}, 421, "host_not_allowed"),
    ({"host": "[::1"}, 400, "host_malformed"),
    ({"host": "evil@127.0.0.1"}, 400, "host_malformed"),
    ({"host": "localhost/evil"}, 400, "host_malformed"),
    ({"host": ""}, 400, "host_malformed"),
    ({"origin": "http://evil.example"}, 403, "origin_not_allowed"),
    # Another program on this machine, as far as a browser is concerned.
    ({"origin": "http://127.0.0.1:1"}, 403, "origin_not_allowed"),
    ({"origin": "null"}, 403, "origin_not_allowed"),
]
OWN_HEADERS = [
    {"host": "localhost"},
    {"host": "LOCALHOST:{port}"},
    {"host": "[::1]:{port}"},
    {"origin": "http://127.0.0.1:{port}"},
]


async def test_web_pages_cannot_use_the_server_behind_their_readers_back(door: Door):
    for headers, status, slug in FOREIGN_HEADERS:
        given = {name: value.format(port=door.port) for name, value in headers.items()}
        for answer in await asked_twice(door, TOKEN, **given):
            assert answer.status_code == status, headers
            assert error_in(answer)["slug"] == slug


async def test_two_hosts_are_refused_even_if_one_is_right(door: Door):
    request = "GET /status HTTP/1.1\r\nHost: localhost\r\nHost: {}\r\nConnection: close\r\n\r\n"
    for host in ("evil.example", "localhost"):
        async with await anyio.connect_tcp("127.0.0.1", door.port) as connection:
            await connection.send(request.format(host).encode())
            answer = b"".join([part async for part in connection])
        assert answer.startswith(b"HTTP/1.1 400 ")
        assert b"host_malformed" in answer


async def test_the_machines_own_names_are_let_through(door: Door):
    for headers in OWN_HEADERS:
        given = {name: value.format(port=door.port) for name, value in headers.items()}
        async with door.http(**given) as http:
            assert (await http.get("/status")).status_code == 200, headers


async def test_names_of_the_settings_are_let_through(service: Service, door: Door):
    settings = ServerSettings(
        allowed_hosts=("qm.example",), allowed_origins=("https://app.example",)
    )
    opened = replace(service, settings=Settings(server=settings))
    async with serving(opened) as other:
        async with other.http(host="qm.example", origin="https://app.example") as http:
            assert (await http.get("/status")).status_code == 200
        async with other.http(host="localhost") as http:
            assert (await http.get("/status")).status_code == 200
        async with other.http(host="evil.example") as http:
            assert (await http.get("/status")).status_code == 421


async def test_a_body_over_the_limit_is_refused_announced_or_not(door: Door):
    too_much = json.dumps(PING | {"params": {"x": "x" * 4_194_304}}).encode()

    async def in_pieces() -> AsyncGenerator[bytes]:
        for start in range(0, len(too_much), 65_536):
            yield too_much[start : start + 65_536]

    async with door.http() as http:
        for body in (too_much, in_pieces()):
            answer = await http.post("/mcp", content=body, headers=JSON)
            assert answer.status_code == 413
            assert error_in(answer)["slug"] == "body_too_large"
        assert (await http.get("/status")).status_code == 200


async def test_paths_and_methods_that_are_none_are_explained(door: Door):
    async with door.http() as http:
        assert error_in(await http.get("/nowhere"))["slug"] == "path_not_found"
        assert error_in(await http.post("/healthz"))["slug"] == "method_not_allowed"


async def test_probes_need_no_token(door: Door):
    async with door.http(None, host="10.0.0.7:1") as http:
        assert (await http.get("/healthz")).json() == {"status": "ok"}
        ready = await http.get("/readyz")
    assert ready.status_code == 200
    assert ready.json()["model"] == "minilm-tools-4"


async def test_a_service_without_its_database_is_alive_but_not_ready(
    service: Service, database: Database
):
    await add_key(service, LOCAL_PRINCIPAL, TOKEN)
    async with (
        cut_off(service, database) as (other, cut),
        serving(other) as door,
        door.http() as http,
    ):
        assert (await http.get("/readyz")).status_code == 200
        cut()
        assert (await http.get("/healthz")).status_code == 200
        for path in ("/readyz", "/status"):
            answer = await http.get(path)
            assert answer.status_code == 503
            assert error_in(answer)["slug"] == "database_unavailable"


@asynccontextmanager
async def cut_off(
    service: Service, database: Database
) -> AsyncGenerator[tuple[Service, Callable[[], None]]]:
    """Provides the same service over a wire to its database that can be cut."""
    target = urlsplit(database.service_dsn)
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    port = listener.extra(SocketAttribute.local_port)
    dsn = target._replace(netloc=f"{target.netloc.rpartition('@')[0]}@127.0.0.1:{port}").geturl()

    async def pump(source: SocketStream, sink: SocketStream) -> None:
        async for chunk in source:
            await sink.send(chunk)

    async def relay(near: SocketStream) -> None:
        far = await anyio.connect_tcp("127.0.0.1", target.port or 5432)
        async with near, far, anyio.create_task_group() as pumps:
            pumps.start_soon(pump, near, far)
            await pump(far, near)
            pumps.cancel_scope.cancel()

    wire = anyio.CancelScope()

    async def run_wire() -> None:
        async with listener:
            with wire:
                await listener.serve(relay)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(run_wire)
        async with connected(dsn) as opened:
            yield replace(service, database=opened), wire.cancel
        wire.cancel()


async def test_status_tells_versions_counts_capabilities_and_upstreams(door: Door):
    async with door.client("2026-07-28") as client:
        await client.call_tool("call_tool", {"name": "leaf__measure"})
    async with door.http() as http:
        status = (await http.get("/status")).json()
    assert status["origins"] == 2
    assert status["cards"]["tool"] == 10
    assert status["capabilities"]["vector"]["installed"]
    assert status.keys() >= {"version", "git_sha", "postgresql"}
    assert status["service"]["version"]
    assert status["upstreams"]["leaf"]["state"] == "connected"
    assert status["relay"]["not_relayed"] == [*NOT_RELAYED]
    document = (Path(__file__).parents[4] / "docs" / "relay.md").read_text(encoding="utf-8")
    documented = document.partition("## What is not relayed")[2].lower()
    assert all(what.split()[0] in documented for what in NOT_RELAYED)


async def test_status_counts_goals_whose_vector_was_remembered(door: Door):
    async with door.client("2026-07-28") as client:
        for goal in ("what time is it in Oslo", "add two numbers", "what time is it in Oslo"):
            await client.call_tool("search_tools", {"query": goal})
    async with door.http() as http:
        status = (await http.get("/status")).json()
    embedding = status["service"]["models"]["embedding"]
    assert embedding["query_cache"] == {"hits": 1, "misses": 2}


async def test_status_hides_the_upstreams_from_mere_users(door: Door):
    async with door.http(OTHERS_TOKEN) as http:
        answer = await http.get("/status")
    assert answer.status_code == 200
    assert "upstreams" not in answer.json()


async def test_a_defect_of_ours_is_told_without_its_text(
    door: Door,
    service: Service,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    def fail(*_: object) -> None:
        raise RuntimeError("private: secret of the machine")

    monkeypatch.setattr(service.database, "call_value", fail)
    async with door.http() as http:
        answer = await http.get("/status")
    assert answer.status_code == 500
    assert error_in(answer)["slug"] == "internal"
    assert "private" not in answer.text
    assert "secret of the machine" in capsys.readouterr().err


async def test_an_unknown_tool_is_a_protocol_error(door: Door, era: str):
    async with door.client(era) as client:
        with pytest.raises(MCPError, match="Unknown tool"):
            await client.call_tool("no_such_tool", {"a": 1})


async def test_ended_sessions_are_forgotten(door: Door, execute: Callable[[str], Any]):
    async with door.client("legacy") as client:
        await client.call_tool("search_tools", GOAL)
    await until(lambda: execute("select count(*) from selection.exposure") == [(0,)])
    async with door.http() as http:
        assert (await http.get("/status")).json()["service"]["sessions"] == 0
