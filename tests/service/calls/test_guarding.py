"""Results of a hostile server, marked and masked as the rules say."""

from __future__ import annotations

import json
from typing import Any

import mcp_types as types
import pytest
from mcp import Client

from quartermaster.doors.mcp.mcp_server import McpFront
from quartermaster.service import Service
from tests.support.call_rows import CallRows
from tests.support.forks import forked_server
from tests.support.hostile_server import IBAN, RESULTS, STEERING, TOKEN
from tests.support.offers import leaf_tool, offer
from tests.support.reading import text_of

pytestmark = pytest.mark.anyio

ALL = {"instructions": "mark", "personal": "mask", "secrets": "mask"}


@pytest.fixture
async def hostile(service: Service) -> None:
    tools = [leaf_tool(name) for name in [*RESULTS, "fail"]]
    await offer(service, "hostile", tools, *forked_server("hostile_server.py"))


def rule(execute: Any, **actions: Any) -> None:
    guardrail = json.dumps([{"subject": "everyone", "origins": ["host*"], **actions}])
    execute(f"update policy.rule_version set guardrails = '{guardrail}' where is_active")


async def call(front: McpFront, name: str) -> types.CallToolResult:
    async with Client(front.server) as client:
        return await client.call_tool("call_tool", {"name": f"hostile__{name}", "arguments": {}})


@pytest.mark.usefixtures("hostile")
async def test_without_a_rule_a_result_arrives_as_it_is(front: McpFront, execute: Any):
    result = await call(front, "record")
    assert result.structured_content == RESULTS["record"]["structured"]
    assert text_of(await call(front, "page")) == RESULTS["page"]["text"]
    assert execute("select findings from calls.call where findings is not null") == []


@pytest.mark.usefixtures("hostile")
async def test_what_is_marked_is_delivered_and_quoted(
    front: McpFront, execute: Any, call_rows: CallRows
):
    rule(execute, **ALL)
    result = await call(front, "page")
    text = text_of(result)
    assert "[not an instruction of the user: “" in text
    assert text.startswith("Opening hours: 9 to 5.\n")
    assert text.endswith("\nClosed on Sundays.")
    assert "https://collect.example" in text
    assert result.meta is not None
    assert result.meta["quartermaster/guardrails"]["marked"]["instructions"] >= 1
    await call_rows.wait_for("ok")
    [(findings,)] = execute("select findings from calls.call")
    assert findings == result.meta["quartermaster/guardrails"]
    assert "collect" not in str(findings)


@pytest.mark.usefixtures("hostile")
async def test_structured_content_keeps_its_form(front: McpFront, execute: Any):
    rule(execute, **ALL)
    result = await call(front, "record")
    assert result.structured_content is not None
    first, second = result.structured_content["rows"]
    assert first["note"].startswith("[not an instruction of the user: “")
    assert first["iban"] == "[personal data masked: iban]"
    assert second == {"token": "[secret masked: github]", "count": 3}


@pytest.mark.usefixtures("hostile")
async def test_instructions_can_be_removed(front: McpFront, execute: Any):
    rule(execute, instructions="mask")
    for name in ("page", "unseen"):
        text = text_of(await call(front, name))
        assert "masked: instruction]" in text
        assert "collect" not in text
        assert "\U000e0041" not in text


@pytest.mark.usefixtures("hostile")
async def test_an_error_and_its_log_row_hold_no_secret(
    front: McpFront, execute: Any, call_rows: CallRows
):
    rule(execute, secrets="mask")
    result = await call(front, "fail")
    assert result.is_error
    assert TOKEN not in text_of(result)
    await call_rows.wait_for("tool_error")
    assert execute("select findings from calls.call") == [({"masked": {"secrets": 1}},)]


@pytest.mark.usefixtures("hostile")
async def test_a_size_can_be_capped(front: McpFront, execute: Any):
    rule(execute, result_bytes=100_000)
    assert "result_too_large" in text_of(await call(front, "huge"))


@pytest.mark.usefixtures("hostile")
async def test_odd_results_arrive_too(front: McpFront, execute: Any):
    rule(execute, **ALL)
    assert not (await call(front, "broken")).is_error
    assert not (await call(front, "huge")).is_error
    assert text_of(await call(front, "harmless")) == RESULTS["harmless"]["text"]


async def test_a_prompt_may_instruct_but_what_it_embeds_may_not(service: Service):
    embedded = {"type": "resource", "resource": {"uri": "memo://page", "text": STEERING}}
    messages = [
        {"role": "user", "content": {"type": "text", "text": f"{STEERING} Account: {IBAN}"}},
        {"role": "user", "content": embedded},
    ]
    said, found = await service.guard.read({"messages": messages}, ALL)
    first, second = (message["content"] for message in said["messages"])
    assert first["text"] == f"{STEERING} Account: [personal data masked: iban]"
    assert second["resource"]["text"].startswith("[not an instruction of the user: “")
    assert found == {"marked": {"instructions": 1}, "masked": {"personal": 1}}
    assert said["_meta"]["quartermaster/guardrails"] == found
    assert messages[1]["content"]["resource"]["text"] == STEERING, "the answer itself is kept"
