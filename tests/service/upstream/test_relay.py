"""What an upstream says arrives whole, over every transport and in both protocol eras."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import anyio
import mcp_types as types
import pytest

from quartermaster.upstream.failure import UpstreamError
from quartermaster.upstream.spec import OriginSpec
from quartermaster.upstream.supervisor import Supervisor
from quartermaster.upstream.upstream_requests import CallResult, parsed_call
from quartermaster.upstream.upstream_requests import request as send
from tests.support.upstreams import rude_spec
from tests.support.waiting import LONGEST_S

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def supervisor(anyio_backend: str) -> AsyncGenerator[Supervisor]:
    """One for all tests of a transport, which then start their server once."""
    async with Supervisor() as running:
        yield running


async def counters(supervisor: Supervisor, leaf: OriginSpec) -> dict[str, Any]:
    result = await supervisor.call(leaf, "counters")
    assert isinstance(result, types.CallToolResult)
    return result.structured_content or {}


async def called(
    supervisor: Supervisor, leaf: OriginSpec, name: str, arguments: dict[str, Any], **more: Any
) -> CallResult:
    """As a client's call is relayed, with what its request carries beside the arguments."""
    connection = await supervisor.reach(leaf, handshake=False)
    params = {"name": name, "arguments": arguments, **more}
    return parsed_call(leaf.name, await send(connection, "tools/call", params))


def text_of(result: types.CallToolResult | types.InputRequiredResult) -> str:
    assert isinstance(result, types.CallToolResult)
    block = result.content[0]
    assert isinstance(block, types.TextContent)
    return block.text


async def test_listing_tells_tools_server_version_and_instructions(
    supervisor: Supervisor, leaf: OriginSpec, request: pytest.FixtureRequest
) -> None:
    listing = await supervisor.list_tools(leaf)
    names = [tool["name"] for tool in listing.tools]
    assert names[:2] == ["echo", "count"]
    assert listing.tools[0]["inputSchema"]["properties"] == {"text": {"type": "string"}}
    assert not listing.rejected
    assert not listing.truncated
    assert listing.server == {"name": "leaf", "version": "1.2"}
    assert listing.instructions == "Use echo."
    is_legacy = "legacy" in request.node.callspec.id
    assert listing.protocol_version == ("2025-11-25" if is_legacy else "2026-07-28")
    assert supervisor.states()["leaf"].protocol_version == listing.protocol_version


async def test_meta_goes_up_and_comes_back(supervisor: Supervisor, leaf: OriginSpec) -> None:
    result = await called(supervisor, leaf, "echo", {"text": "ünï"}, _meta={"trace": "abc"})
    assert text_of(result) == "ünï"
    assert result.meta is not None
    assert result.meta["seen"] == {"trace": "abc"}


async def test_structured_content_and_result_meta_arrive(
    supervisor: Supervisor, leaf: OriginSpec
) -> None:
    result = await supervisor.call(leaf, "measure")
    assert isinstance(result, types.CallToolResult)
    assert result.structured_content == {"value": 7}
    assert result.meta is not None
    assert result.meta["unit"] == "m"
    assert result.is_error is False


async def test_tool_error_is_a_result_and_no_exception(
    supervisor: Supervisor, leaf: OriginSpec
) -> None:
    result = await supervisor.call(leaf, "refuse")
    assert isinstance(result, types.CallToolResult)
    assert result.is_error is True
    assert text_of(result) == "not today"


async def test_json_rpc_error_is_raised_with_code_message_and_data(
    supervisor: Supervisor, leaf: OriginSpec
) -> None:
    with pytest.raises(UpstreamError) as raised:
        await supervisor.call(leaf, "raise")
    assert raised.value.kind == "tool_error"
    assert raised.value.reply == types.ErrorData(
        code=types.INVALID_PARAMS, message="no tool raise", data={"why": "a test"}
    )


async def test_progress_is_reported_in_order(supervisor: Supervisor, leaf: OriginSpec) -> None:
    seen: list[tuple[float, float | None, str | None]] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    connection = await supervisor.reach(leaf, handshake=False)
    params = {"name": "count", "arguments": {"to": 3}}
    await send(connection, "tools/call", params, on_progress=on_progress)
    assert seen == [(1, 3, "step 1"), (2, 3, "step 2"), (3, 3, "step 3")]


