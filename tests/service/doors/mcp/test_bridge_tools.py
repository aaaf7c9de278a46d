"""What every client sees of Quartermaster before it asks for anything."""

from __future__ import annotations

from pathlib import Path

import jsonschema_rs
import pytest
from mcp import Client

from quartermaster.calls.replies import compact_json
from quartermaster.doors.mcp.bridge_tools import BRIDGE_TOOLS, INSTRUCTIONS
from quartermaster.doors.mcp.mcp_server import McpFront

GOLDEN = Path(__file__).parent / "bridge_tools.json"
BRIDGES = ["search_tools", "describe_tool", "call_tool"]


def as_bytes() -> str:
    tools = [tool.model_dump_json(by_alias=True, exclude_none=True) for tool in BRIDGE_TOOLS]
    return "\n".join([*tools, compact_json(INSTRUCTIONS)]) + "\n"


def test_definitions_of_the_bridge_tools_do_not_change_by_a_byte():
    # Models and caches have learned them. A deliberate change is one of the golden file, too.
    assert as_bytes() == GOLDEN.read_text()


def test_the_bridge_tools_cost_a_client_less_than_a_thousand_tokens():
    assert len(as_bytes()) < 4 * 1000


@pytest.mark.parametrize("tool", BRIDGE_TOOLS, ids=lambda tool: tool.name)
def test_clients_that_hide_tools_show_the_bridge_tools(tool):
    assert tool.model_dump(by_alias=True)["_meta"] == {"anthropic/alwaysLoad": True}


@pytest.mark.parametrize("tool", BRIDGE_TOOLS, ids=lambda tool: tool.name)
def test_schemas_of_the_bridge_tools_are_json_schema(tool):
    assert jsonschema_rs.meta.is_valid(tool.input_schema)


@pytest.mark.anyio
async def test_a_client_of_either_era_is_shown_the_bridge_tools_only(front: McpFront, era: str):
    async with Client(front.server, mode=era) as client:
        listed = await client.list_tools()
        assert all(tool.meta == {"anthropic/alwaysLoad": True} for tool in listed.tools)
        assert [tool.name for tool in listed.tools] == BRIDGES
        assert listed.tools == [*BRIDGE_TOOLS]
        assert listed.next_cursor is None


@pytest.mark.anyio
async def test_the_list_may_be_kept_by_its_owner_only(front: McpFront):
    async with Client(front.server, mode="2026-07-28") as client:
        listed = await client.list_tools()
    assert listed.cache_scope == "private"
    assert listed.ttl_ms


@pytest.mark.anyio
async def test_a_client_is_told_that_the_list_changes(front: McpFront, era: str):
    # "auto" asks the server; a pinned revision would take our word for it.
    mode = era if era == "legacy" else "auto"
    async with Client(front.server, mode=mode) as client:
        assert client.server_capabilities.tools is not None
        assert client.server_capabilities.tools.list_changed
