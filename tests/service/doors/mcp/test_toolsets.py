"""``/mcp/TOOLSET``: a door through which only the pinned tools are there, whoever comes."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from quartermaster import api
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.doors.mcp.mcp_server import McpFront
from quartermaster.service import Service
from tests.service.doors.http.test_http import JSON, PING, TOKEN, Door, add_key, error_in, serving
from tests.support.reading import names_of, text_of

pytestmark = pytest.mark.anyio

ECHO = {"name": "leaf__echo", "arguments": {"text": "heard"}}
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "tests", "version": "0"},
    },
}


@pytest.fixture
async def door(service: Service) -> AsyncGenerator[Door]:
    """A service with the toolsets clocks and leaves."""
    admin = await service.database.find_principal(LOCAL_PRINCIPAL)
    for name, origin in (("clocks", "time"), ("leaves", "leaf")):
        await service.database.call(
            api.put_toolset(name=name, pinned={"origins": [origin]}, description=""), admin
        )
    await add_key(service, LOCAL_PRINCIPAL, TOKEN)
    async with serving(service) as door:
        yield door


@asynccontextmanager
async def client_at(door: Door, path: str, era: str) -> AsyncGenerator[Client]:
    async with (
        door.http() as http,
        Client(streamable_http_client(f"{door.url}{path}", http_client=http), mode=era) as client,
    ):
        yield client


async def test_a_tool_outside_of_the_toolset_is_not_there(door: Door, era: str):
    async with client_at(door, "/mcp/clocks", era) as client:
        called = await client.call_tool("call_tool", ECHO)
        described = await client.call_tool("describe_tool", {"name": "leaf__echo"})
        absent = await client.call_tool("call_tool", {"name": "leaf__no_such_tool"})
        for refused in (called, described):
            assert refused.is_error
            assert text_of(refused).startswith("Error QM404 tool_not_found")
        # Outside of the toolset and not there at all are told in the same words.
        assert text_of(called).replace("echo", "no_such_tool") == text_of(absent)
        found = await client.call_tool("search_tools", {"query": "echo what is said"})
        assert not any(name.startswith("leaf__") for name in names_of(found))


async def test_the_same_principal_calls_it_through_its_own_door(door: Door, era: str):
    for path in ("/mcp/leaves", "/mcp"):
        async with client_at(door, path, era) as client:
            assert text_of(await client.call_tool("call_tool", ECHO)) == "heard"


async def test_a_toolset_that_is_none_is_told_to_those_with_a_key_only(door: Door):
    async with door.http() as http, door.http("wrong") as stranger:
        refused = await http.post("/mcp/no-such", json=PING, headers=JSON)
        assert refused.status_code == 404
        assert error_in(refused)["slug"] == "toolset_not_found"
        for path in ("/mcp/no-such", "/mcp/clocks"):
            answer = await stranger.post(path, json=PING, headers=JSON)
            assert answer.status_code == 401
        for odd in ("/mcp/%27;--", "/mcp/a%00b", "/mcp/a/b"):
            answer = await http.post(odd, json=PING, headers=JSON)
            assert answer.status_code in {404, 422}, odd


async def test_a_session_belongs_to_the_door_it_was_begun_at(door: Door):
    async with door.http() as http:

        async def ping(path: str, session: dict[str, Any]) -> httpx2.Response:
            return await http.post(path, json=PING, headers={**JSON, **session})

        begun = await http.post("/mcp/clocks", json=HELLO, headers=JSON)
        session = {"mcp-session-id": begun.headers["mcp-session-id"]}
        assert (await ping("/mcp", session)).status_code == 404
        assert (await ping("/mcp/leaves", session)).status_code == 404
        assert (await ping("/mcp/clocks", session)).status_code == 200


async def test_the_local_door_can_be_that_of_a_toolset(door: Door, service: Service, era: str):
    async with Client(McpFront(service, "clocks").server, mode=era) as client:
        assert text_of(await client.call_tool("call_tool", ECHO)).startswith("Error QM404")
    async with Client(McpFront(service, "leaves").server, mode=era) as client:
        assert text_of(await client.call_tool("call_tool", ECHO)) == "heard"