async def test_cancelling_the_caller_cancels_the_tool(
    supervisor: Supervisor, leaf: OriginSpec
) -> None:
    before = (await counters(supervisor, leaf))["cancelled"]
    async with anyio.create_task_group() as tasks:
        calls = (await counters(supervisor, leaf))["calls"]
        tasks.start_soon(supervisor.call, leaf, "hang")
        with anyio.fail_after(LONGEST_S):
            # The counter's own calls count too: two more than this loop made is the hanging one.
            while (await counters(supervisor, leaf))["calls"] != calls + 2:
                calls += 1
        tasks.cancel_scope.cancel()
    with anyio.fail_after(LONGEST_S):
        while (await counters(supervisor, leaf))["cancelled"] == before:
            await anyio.lowlevel.checkpoint()


async def test_call_over_its_time_limit_is_a_timeout_and_the_next_one_works(
    supervisor: Supervisor, leaf: OriginSpec
) -> None:
    with pytest.raises(UpstreamError) as raised:
        await supervisor.call(leaf, "hang", timeout_s=0.3)
    assert (raised.value.kind, raised.value.status, raised.value.sent) == ("timeout", 504, True)
    assert text_of(await supervisor.call(leaf, "echo", {"text": "still here"})) == "still here"


async def test_input_required_result_is_relayed_and_answered(
    supervisor: Supervisor, leaf: OriginSpec, request: pytest.FixtureRequest
) -> None:
    if "legacy" in request.node.callspec.id:
        pytest.skip("the handshake revisions know no input-required result")
    asked = await supervisor.call(leaf, "ask")
    assert isinstance(asked, types.InputRequiredResult)
    assert asked.request_state == "kept"
    answered = await called(
        supervisor,
        leaf,
        "ask",
        {},
        inputResponses={"who": {"action": "accept", "content": {"name": "Ada"}}},
        requestState=asked.request_state,
    )
    assert text_of(answered) == "hello Ada, kept"


async def test_answer_larger_than_the_sdk_default_arrives(
    supervisor: Supervisor, leaf: OriginSpec
) -> None:
    result = await supervisor.call(leaf, "big", {"size": 3_000_000})
    assert len(text_of(result)) == 3_000_000


async def test_no_listing_is_fetched_behind_a_call(
    supervisor: Supervisor, leaf: OriginSpec
) -> None:
    before = (await counters(supervisor, leaf))["lists"]
    await supervisor.call(leaf, "measure")
    assert (await counters(supervisor, leaf))["lists"] == before


async def test_changed_tools_are_announced(leaf: OriginSpec) -> None:
    report = anyio.Event()

    async def on_list_changed(spec: OriginSpec) -> None:
        assert spec == leaf
        report.set()

    async with Supervisor(on_list_changed=on_list_changed) as supervisor:
        before = len((await supervisor.list_tools(leaf)).tools)
        with anyio.fail_after(LONGEST_S):
            # The stream that announces changes may still be opening.
            while not report.is_set():
                await supervisor.call(leaf, "change_tools")
                with anyio.move_on_after(0.2):
                    await report.wait()
        assert len((await supervisor.list_tools(leaf)).tools) > before


async def test_unknown_fields_of_definitions_are_kept(supervisor: Supervisor) -> None:
    listing = await supervisor.list_tools(rude_spec())
    assert listing.tools[0]["x-unknown"] == {"kept": True}


async def test_two_origins_are_used_at_once(supervisor: Supervisor, leaf: OriginSpec) -> None:
    other = rude_spec(name="other")
    results: dict[str, str] = {}

    async def use(spec: OriginSpec) -> None:
        for number in range(20):
            results[spec.name] = text_of(await supervisor.call(spec, "echo", {"text": str(number)}))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(use, leaf)
        tasks.start_soon(use, other)
    assert results == {"leaf": "19", "other": '{"text": "19"}'}
    assert supervisor.states()["other"].state == supervisor.states()["leaf"].state == "connected"
