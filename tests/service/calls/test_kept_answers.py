"""Answers that are given again: under a key, from a cache, page by page."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, cast

import anyio
import mcp_types as types
import pytest
from mcp import Client

from quartermaster import api
from quartermaster.calls.call_record import IDEMPOTENCY_KEY
from quartermaster.calls.pages import PAGE_KEY
from quartermaster.doors.mcp.mcp_server import McpFront
from quartermaster.service import Service
from tests.support.call_rows import CallRows
from tests.support.forks import forked_server
from tests.support.offers import OBJECT, leaf_tool, offer
from tests.support.reading import error_of, text_of

pytestmark = pytest.mark.anyio

Execute = Callable[[str], list[tuple[object, ...]]]


async def call(client: Client, name: str, key: str | None = None, **arguments: Any) -> Any:
    meta: Any = {IDEMPOTENCY_KEY: key} if key is not None else None
    return await client.call_tool("call_tool", {"name": name, "arguments": arguments}, meta=meta)


async def calls_of(client: Client) -> int:
    """Returns how many calls the upstream has had, without this one."""
    counted = await call(client, "leaf__counters")
    return counted.structured_content["calls"] - 1


async def test_the_same_key_gets_the_same_answer_and_the_upstream_one_call(
    front: McpFront, era: str, execute: Execute
):
    async with Client(front.server, mode=era) as client:
        first = await call(client, "leaf__echo", "k", text="a")
        again = await call(client, "leaf__echo", "k", text="a")
        other = await call(client, "leaf__echo", "k", text="b")
        assert await calls_of(client) == 1
    assert text_of(first) == text_of(again) == "a"
    assert again.meta["quartermaster/call"]["answeredBy"] == "key"
    assert again.meta["seen"] == first.meta["seen"]
    assert error_of(other)["slug"] == "idempotency_key_reused"
    assert execute("select outcome, attempts, answered_by from calls.call order by id limit 2") == [
        ("ok", 1, "upstream"),
        ("ok", 0, "key"),
    ]


async def test_a_key_among_the_arguments_finds_the_answer_as_one_of_the_client_does(
    front: McpFront, service: Service, era: str, execute: Execute
):
    async def say(**terms: object) -> None:
        terms = {"key_argument": "text", "masked": [], **terms}
        await service.database.call(api.set_terms(name="leaf__echo", terms=terms), service.worker)

    await say()
    async with Client(front.server, mode=era) as client:
        first = await call(client, "leaf__echo", text="order 7")
        again = await call(client, "leaf__echo", text="order 7")
        other = await call(client, "leaf__echo", text="order 8")
        assert await calls_of(client) == 2
        await say(masked=["text"])
        await call(client, "leaf__echo", text="order 9")
        await call(client, "leaf__echo", text="order 9")
        assert await calls_of(client) == 5, "what is secret is kept nowhere"
    assert [text_of(it) for it in (first, again, other)] == ["order 7", "order 7", "order 8"]
    assert again.meta["quartermaster/call"]["answeredBy"] == "key"
    retained = [str(row) for row in execute("select name, body from calls.answer")]
    assert len(retained) == 2
    assert "order 9" not in "".join(retained)
    assert execute("select outcome, attempts, answered_by from calls.call order by id limit 3") == [
        ("ok", 1, "upstream"),
        ("ok", 0, "key"),
        ("ok", 1, "upstream"),
    ]


async def test_of_two_calls_at_once_under_one_key_one_is_made(front: McpFront, call_rows: CallRows):
    async with Client(front.server) as client, anyio.create_task_group() as tasks:
        tasks.start_soon(call, client, "leaf__hang", "k")
        await call_rows.wait_for("pending")
        refused = await call(client, "leaf__hang", "k")
        assert error_of(refused)["slug"] == "call_in_progress"
        tasks.cancel_scope.cancel()
    await call_rows.wait_for("cancelled")
    async with Client(front.server) as client:
        # It may have done its work before it was cancelled.
        assert error_of(await call(client, "leaf__hang", "k"))["slug"] == "call_outcome_unknown"


async def test_a_refused_call_gives_its_key_back_and_an_answered_error_does_not(
    front: McpFront, era: str
):
    async with Client(front.server, mode=era) as client:
        assert (
            error_of(await call(client, "leaf__echo", "k", text=5))["slug"] == "arguments_invalid"
        )
        assert text_of(await call(client, "leaf__echo", "k", text="a")) == "a"
        refused = [await call(client, "leaf__raise", "r") for _ in range(2)]
        assert await calls_of(client) == 2
    assert {error_of(one)["slug"] for one in refused} == {"upstream_tool_error"}


async def test_a_key_that_is_none_is_refused(front: McpFront):
    async with Client(front.server) as client:
        assert (
            error_of(await call(client, "leaf__echo", "", text="a"))["slug"] == "argument_invalid"
        )


async def test_an_operator_declares_a_cache(
    front: McpFront, service: Service, execute: Execute, call_rows: CallRows
):
    terms = {"is_read_only": True, "cache_s": 60}
    await service.database.call(api.set_terms(name="leaf__echo", terms=terms), service.worker)
    async with Client(front.server) as client:
        first = await call(client, "leaf__echo", text="a")
        again = await call(client, "leaf__echo", text="a")
        other = await call(client, "leaf__echo", text="b")
        assert await calls_of(client) == 2
    assert text_of(first) == text_of(again) == "a"
    assert "answeredBy" not in first.meta["quartermaster/call"]
    assert again.meta["quartermaster/call"]["answeredBy"] == "cache"
    assert text_of(other) == "b"
    # What was answered again says nothing of how fast the tool is.
    await call_rows.wait_for(*["ok"] * 4)
    execute("select stats.count_calls()")
    assert execute("select sum(calls) from stats.call_hour") == [(3,)]


async def offer_big(service: Service, **terms: Any) -> None:
    schema = {**OBJECT, "properties": {"size": {"type": "integer"}}}
    command = forked_server("leaf_server.py", "stdio")
    await offer(service, "large", [leaf_tool("big", schema)], *command)
    await service.database.call(api.set_terms(name="large__big", terms=terms), service.worker)


async def test_a_large_result_is_read_in_pages_to_its_end(
    front: McpFront, service: Service, era: str
):
    await offer_big(service, page_characters=1000)
    async with Client(front.server, mode=era) as client:
        small = await call(client, "large__big", size=1000)
        assert text_of(small) == "x" * 1000
        page = await call(client, "large__big", size=2500)
        whole = ""
        notes: list[str] = []
        while True:
            whole += page.content[0].text
            if page.meta[PAGE_KEY]["nextStart"] is None:
                break
            notes.append(page.content[-1].text)
            # As the note says.
            asked = json.loads(notes[-1].partition("call_tool ")[2].rstrip("]"))
            page = await call(client, asked["name"], **asked["arguments"])
    assert whole == "x" * 2500
    assert len(notes) == 2
    assert "Characters 0 to 1000 of 2500" in notes[0]


async def test_another_principal_reads_no_page(front: McpFront, service: Service, execute: Execute):
    await offer_big(service, page_characters=1000)
    async with Client(front.server) as client:
        page = await call(client, "large__big", size=2000)
        handle = page.meta[PAGE_KEY]["handle"]
        mine = await client.call_tool("read_result", {"handle": handle, "start": 1990})
        assert text_of(mine) == "x" * 10
        execute("update calls.answer set principal_id = (select t.make_principal('other'))")
        refused = await client.call_tool("read_result", {"handle": handle})
    assert error_of(refused)["slug"] == "result_not_found"


async def test_a_result_that_is_more_than_the_tool_may_have_is_refused(
    front: McpFront, service: Service, call_rows: CallRows
):
    await offer_big(service, result_bytes=1000)
    async with Client(front.server) as client:
        refused = await call(client, "large__big", size=2000)
    assert error_of(refused)["slug"] == "result_too_large"
    await call_rows.wait_for("too_large")


async def test_a_tool_has_the_time_that_an_operator_gives_it(
    front: McpFront, service: Service, call_rows: CallRows, execute: Execute
):
    terms = {"timeout_s": 0.2}
    await service.database.call(api.set_terms(name="leaf__hang", terms=terms), service.worker)
    async with Client(front.server) as client:
        await calls_of(client)
        assert error_of(await call(client, "leaf__hang"))["slug"] == "upstream_timeout"
    await call_rows.wait_for("ok", "timeout")
    # Its origin would have given it five seconds.
    (duration_ms,) = execute("select duration_ms from calls.call where outcome = 'timeout'")[0]
    assert cast("float", duration_ms) < 4_000


async def test_the_upstream_hears_the_id_of_the_request(front: McpFront, era: str):
    async with Client(front.server, mode=era) as client:
        result: types.CallToolResult = await call(client, "leaf__echo", text="a")
    assert result.meta is not None
    provenance = result.meta["quartermaster/call"]
    assert result.meta["seen"]["x-meta-request-id"] == provenance["requestId"]
    assert provenance["catalogVersion"] > 0
