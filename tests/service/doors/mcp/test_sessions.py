"""Tools found become part of a session's list; of nobody else's, and of no stateless client's."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import ToolListChangedNotification

from quartermaster import api
from quartermaster.doors.mcp.mcp_server import McpFront
from quartermaster.service import Service
from tests.support.offers import offer
from tests.support.reading import names_of
from tests.support.waiting import LONGEST_S

pytestmark = pytest.mark.anyio

GOAL = {"query": "convert time between timezones"}
BRIDGES = ["search_tools", "describe_tool", "call_tool"]


class Ears:
    """Counts list_changed notifications."""

    def __init__(self) -> None:
        self.heard = 0
        self._changed = anyio.Event()

    async def __call__(self, message: object) -> None:
        if isinstance(message, ToolListChangedNotification):
            self.heard += 1
            self._changed.set()
            self._changed = anyio.Event()

    async def wait_for(self, count: int) -> None:
        with anyio.fail_after(LONGEST_S):
            while self.heard < count:
                await self._changed.wait()


@asynccontextmanager
async def session_client(front: McpFront) -> AsyncGenerator[tuple[Client, Ears]]:
    ears = Ears()
    async with Client(front.server, mode="legacy", message_handler=ears) as client:
        yield client, ears


async def listed(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools(cache_mode="bypass")).tools]


async def test_found_tools_join_the_sessions_list_in_the_order_of_their_names(front: McpFront):
    async with session_client(front) as (client, ears):
        found = await client.call_tool("search_tools", GOAL)
        await ears.wait_for(1)
        assert await listed(client) == [*BRIDGES, *sorted(names_of(found))]


async def test_the_list_stays_as_it_is_for_a_stateless_client(front: McpFront):
    async with Client(front.server, mode="2026-07-28") as client:
        before = (await client.list_tools(cache_mode="bypass")).model_dump_json()
        await client.call_tool("search_tools", GOAL)
        assert (await client.list_tools(cache_mode="bypass")).model_dump_json() == before


async def test_other_sessions_keep_their_lists(front: McpFront):
    async with session_client(front) as (one, ears), session_client(front) as (other, others):
        await one.call_tool("search_tools", GOAL)
        await ears.wait_for(1)
        assert await listed(other) == BRIDGES
        assert others.heard == 0


async def test_a_search_that_finds_what_is_listed_already_is_no_news(front: McpFront):
    async with session_client(front) as (client, ears):
        await client.call_tool("search_tools", GOAL)
        await ears.wait_for(1)
        await listed(client)
        await client.call_tool("search_tools", GOAL)
        await client.call_tool("search_tools", {"query": "the echo tool of the leaf server"})
        await ears.wait_for(2)
        assert ears.heard == 2


async def test_the_definition_in_the_list_is_the_tools_own(front: McpFront):
    async with session_client(front) as (client, _):
        await client.call_tool("search_tools", {"query": "current time"})
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    tool = tools["time__get_current_time"]
    assert tool.title == "Current time"
    assert tool.annotations is not None
    assert tool.annotations.read_only_hint
    assert tool.input_schema["required"] == ["timezone"]
    # Without it, a client that hides tools would hide what its model has just found.
    assert tool.meta == {"anthropic/alwaysLoad": True}


async def test_a_change_in_the_catalog_is_told_to_the_sessions_that_list_the_tool(
    front: McpFront, service: Service
):
    async with session_client(front) as (one, ears), session_client(front) as (other, others):
        await one.call_tool("search_tools", GOAL)
        await other.call_tool("search_tools", {"query": "the refuse tool of the leaf server"})
        await ears.wait_for(1)
        await others.wait_for(1)
        await listed(one)
        assert "time__convert_time" not in await listed(other)
        changed = {"origin": "time", "name": "convert_time", "description": "Convert time anew."}
        await service.database.call(api.import_items(kind="tool", items=[changed]), service.worker)
        front.announcer.catalog_changed()
        await ears.wait_for(2)
        # Announcements go round in order, so a second round comes after the whole of the first.
        front.announcer.catalog_changed()
        await other.call_tool("search_tools", GOAL)
        await others.wait_for(2)
        assert (ears.heard, others.heard) == (2, 2)


async def test_news_of_the_catalog_that_change_no_list_stay_untold(
    front: McpFront, service: Service
):
    async with session_client(front) as (client, ears):
        await client.call_tool("search_tools", GOAL)
        await ears.wait_for(1)
        await listed(client)
        await offer(service, "unrelated", [{"name": "thing", "description": "Unrelated."}])
        front.announcer.catalog_changed()
        await client.call_tool("search_tools", {"query": "the echo tool of the leaf server"})
        await ears.wait_for(2)
        assert ears.heard == 2


async def test_listening_stateless_clients_hear_of_a_changed_catalog(
    front: McpFront, service: Service
):
    async with (
        Client(front.server, mode="2026-07-28") as client,
        client.listen(tools_list_changed=True) as changes,
    ):
        await offer(service, "another", [{"name": "thing", "description": "Another."}])
        front.announcer.catalog_changed()
        with anyio.fail_after(LONGEST_S):
            async for _ in changes:
                break


async def test_a_search_is_no_news_to_listening_stateless_clients(front: McpFront):
    async with (
        Client(front.server, mode="2026-07-28") as client,
        client.listen(tools_list_changed=True) as changes,
    ):
        await client.call_tool("search_tools", GOAL)
        with anyio.move_on_after(0.3) as waiting:
            async for _ in changes:
                break
        assert waiting.cancelled_caught


async def test_an_ended_session_leaves_nothing_behind(front: McpFront, execute: Any):
    async with session_client(front) as (client, _):
        await client.call_tool("search_tools", GOAL)
        assert len(front.sessions) == 1
        assert execute("select count(*) > 0 from selection.exposure") == [(True,)]
    assert len(front.sessions) == 0
    assert execute("select count(*) from selection.exposure") == [(0,)]


async def test_one_odd_definition_does_not_spoil_the_list(front: McpFront, service: Service):
    odd = [
        {"name": "no_schema", "description": "peculiar thing"},
        {"name": "untyped", "description": "peculiar thing", "input_schema": {"properties": {}}},
        {"name": "array", "description": "peculiar thing", "input_schema": {"type": "array"}},
        {"name": "strange", "description": "peculiar thing", "input_schema": {"type": 7}},
        {"name": "icons", "description": "peculiar thing", "extra": {"icons": 5}},
        {
            "name": "output",
            "description": "peculiar thing",
            "output_schema": {"type": "string"},
        },
        {"name": "hints", "description": "peculiar thing", "annotations": {"readOnlyHint": []}},
    ]
    await offer(service, "odd", odd)
    async with session_client(front) as (client, ears):
        await client.call_tool("search_tools", {"query": "peculiar thing", "limit": 20})
        await ears.wait_for(1)
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert {f"odd__{tool['name']}" for tool in odd} <= tools.keys()
    assert tools["odd__icons"].icons is None
    assert tools["odd__hints"].annotations.read_only_hint is None
    assert all(tool.input_schema["type"] == "object" for tool in tools.values())
    assert tools["odd__output"].output_schema is None
