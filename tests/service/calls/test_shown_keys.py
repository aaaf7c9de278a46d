"""A key that was good a moment ago is not asked for by itself, and lets nobody in for that."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Any

import anyio
import httpx2
import pytest

from quartermaster import api
from quartermaster.core.errors import QmError
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.identity.bearers import Bearers
from quartermaster.service import Service
from tests.service.doors.http.test_http import JSON, TOKEN, Door, add_key, error_in, serving
from tests.service.doors.mcp.test_toolsets import HELLO
from tests.support.call_rows import CallRows

pytestmark = pytest.mark.anyio

REVOKE = "update policy.api_key set revoked_at = now() where label = 'tests'"
UNPRINTED = [
    REVOKE,
    "update policy.api_key set expires_at = now() where label = 'tests'",
    "update policy.principal set enabled = false where name = 'guest'",
]
STATELESS = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.fixture
async def door(service: Service) -> AsyncGenerator[Door]:
    admin = await service.database.find_principal(LOCAL_PRINCIPAL)
    await service.database.call(api.create_principal(name="guest"), admin)
    await add_key(service, "guest", TOKEN)
    async with serving(service) as door:
        yield door


@pytest.fixture
def asked(service: Service, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys for which the database was asked by a statement of its own."""
    keys: list[str] = []
    authenticate = service.database.authenticate

    async def listening(key: str) -> Any:
        keys.append(key)
        return await authenticate(key)

    monkeypatch.setattr(service.database, "authenticate", listening)
    return keys


class Guest:
    """Requests of one key in one era, as they are on the wire."""

    def __init__(self, http: httpx2.AsyncClient, era: str, session: dict[str, str]) -> None:
        self._http = http
        self._is_stateless = era != "legacy"
        self.session = session

    @classmethod
    async def begin(cls, http: httpx2.AsyncClient, era: str) -> Guest:
        if era != "legacy":
            return cls(http, era, {})
        begun = await http.post("/mcp", json=HELLO, headers=JSON)
        guest = cls(http, era, {"mcp-session-id": begun.headers["mcp-session-id"]})
        initialized = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        await http.post("/mcp", json=initialized, headers={**JSON, **guest.session})
        return guest

    async def ask(self, method: str, **params: Any) -> httpx2.Response:
        headers = {**JSON, **self.session}
        if self._is_stateless:
            params["_meta"] = STATELESS
            headers |= {"mcp-protocol-version": "2026-07-28", "mcp-method": method}
            headers |= {"mcp-name": params["name"]} if "name" in params else {}
        request = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
        return await self._http.post("/mcp", json=request, headers=headers)

    async def call(self, tool: str, **arguments: Any) -> httpx2.Response:
        given = {"name": tool, "arguments": arguments}
        return await self.ask("tools/call", name="call_tool", arguments=given)

    async def echo(self) -> httpx2.Response:
        return await self.call("leaf__echo", text="hi")


@pytest.mark.parametrize("change", UNPRINTED)
async def test_a_call_is_refused_and_not_made(
    door: Door, execute: Callable[[str], Any], call_rows: CallRows, era: str, change: str
):
    async with door.http(TOKEN) as http:
        guest = await Guest.begin(http, era)
        assert (await guest.echo()).status_code == 200
        await call_rows.wait_for("ok")
        execute(change)
        for _ in range(2):
            refused = await guest.echo()
            assert (refused.status_code, error_in(refused)["slug"]) == (401, "key_invalid")
            assert "invalid_token" in refused.headers["www-authenticate"]
    await call_rows.wait_for("ok")


@pytest.mark.parametrize("change", UNPRINTED)
async def test_what_needs_no_database_is_refused_too(
    door: Door, execute: Callable[[str], Any], change: str
):
    async with door.http(TOKEN) as http:
        guest = await Guest.begin(http, "legacy")
        assert (await guest.ask("ping")).status_code == 200
        execute(change)
        assert (await guest.ask("ping")).status_code == 401
        assert (await guest.ask("tools/list")).status_code == 401
        assert (await http.post("/mcp", json=HELLO, headers=JSON)).status_code == 401
        stream = await http.get("/mcp", headers={"accept": "text/event-stream", **guest.session})
        assert stream.status_code == 401
        assert (await http.delete("/mcp", headers=guest.session)).status_code == 401


async def test_a_call_asks_in_its_own_statement(door: Door, asked: list[str], era: str):
    async with door.http(TOKEN) as http:
        guest = await Guest.begin(http, era)
        await guest.echo()
        asked.clear()
        assert (await guest.echo()).status_code == 200
        assert not asked
        assert (await guest.ask("tools/list")).status_code == 200
        assert asked in ([], [TOKEN]), "at most once a request"


@pytest.mark.parametrize("change", UNPRINTED)
async def test_the_door_of_a_toolset_is_closed_too(
    door: Door, service: Service, execute: Callable[[str], Any], change: str
):
    admin = await service.database.find_principal(LOCAL_PRINCIPAL)
    pinned = {"origins": ["leaf"]}
    await service.database.call(
        api.put_toolset(name="leaves", pinned=pinned, description=""), admin
    )
    async with door.http(TOKEN) as http:
        for _ in range(2):
            assert (await http.post("/mcp/leaves", json=HELLO, headers=JSON)).status_code == 200
        execute(change)
        for _ in range(2):
            refused = await http.post("/mcp/leaves", json=HELLO, headers=JSON)
            assert (refused.status_code, error_in(refused)["slug"]) == (401, "key_invalid")


@pytest.mark.usefixtures("door")
async def test_a_refused_key_is_asked_for_at_the_door_again(service: Service, asked: list[str]):
    bearers = Bearers(service.database, service.settings.auth.oidc)
    assert (await bearers.find(TOKEN, None)).unchecked_key is None
    assert (await bearers.find(TOKEN, None)).unchecked_key is not None
    assert asked == [TOKEN]
    bearers.forget_all()
    assert (await bearers.find(TOKEN, None)).unchecked_key is None
    with pytest.raises(QmError, match="toolset_not_found"):
        await bearers.find(TOKEN, "no-such")
    assert (await bearers.find(TOKEN, None)).unchecked_key is None
    assert TOKEN not in repr(await bearers.find(TOKEN, None))


async def test_nobody_is_remembered_once_principals_have_changed(door: Door, asked: list[str]):
    async with door.http(TOKEN) as http:
        guest = await Guest.begin(http, "legacy")
        await guest.echo()
        asked.clear()
        door.app.state.principals_changed()
        await guest.echo()
        assert TOKEN in asked


async def test_a_role_that_has_changed_is_not_used(door: Door, execute: Callable[[str], Any]):
    execute("update policy.principal set role = 'operator' where name = 'guest'")
    async with door.http(TOKEN) as http:
        assert (await http.get("/status")).status_code == 200
        execute("update policy.principal set role = 'user' where name = 'guest'")
        changed = await http.get("/status")
        assert (changed.status_code, error_in(changed)["slug"]) == (409, "principal_changed")
        assert (await http.get("/status")).status_code == 200


async def test_a_call_ends_in_the_log_although_its_key_is_no_more(
    door: Door, execute: Callable[[str], Any], call_rows: CallRows
):
    async with door.http(TOKEN) as http:
        guest = await Guest.begin(http, "2026-07-28")
        await guest.echo()
        await call_rows.wait_for("ok")
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(guest.call, "leaf__hang")
            await call_rows.wait_for("ok", "pending")
            execute(REVOKE)
            # The client goes away; nobody has announced the change here.
            tasks.cancel_scope.cancel()
        await call_rows.wait_for("ok", "cancelled")
