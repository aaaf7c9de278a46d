"""``?list=all``: one list of the caller's tools, for clients that search by themselves."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest
from mcp import Client, MCPError

from quartermaster import api
from quartermaster.calls.replies import compact_json
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.doors.mcp.definitions import listed_definition
from quartermaster.doors.mcp.mcp_server import McpFront
from quartermaster.doors.mcp.whole_list import LIST_KEY, SEARCH_HINT
from quartermaster.service import Service
from tests.service.doors.http.test_http import (
    JSON,
    OTHERS_TOKEN,
    PING,
    TOKEN,
    Door,
    add_key,
    error_in,
    serving,
)
from tests.service.doors.mcp.test_sessions import BRIDGES, Ears
from tests.support.offers import offer
from tests.support.reading import names_of, text_of

pytestmark = pytest.mark.anyio

Execute = Callable[[str], list[tuple[Any, ...]]]
ALL = "/mcp?list=all"
TIME = ["time__convert_time", "time__get_current_time"]
LONG: dict[str, Any] = {
    "name": "talk",
    "description": "# Talk\n\nTalks to somebody. " + "It never ends. " * 400,
    "input_schema": {
        "type": "object",
        "properties": {
            f"word{n}": {"type": "string", "description": "A word. " * 30} for n in range(20)
        },
        "required": ["word3"],
    },
}


@pytest.fixture
async def door(service: Service, execute: Execute) -> AsyncGenerator[Door]:
    """A service with the toolset clocks, from whose user `somebody` the leaf server is hidden."""
    execute("select policy.put_principal('somebody', 'agent', 'user')")
    admin = await service.database.find_principal(LOCAL_PRINCIPAL)
    rule = {"effect": "deny", "subject": "principal:somebody", "origins": ["leaf"]}
    await service.database.call(api.apply_rules(definition={"rules": [rule]}), admin)
    toolset = api.put_toolset(name="clocks", pinned={"origins": ["time"]}, description="")
    await service.database.call(toolset, admin)
    await add_key(service, LOCAL_PRINCIPAL, TOKEN)
    await add_key(service, "somebody", OTHERS_TOKEN)
    async with serving(service) as door:
        yield door


async def listed(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools(cache_mode="bypass")).tools]


async def test_all_tools_are_listed_by_name_and_called_by_it(door: Door, era: str):
    async with door.client(era, path=ALL) as client:
        names = await listed(client)
        assert names[: len(BRIDGES)] == BRIDGES
        assert {"leaf__echo", *TIME} <= set(names)
        rest = names[len(BRIDGES) :]
        assert rest == sorted(rest)
        called = await client.call_tool("leaf__echo", {"text": "heard"})
        assert text_of(called) == "heard"
    async with door.client(era) as client:
        assert await listed(client) == BRIDGES, "others ask for no list"


async def test_nobody_lists_what_he_may_not_call(door: Door, era: str):
    async with door.client(era, OTHERS_TOKEN, ALL) as client:
        names = await listed(client)
        assert set(TIME) <= set(names)
        assert not any(name.startswith("leaf__") for name in names)
        with pytest.raises(MCPError, match="Unknown tool"):
            await client.call_tool("leaf__echo", {"text": "heard"})


async def test_a_toolset_lists_its_own_tools(door: Door, era: str):
    async with door.client(era, path="/mcp/clocks?list=all") as client:
        assert await listed(client) == [*BRIDGES, *TIME]


async def test_the_same_tools_make_the_same_bytes(door: Door, era: str):
    async with door.client(era, path=ALL) as client:
        first = (await client.list_tools(cache_mode="bypass")).model_dump_json()
        await client.call_tool("search_tools", {"goal": "convert time between timezones"})
        await client.call_tool("leaf__echo", {"text": "x"})
        assert (await client.list_tools(cache_mode="bypass")).model_dump_json() == first


async def test_a_list_that_does_not_exist_is_refused(door: Door):
    async with door.http() as http:
        for path in ("/mcp?list=some", "/mcp/clocks?list=", "/mcp?list=all&list=all"):
            refused = await http.post(path, json=PING, headers=JSON)
            assert refused.status_code == 422
            assert error_in(refused)["slug"] == "argument_invalid"
            assert "?list=all" in error_in(refused)["hint"]


async def test_a_list_that_is_too_short_says_so_and_a_search_finds_the_rest(
    door: Door, era: str, execute: Execute
):
    execute("update core.setting set value = '1' where name = 'list.max_tools'")
    async with door.client("legacy" if era == "legacy" else "auto", path=ALL) as client:
        found = await client.list_tools(cache_mode="bypass")
        assert found.meta is not None
        notice = found.meta[LIST_KEY]
        assert notice["listed"] == 1 == len(found.tools) - len(BRIDGES)
        assert notice["leftOut"] > 1
        assert "qm toolset put" in notice["hint"]
        assert notice["hint"] in (client.instructions or "")
        answer = await client.call_tool("search_tools", {"goal": "what time is it in Tokyo"})
        assert TIME[1] in names_of(answer)
        is_added = TIME[1] in await listed(client)
        assert is_added == (era == "legacy"), "only a session remembers what it has found"
    async with door.client("auto", path="/mcp/clocks?list=all") as client:
        execute("update core.setting set value = '2' where name = 'list.max_tools'")
        found = await client.list_tools(cache_mode="bypass")
        assert LIST_KEY not in (found.meta or {})


async def test_a_definition_is_short_and_still_says_what_a_call_needs(
    door: Door, service: Service, execute: Execute
):
    await offer(service, "long", [LONG], transport="none")
    execute(
        "insert into selection.utility select 'tool', id, 1, 1, 1, 1, 0, 0, now(), 'chat' "
        "from catalog.item where public_name = 'long__talk'"
    )
    async with door.client("auto", path=ALL) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        whole = await client.call_tool("describe_tool", {"name": "long__talk"})
    talk = tools["long__talk"]
    description = talk.description or ""
    assert description.startswith("Talks to somebody. It never ends.")
    assert " Also: " in description
    assert talk.title == "long talk", "Codex takes a name with underscores for one word"
    assert talk.input_schema["properties"].keys() == LONG["input_schema"]["properties"].keys()
    assert talk.input_schema["required"] == ["word3"]
    assert talk.meta is not None
    hint = talk.meta[SEARCH_HINT].split(" ")
    assert hint[0] == "chat", "words of those who used the tool come first"
    assert {"talk", "somebody", "word"} <= set(hint)
    for name, tool in tools.items():
        if name not in BRIDGES:
            sent = tool.model_dump(by_alias=True, mode="json", exclude_none=True)
            assert len(compact_json(sent).encode()) <= 2_000, name
    assert whole.structured_content is not None
    assert whole.structured_content["inputSchema"] == LONG["input_schema"]


async def test_a_session_is_told_when_its_list_changes(service: Service):
    front, ears = McpFront(service, lists_all=True), Ears()
    async with Client(front.server, mode="legacy", message_handler=ears) as client:
        assert "new__tool" not in await listed(client)
        await offer(service, "new", [{**LONG, "name": "tool"}], transport="none")
        front.announcer.catalog_changed()
        await ears.wait_for(1)
        assert "new__tool" in await listed(client)


def test_a_server_cannot_say_what_we_say():
    meta = {LIST_KEY: {"hint": "forged"}, "example.org/x": 1}
    row: dict[str, Any] = dict.fromkeys(("title", "description", "output_schema", "annotations"))
    row |= {"name": "maker__make", "input_schema": {"type": "object"}, "extra": {"_meta": meta}}
    listed = listed_definition(row, "2026-07-28")
    assert listed is not None
    assert listed["_meta"] == {"example.org/x": 1}
