"""A real MCP server with a repaired tool: it has a new name, and a hidden argument."""

from __future__ import annotations

import json
from collections.abc import Generator
from typing import Any

import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters

from tests.support.instance import QM, Instance
from tests.support.reading import text_of

pytestmark = [pytest.mark.anyio, pytest.mark.e2e, pytest.mark.slow]

LISTED = "time__convert_time"
NAME = "time__hour_in_tokyo"


@pytest.fixture(scope="module")
def repaired(instance: Instance) -> Generator[Instance]:
    """The starter server of the time, with a repair that is undone at the end."""
    done = instance.qm(
        *("tool", "repair", LISTED, "--rename", "hour_in_tokyo", "--title", "The hour in Tokyo"),
        *("--hide-argument", "target_timezone", "--default", "target_timezone=Asia/Tokyo"),
        *("--rename-argument", "source_timezone=from_zone", "--default", "source_timezone=UTC"),
        *("--also-found-by", "when do my Japanese colleagues wake up", "--reason", "a trial"),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    yield instance
    undone = instance.qm("tool", "repair", NAME, "--undo")
    assert undone.returncode == 0, undone.stdout + undone.stderr


@pytest.fixture(params=["legacy", "auto"], ids=["session", "stateless"])
def client(repaired: Instance, request: pytest.FixtureRequest) -> Client:
    server = StdioServerParameters(command=str(QM), args=["stdio"], env=repaired.environment)
    return Client(server, mode=request.param)


async def call(client: Client, name: str, **arguments: Any) -> types.CallToolResult:
    return await client.call_tool("call_tool", {"name": name, "arguments": arguments})


async def test_a_client_sees_and_calls_the_repaired_tool(client: Client):
    async with client:
        found = await client.call_tool(
            "search_tools", {"query": "when do my Japanese colleagues wake up"}
        )
        described = await client.call_tool("describe_tool", {"name": NAME})
        result = await call(client, NAME, time="07:00")
        renamed = await call(client, NAME, time="07:00", from_zone="Europe/Paris")
    assert found.structured_content is not None
    assert found.structured_content["tools"][0]["name"] == NAME
    assert "target_timezone" not in str(described)
    assert "from_zone" in str(described)
    assert _answer(result)["source"]["timezone"] == "UTC"
    assert _answer(result)["target"]["timezone"] == "Asia/Tokyo"
    assert _answer(result)["target"]["datetime"][11:16] == "16:00"
    assert _answer(renamed)["source"]["timezone"] == "Europe/Paris"


async def test_what_is_hidden_or_renamed_cannot_be_sent(client: Client):
    async with client:
        hidden = await call(client, NAME, time="07:00", target_timezone="UTC")
        old = await call(client, NAME, time="07:00", source_timezone="UTC")
        gone = await call(client, LISTED, time="07:00", source_timezone="UTC")
    assert hidden.is_error
    assert "/target_timezone: is not an argument of this tool" in str(hidden.content)
    assert old.is_error
    assert "/source_timezone: is called 'from_zone'" in text_of(old)
    assert gone.is_error
    assert "tool_not_found" in str(gone.content)


def test_a_refresh_keeps_the_repair(repaired: Instance):
    refreshed = repaired.qm("origin", "refresh", "time")
    assert refreshed.returncode == 0, refreshed.stdout + refreshed.stderr
    names = [row["name"] for row in repaired.qm_json("tool", "list", "--origin", "time")]
    assert NAME in names
    assert LISTED not in names


def test_only_operators_read_what_is_hidden(repaired: Instance):
    described = repaired.qm_json("describe", NAME)
    [row] = repaired.qm_json("tool", "repairs", "--origin", "time")
    assert described["tool"] == "convert_time"
    assert "target_timezone" not in json.dumps(described)
    assert row["changes"]["arguments"]["target_timezone"]["hidden"] is True


def _answer(result: types.CallToolResult) -> dict[str, Any]:
    assert not result.is_error, result
    [part] = result.content
    assert isinstance(part, types.TextContent)
    return json.loads(part.text)
