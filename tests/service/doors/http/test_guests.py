"""Whoever would no longer be let in is shown out, also amid a stream or a call."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Any

import anyio
import pytest

from quartermaster import api
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.service import Service
from tests.service.doors.http.test_http import JSON, TOKEN, Door, add_key, error_in, serving
from tests.service.doors.mcp.test_toolsets import HELLO
from tests.support.call_rows import CallRows
from tests.support.waiting import LONGEST_S

pytestmark = pytest.mark.anyio

OTHERS = "a key that stays"


@pytest.fixture
async def door(service: Service) -> AsyncGenerator[Door]:
    admin = await service.database.find_principal(LOCAL_PRINCIPAL)
    await service.database.call(api.create_principal(name="guest"), admin)
    await add_key(service, "guest", TOKEN)
    await add_key(service, LOCAL_PRINCIPAL, OTHERS)
    async with serving(service) as door:
        yield door


@pytest.mark.parametrize(
    "change",
    [
        "update policy.api_key set revoked_at = now() where prefix = 'a to'",
        "update policy.principal set enabled = false where name = 'guest'",
    ],
)
async def test_an_open_stream_ends_when_its_listener_is_kept_out(
    door: Door, execute: Callable[[str], Any], change: str
):
    async with door.http(TOKEN) as http, door.http(OTHERS) as others:
        streams: dict[str, Any] = {}
        for name, client in (("guest", http), ("other", others)):
            begun = await client.post("/mcp", json=HELLO, headers=JSON)
            session = {"mcp-session-id": begun.headers["mcp-session-id"]}
            initialized = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            await client.post("/mcp", json=initialized, headers={**JSON, **session})
            streams[name] = client.stream(
                "GET", "/mcp", headers={"accept": "text/event-stream", **session}
            )
        async with streams["guest"] as mine, streams["other"] as theirs:
            assert (mine.status_code, theirs.status_code) == (200, 200)
            execute(change)
            door.app.state.principals_changed()
            with anyio.fail_after(LONGEST_S):
                async for _ in mine.aiter_bytes():
                    pass
            with anyio.move_on_after(0.3) as waiting:
                async for _ in theirs.aiter_bytes():
                    pass
            assert waiting.cancelled_caught, "the stream of somebody else goes on"


async def test_a_call_under_way_is_cancelled_and_told_why(
    door: Door, execute: Callable[[str], Any], call_rows: CallRows
):
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {
            "name": "call_tool",
            "arguments": {"name": "leaf__hang"},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "0"},
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    }
    headers = {
        **JSON,
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "call_tool",
    }
    async with door.http(TOKEN) as http, anyio.create_task_group() as tasks:
        answers: list[Any] = []

        async def ask() -> None:
            answers.append(await http.post("/mcp", json=call, headers=headers))

        tasks.start_soon(ask)
        await call_rows.wait_for("pending")
        execute("update policy.api_key set revoked_at = now() where prefix = 'a to'")
        door.app.state.principals_changed()
    await call_rows.wait_for("cancelled")
    [answer] = answers
    if answer.status_code == 401:
        assert error_in(answer)["slug"] == "key_invalid"
    else:
        # The answer's stream had begun: it ends without a result.
        assert (answer.status_code, "result" in answer.text) == (200, False)
