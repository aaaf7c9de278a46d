"""The door of one origin: its own names, and the rights of everywhere."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as types
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from psycopg.types.json import Jsonb

from quartermaster import api
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.service import Service
from tests.service.doors.http.test_http import TOKEN, Door, add_key, serving
from tests.support.database import Database
from tests.support.reading import text_of

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def door(service: Service) -> AsyncGenerator[Door]:
    await add_key(service, LOCAL_PRINCIPAL, TOKEN)
    async with serving(service) as door:
        yield door


@asynccontextmanager
async def client_at(door: Door, origin: str, era: str, **more: Any) -> AsyncGenerator[Client]:
    url = f"{door.url}/mcp/transparent/{origin}"
    async with (
        door.http() as http,
        Client(streamable_http_client(url, http_client=http), mode=era, **more) as client,
    ):
        yield client


def apply_rules(catalog: Database, *rules: dict[str, Any]) -> None:
    with catalog.connect() as connection:
        put = "policy.put_version(%s)"
        document = Jsonb({"rules": list(rules)})
        connection.execute(f"select catalog.activate_rules({put}, false)", (document,))


async def test_what_rights_hide_is_not_there(door: Door, catalog: Database, era: str):
    deny = {"effect": "deny", "subject": "everyone"}
    apply_rules(
        catalog,
        {**deny, "tools": ["http__mixed"]},
        {**deny, "kinds": ["resource"], "names": ["memo://secret/*"]},
        {**deny, "origins": ["oldhttp"]},
    )
    try:
        async with client_at(door, "http", era) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert "ask" in tools
            assert "mixed" not in tools
            with pytest.raises(MCPError, match="Unknown tool: mixed"):
                await client.call_tool("mixed", {})
            uris = {resource.uri for resource in (await client.list_resources()).resources}
            assert "memo://secret/key" not in uris
            with pytest.raises(MCPError, match="there is no resource"):
                await client.read_resource("memo://secret/key")
        async with door.http() as http:
            hidden = await http.post("/mcp/transparent/oldhttp", json={})
            missing = await http.post("/mcp/transparent/nobody", json={})
        assert hidden.status_code == missing.status_code == 404
    finally:
        apply_rules(catalog)


async def test_an_origin_is_as_it_is(door: Door, era: str, origin: str):
    async def answer(_context: Any, _question: Any) -> types.ElicitResult:
        return types.ElicitResult(action="accept", content={"name": "Ada"})

    async with client_at(door, origin, era, elicitation_callback=answer) as client:
        assert text_of(await client.call_tool("ask", {})) == "accept Ada"
        mixed = await client.call_tool("mixed", {})
        # A stateless server names itself in each result.
        named = (mixed.meta or {}).get(types.SERVER_INFO_META_KEY) or client.server_info
        assert "memo" in repr(named)
        assert (mixed.meta or {}).keys() <= {"kept", types.SERVER_INFO_META_KEY}
        read = await client.read_resource("memo://plan")
        assert read.contents[0].uri == "memo://plan"
        prompt = await client.get_prompt("greet", {"name": "Ada"})
    assert prompt.description == "A greeting"


async def test_its_tools_come_in_pages(door: Door, era: str, monkeypatch: pytest.MonkeyPatch):
    async with client_at(door, "pipe", era) as client:
        whole = [tool.name for tool in (await client.list_tools()).tools]
    monkeypatch.setattr("quartermaster.doors.mcp.transparent.PAGE", 6)
    # Another one, which has kept no list.
    async with client_at(door, "pipe", era) as client:
        first = await client.list_tools()
        rest = await client.list_tools(cursor=first.next_cursor)
    assert [tool.name for page in (first, rest) for tool in page.tools] == whole
    assert (len(first.tools), rest.next_cursor) == (6, None)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_what_an_origin_tells_models_is_withheld_as_tools_are(
    door: Door, service: Service, mode: str
):
    async def decide(becomes: str) -> None:
        item = {"kinds": ["instructions"], "name": "http__instructions", "becomes": becomes}
        await service.database.call(api.decide_item(**item), service.worker)
        door.app.state.catalog_changed()

    await decide("quarantined")
    try:
        async with client_at(door, "http", mode) as client:
            assert client.instructions is None
            assert "memo" not in repr(client.server_info)
    finally:
        await decide("approved")
    async with client_at(door, "http", mode) as client:
        assert client.instructions == "Ask the memo."
