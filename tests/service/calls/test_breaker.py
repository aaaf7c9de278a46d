"""An origin in trouble is left alone: its calls are refused at once, and everybody is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mcp_types as types
import pytest
from mcp import Client

from quartermaster.doors.mcp.mcp_server import McpFront
from quartermaster.service import Service
from tests.support.call_rows import CallRows
from tests.support.offers import offer_rude
from tests.support.reading import error_of, text_of

pytestmark = pytest.mark.anyio

Execute = Callable[[str], list[tuple[object, ...]]]


async def call(client: Client, name: str, **arguments: Any) -> types.CallToolResult:
    return await client.call_tool("call_tool", {"name": name, "arguments": arguments})


async def test_an_origin_that_keeps_failing_is_refused_at_once_until_one_call_shows_it_well(
    service: Service, front: McpFront, call_rows: CallRows, execute: Execute
):
    await offer_rude(service)
    async with Client(front.server) as client:
        for _ in range(5):
            assert error_of(await call(client, "rude__die"))["slug"] == "upstream_died"
        refused = await call(client, "rude__echo")
        found = await client.call_tool("search_tools", {"query": "the echo tool of rude"})
        # Another origin is none of its business.
        assert not (await call(client, "leaf__echo", text="hello")).is_error
        execute("update calls.breaker set open_until = now()")
        assert not (await call(client, "rude__echo", text="again")).is_error
        assert not (await call(client, "rude__echo", text="again")).is_error
    assert error_of(refused)["slug"] == "upstream_unavailable"
    assert "5 of the last 5 calls of this principal failed, most of them with died" in text_of(
        refused
    )
    assert "qm origin reset" in text_of(refused)
    assert "[cannot be called until " in text_of(found)
    because = "UTC: the server is failing: 5 of the last 5 calls of this principal failed"
    assert because in text_of(found)
    troubled = [t["name"] for t in found.structured_content["tools"] if "unavailable" in t]
    assert "rude__echo" in troubled
    assert not any(name.startswith("leaf") for name in troubled)
    await call_rows.wait_for(*(["died"] * 5 + ["unavailable"] + ["ok"] * 3))
