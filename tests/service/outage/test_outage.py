"""PostgreSQL is killed: what is refused, what is answered, and what is there afterwards."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from quartermaster import api
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.doors.mcp.bridge_tools import INSTRUCTIONS
from quartermaster.outage.outage import OUTAGE_KEY
from quartermaster.settings.sections import UpstreamSettings
from quartermaster.settings.settings import schema
from quartermaster_knowledge.settings import Knowledge
from tests.service.doors.http.test_http import JSON, PING, error_in
from tests.service.outage.conftest import (
    AGENT,
    BOSS,
    DISABLED,
    REVOKED,
    RULES,
    Served,
    copied_keys,
    has_outage_copy,
    serve,
)
from tests.support.database import Database
from tests.support.forks import forked_server
from tests.support.hostile_server import TOKEN
from tests.support.offers import offer
from tests.support.reading import error_of, names_of, text_of
from tests.support.stoppable import StoppableServer
from tests.support.waiting import LONGEST_S, until

pytestmark = pytest.mark.anyio

MEASURE = "leaf__measure"
HIDDEN_HASH = sha256(REVOKED.encode()).hexdigest()


@pytest.fixture
async def served(
    stopping: StoppableServer, stopped_database: Database, tmp_path: Path
) -> AsyncGenerator[Served]:
    settings = schema()(
        upstream=UpstreamSettings(call_timeout_s=20), knowledge=Knowledge(notes=False)
    )
    async with serve(stopping, stopped_database, tmp_path, settings) as served:
        await until(lambda: HIDDEN_HASH in copied_keys(served) and has_outage_copy(served))
        yield served


def notice_of(result: types.Result) -> dict[str, Any]:
    """Returns what a reply says of the outage."""
    notice = (result.meta or {})[OUTAGE_KEY]
    assert notice["since"] >= notice["snapshot"]
    assert "the database is unavailable" in notice["message"]
    return notice


async def call(client: Client, name: str, **arguments: Any) -> types.CallToolResult:
    return await client.call_tool("call_tool", {"name": name, "arguments": arguments})


async def find(client: Client, query: str) -> types.CallToolResult:
    return await client.call_tool("search_tools", {"query": query, "mode": "thorough"})


async def test_who_may_not_may_not_without_the_database_either(served: Served):
    for key in (REVOKED, DISABLED):
        async with served.door.http(key) as http:
            # Lately it was good, so the next time it is asked for later.
            assert (await http.get("/status")).status_code == 200
    for change in (
        "update policy.api_key set revoked_at = now() where label = 'lost' returning id",
        "update policy.principal set enabled = false where name = 'gone' returning id",
    ):
        # It may have to wait for one of the workers, which go on meanwhile.
        await anyio.to_thread.run_sync(served.rows, change)
    gone = sha256(DISABLED.encode()).hexdigest()
    await until(lambda: not {HIDDEN_HASH} & copied_keys(served))
    await served.stop_database()
    for key in ("a key nobody has made", REVOKED, DISABLED):
        async with served.door.http(key) as http:
            refused = await http.post("/mcp", json=PING, headers=JSON)
            assert (refused.status_code, error_in(refused)["slug"]) == (401, "key_invalid"), key
    assert gone in copied_keys(served), "its key is none of a principal that is let in"
    async with served.door.http(AGENT) as http:
        refused = await http.post("/mcp/no-such", json=PING, headers=JSON)
        assert (refused.status_code, error_in(refused)["slug"]) == (404, "toolset_not_found")

    async with served.door.client("2026-07-28", AGENT) as client:
        assert MEASURE not in names_of(await find(client, "the measure tool"))
        absent = await call(client, "leaf__no_such")
        hidden = await call(client, MEASURE)
        assert text_of(hidden).replace("measure", "no_such") == text_of(absent)
        described = await client.call_tool("describe_tool", {"name": MEASURE})
        assert error_of(described)["slug"] == "tool_not_found"
        assert notice_of(described)
    async with served.door.client("2026-07-28", BOSS) as client:
        assert MEASURE in names_of(await find(client, "the measure tool")), "others find it"
    await served.start_database()
    assert served.calls() == [], "what was refused is no call"


async def test_a_search_is_answered_and_a_call_served_and_recorded_once(served: Served):
    async with (
        served.door.client("legacy", AGENT) as session,
        served.door.client("2026-07-28", AGENT) as client,
    ):
        assert text_of(await call(session, "leaf__echo", text="before")) == "before"
        assert OUTAGE_KEY not in ((await find(session, "echo")).meta or {})
        async with anyio.create_task_group() as tasks:
            hanging = anyio.CancelScope()

            async def hang() -> None:
                with hanging:
                    await call(client, "leaf__hang")

            tasks.start_soon(hang)
            await until(lambda: [ended for _, ended, _ in served.calls()] == ["ok", "pending"])
            await served.stop_database()

            found = await find(client, "the current time in a timezone")
            assert names_of(found)[0] == "time__get_current_time"
            assert notice_of(found)
            assert "Outage: the database is unavailable" in text_of(found)
            assert found.structured_content["receipt"] is None
            assert found.structured_content["tools"][0]["inputSchema"]["required"] == ["timezone"]
            described = await client.call_tool("describe_tool", {"name": "leaf__echo"})
            assert "text" in described.structured_content["inputSchema"]["properties"]

            echoed = await call(client, "leaf__echo", text="meanwhile")
            assert text_of(echoed) == "meanwhile"
            assert notice_of(echoed)
            refused = await call(client, "leaf__echo", text=5)
            assert error_of(refused)["slug"] == "arguments_invalid"
            counted = await call(session, "leaf__counters")
            assert counted.structured_content["calls"] == 4, "what does not fit is not sent"
            await find(session, "the current time in a timezone")
            names = {tool.name for tool in (await session.list_tools()).tools}
            assert {"leaf__echo", "time__get_current_time"} <= names, "its list goes on, too"
            as_of = {"name": "leaf__echo", "as_of": "2026-01-01T00:00:00Z"}
            past = await client.call_tool("describe_tool", as_of)
            assert error_of(past)["slug"] == "database_unavailable"

            async with served.door.http(AGENT) as http:
                ready = await http.get("/readyz")
                assert (ready.status_code, ready.json()["status"]) == (200, "outage")
                status = (await http.get("/status")).json()
                assert status["service"]["outage"]["since"] == ready.json()["since"]
            # A call that began before ends meanwhile, one that begins meanwhile ends afterwards.
            hanging.cancel()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call, client, "leaf__hang")
            await until(lambda: _spooled(served).count('"begin"') == 4)
            await served.start_database()
            await until(lambda: "pending" in [outcome for _, outcome, _ in served.calls()])
            tasks.cancel_scope.cancel()
        await until(lambda: "pending" not in [outcome for _, outcome, _ in served.calls()])

        assert served.calls() == [
            ("echo", "ok", False),
            ("hang", "cancelled", True),
            ("echo", "ok", True),
            ("echo", "invalid_arguments", True),
            ("counters", "ok", True),
            ("hang", "cancelled", True),
        ]
        again = await find(client, "the current time in a timezone")
        assert OUTAGE_KEY not in (again.meta or {})
        assert again.structured_content["receipt"] is not None
    async with served.door.http(AGENT) as http:
        service = (await http.get("/status")).json()["service"]
        # While the server stops, one connection may be lost before another has its last answer.
        assert service["outage"] is None
        assert service["outages"] in {1, 2}


async def test_resources_and_prompts_wait_for_the_database(served: Served):
    await offer(served.service, "memo", [], *forked_server("memo_server.py", "stdio"))
    offered = "select id from catalog.item where kind = 'prompt' and is_live"
    await until(lambda: len(served.rows(offered)) == 1)
    notifications: set[str] = set()

    async def heard(message: object) -> None:
        notifications.add(type(message).__name__)

    async with served.door.client("legacy", AGENT, message_handler=heard) as session:
        before = (await session.list_resources()).resources
        assert [resource.name for resource in before] == ["plan", "secret/key", "zoo"]
        await until(lambda: has_outage_copy(served))
        notifications.clear()
        await served.stop_database()
        for ask in (
            session.list_resources,
            session.list_resource_templates,
            session.list_prompts,
            partial(session.read_resource, "memo://plan"),
            partial(session.get_prompt, "memo__greet", {"name": "Ada"}),
        ):
            with pytest.raises(MCPError, match="database_unavailable"):
                await ask()
        assert text_of(await call(session, "leaf__echo", text="on")) == "on", "the session goes on"
        async with (
            served.door.client("legacy", AGENT) as another,
            served.door.client("2026-07-28", AGENT) as client,
            client.listen(resources_list_changed=True) as changes,
        ):
            assert "call_tool" in {tool.name for tool in (await another.list_tools()).tools}
            await served.start_database()
            with anyio.fail_after(LONGEST_S):
                async for _ in changes:
                    break
        await until(lambda: "ResourceListChangedNotification" in notifications)
        assert (await session.list_resources()).resources == before


async def test_results_are_guarded_as_the_rules_that_held_say(served: Served):
    boss = await served.service.database.find_principal(LOCAL_PRINCIPAL)
    guardrails = [
        {"subject": "toolset:leaves", "secrets": "deliver"},
        {"subject": "principal:agent", "origins": ["leaf"], "secrets": "mask"},
    ]
    call_database = served.service.database.call
    leaves = {"pinned": {"origins": ["leaf"]}, "description": ""}
    await call_database(api.put_toolset(name="leaves", **leaves), boss)
    await call_database(api.apply_rules(definition=RULES | {"guardrails": guardrails}), boss)
    await until(lambda: len(copied_guardrails(served)) > 0 and has_outage_copy(served))
    await served.stop_database()
    for key, door, answer in (
        (AGENT, "/mcp", "[secret masked: github]"),
        (AGENT, "/mcp/leaves", TOKEN),
        (BOSS, "/mcp", TOKEN),
    ):
        async with (
            served.door.http(key) as http,
            Client(streamable_http_client(f"{served.door.url}{door}", http_client=http)) as client,
        ):
            assert text_of(await call(client, "leaf__echo", text=TOKEN)) == answer, (key, door)


async def test_who_connects_is_told_how_to_search(served: Served):
    await served.stop_database()
    for era in ("legacy", "auto"):
        async with served.door.client(era, AGENT) as client:
            assert client.instructions == INSTRUCTIONS


def copied_guardrails(served: Served) -> list[Any]:
    """Returns the guardrails that apply without the database, as they were kept last."""
    retained = served.service.outage_copy.latest
    return [] if retained is None else json.loads(retained.rights)["guardrails"]


def _spooled(served: Served) -> str:
    files = (served.service.data_dir / "spool").glob("*.jsonl")
    return "".join(path.read_text() for path in files)


async def test_programs_search_over_http_and_their_reads_are_refused(served: Served):
    await served.stop_database()
    async with served.door.http(AGENT) as http:
        found = (await http.post("/v1/search", json={"goal": "echo a text"})).json()
        assert found["tools"][0]["name"] == "leaf__echo"
        assert found["receipt"] is None
        assert found["outage"]["message"].startswith("Outage: the database is unavailable.")
        refused = await http.post("/v1/read/list_origins", json={})
        assert error_in(refused)["slug"] == "database_unavailable"
        # What is wrong without asking the database does not say that it is back.
        absent = await http.post("/v1/read/nothing", json={})
        assert error_in(absent)["slug"] == "path_not_found"
        assert served.service.outage.since is not None
    await served.start_database()
