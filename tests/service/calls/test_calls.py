"""Calls through Quartermaster: whole results, explained errors, and a log row for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client, MCPError

from quartermaster import api
from quartermaster.doors.mcp.mcp_server import McpFront
from quartermaster.service import Service
from tests.support.call_rows import CallRows
from tests.support.offers import OBJECT, leaf_tool, offer, offer_leaf, offer_rude
from tests.support.reading import error_of, text_of
from tests.support.waiting import LONGEST_S, until

pytestmark = pytest.mark.anyio


async def call(client: Client, name: str, **arguments: Any) -> types.CallToolResult:
    return await client.call_tool("call_tool", {"name": name, "arguments": arguments})


async def counters(client: Client) -> dict[str, int]:
    """Returns what the upstream has counted."""
    return (await call(client, "leaf__counters")).structured_content or {}


async def test_a_result_arrives_whole_and_says_where_it_comes_from(
    front: McpFront, era: str, execute: Any, call_rows: CallRows
):
    async with Client(front.server, mode=era) as client:
        result = await call(client, "leaf__measure")
    assert not result.is_error
    assert result.structured_content == {"value": 7}
    assert result.meta is not None
    assert result.meta["unit"] == "m"
    provenance = result.meta["quartermaster/call"]
    assert (provenance["origin"], provenance["tool"]) == ("leaf", "measure")
    await call_rows.wait_for("ok")
    rows = execute(
        "select id, version, request_id, outcome, result_bytes > 10, duration_ms > 0"
        " from calls.call"
    )
    assert rows == [
        (provenance["id"], provenance["version"], provenance["requestId"], "ok", True, True)
    ]


async def test_a_disabled_local_principal_calls_nothing_more(front: McpFront, execute: Any):
    asked = {"name": "leaf__echo", "arguments": {"text": "a"}}
    async with Client(front.server) as client:
        assert not (await client.call_tool("call_tool", asked)).is_error
        execute("update policy.principal set enabled = false where name = 'local'")
        refused = await client.call_tool("call_tool", asked)
        assert refused.is_error
        assert "principal_unknown" in str(refused.content)


async def test_a_found_tool_is_called_by_its_own_name_too(
    front: McpFront, era: str, call_rows: CallRows
):
    async with Client(front.server, mode=era) as client:
        result = await client.call_tool("leaf__echo", {"text": "hello"})
    assert text_of(result) == "hello"
    await call_rows.wait_for("ok")


async def test_a_call_is_joined_with_the_receipt_of_its_search(front: McpFront, execute: Any):
    async with Client(front.server, mode="legacy") as client:
        found = await client.call_tool("search_tools", {"query": "the echo tool"})
        receipt = found.structured_content["receipt"]
        asked = {"name": "leaf__echo", "arguments": {"text": "a"}, "receipt": receipt}
        await client.call_tool("call_tool", asked)
        # A tool called from the list has the receipt of the search that put it there.
        await client.call_tool("leaf__echo", {"text": "b"})
    assert execute("select receipt_id from calls.call") == [(receipt,), (receipt,)]


async def test_arguments_written_as_json_text_are_understood(front: McpFront):
    async with Client(front.server) as client:
        asked = {"name": "leaf__echo", "arguments": '{"text": "hello"}'}
        assert text_of(await client.call_tool("call_tool", asked)) == "hello"
        asked["arguments"] = '{"text": '
        refused = await client.call_tool("call_tool", asked)
    assert error_of(refused)["slug"] == "arguments_invalid"


async def test_wrong_arguments_never_reach_the_upstream_and_come_back_with_the_schema(
    front: McpFront, era: str, call_rows: CallRows
):
    async with Client(front.server, mode=era) as client:
        refused = await call(client, "leaf__echo", text=5)
        counted = await call(client, "leaf__counters")
    error = error_of(refused)
    assert (error["code"], error["slug"]) == ("QM422", "arguments_invalid")
    assert refused.structured_content["problems"] == [
        {"pointer": "/text", "message": '5 is not of type "string"'}
    ]
    assert refused.structured_content["inputSchema"]["required"] == ["text"]
    assert '"required":["text"]' in text_of(refused)
    assert counted.structured_content["calls"] == 1
    await call_rows.wait_for("invalid_arguments", "ok")


async def test_a_schema_that_is_none_leaves_the_judgement_to_the_upstream(
    front: McpFront, service: Service, call_rows: CallRows
):
    broken = [{"type": "strin"}, {"$ref": "#/nowhere"}, {"$schema": "urn:other"}, OBJECT]
    for number, schema in enumerate(broken):
        await offer_leaf(service, f"leaf{number}")
        tool = {**leaf_tool("echo", schema), "origin": f"leaf{number}"}
        await service.database.call(api.import_items(kind="tool", items=[tool]), service.worker)
    async with Client(front.server) as client:
        for number in range(len(broken)):
            assert text_of(await call(client, f"leaf{number}__echo", text="x")) == "x"
    await call_rows.wait_for(*["ok"] * len(broken))


async def test_a_tools_own_error_is_relayed_as_it_is(
    front: McpFront, era: str, call_rows: CallRows
):
    async with Client(front.server, mode=era) as client:
        refused = await call(client, "leaf__refuse")
    assert refused.is_error
    assert text_of(refused) == "not today"
    await call_rows.wait_for("tool_error")


async def test_a_protocol_error_of_the_upstream_is_explained_to_the_model(
    front: McpFront, era: str, call_rows: CallRows
):
    async with Client(front.server, mode=era) as client:
        refused = await call(client, "leaf__raise")
    assert error_of(refused)["slug"] == "upstream_tool_error"
    assert "no tool raise" in text_of(refused)
    await call_rows.wait_for("tool_error")


async def test_an_unknown_tool_is_an_error_with_the_nearest_names_to_call_tool(front: McpFront):
    async with Client(front.server) as client:
        refused = await call(client, "leaf__ecko")
    assert error_of(refused)["slug"] == "tool_not_found"


async def test_an_unknown_tool_is_a_protocol_error_when_called_by_name(front: McpFront, era: str):
    async with Client(front.server, mode=era) as client:
        with pytest.raises(MCPError) as refused:
            await client.call_tool("no_such_tool", {})
    assert refused.value.error.code == types.INVALID_PARAMS
    assert "search_tools" in refused.value.error.message


async def test_a_tool_of_a_catalog_entry_without_a_connection_says_so(
    front: McpFront, call_rows: CallRows
):
    async with Client(front.server) as client:
        refused = await call(client, "time__get_current_time", timezone="Asia/Tokyo")
    assert error_of(refused)["slug"] == "origin_not_callable"
    assert "qm origin add" in text_of(refused)
    assert call_rows.all() == []


WRONG_TYPES: list[dict[str, Any]] = [
    {},
    {"name": 5},
    {"name": "leaf__echo", "arguments": []},
    {"name": "leaf__echo", "receipt": 2**64},
    {"name": "leaf__echo", "receipt": "1"},
    {"name": "leaf__echo", "arguments": {"text": "\ud800"}},
]


async def test_wrong_types_are_explained(front: McpFront):
    async with Client(front.server) as client:
        for arguments in WRONG_TYPES:
            refused = await client.call_tool("call_tool", arguments)
            assert error_of(refused)["slug"] == "arguments_invalid", arguments


async def test_the_row_is_committed_before_the_upstream_answers(
    front: McpFront, call_rows: CallRows
):
    async with Client(front.server) as client, anyio.create_task_group() as tasks:
        tasks.start_soon(call, client, "leaf__hang")
        await call_rows.wait_for("pending")
        tasks.cancel_scope.cancel()


async def test_cancelling_reaches_the_upstream_and_the_log(
    front: McpFront, era: str, call_rows: CallRows
):
    async with Client(front.server, mode=era) as client:
        asked = 0
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call, client, "leaf__hang")
            with anyio.fail_after(LONGEST_S):
                while (await counters(client))["calls"] == (asked := asked + 1):
                    pass  # To ask is a call, too.
            tasks.cancel_scope.cancel()
        await until(lambda: "cancelled" in call_rows.outcomes())
        assert (await counters(client))["cancelled"] == 1


async def test_progress_is_relayed_to_those_who_asked(front: McpFront):
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    asked = {"name": "leaf__count", "arguments": {"to": 3}}
    async with Client(front.server, mode="legacy") as client:
        await client.call_tool("call_tool", asked, progress_callback=hear)
        await client.call_tool("call_tool", asked)
    assert heard == [(1, 3, "step 1"), (2, 3, "step 2"), (3, 3, "step 3")]


async def test_what_the_client_says_in_meta_reaches_the_upstream(front: McpFront, era: str):
    asked = {"name": "leaf__echo", "arguments": {"text": "a"}}
    async with Client(front.server, mode=era) as client:
        result = await client.call_tool("call_tool", asked, meta={"trace": "abc"})
    assert result.meta is not None
    assert result.meta["seen"]["trace"] == "abc"


async def test_a_client_that_cannot_be_asked_is_told_so_and_the_call_is_logged(
    front: McpFront, call_rows: CallRows
):
    async with Client(front.server, mode="legacy") as client:
        with pytest.raises(MCPError, match="cannot answer elicitation/create"):
            await call(client, "leaf__ask")
    await call_rows.wait_for("protocol")


async def test_a_stateless_upstreams_question_reaches_clients_of_both_eras(
    front: McpFront, call_rows: CallRows, era: str
):
    async def answer(_context: Any, question: Any) -> types.ElicitResult:
        assert question.message == "who?"
        return types.ElicitResult(action="accept", content={"name": "Ada"})

    async with Client(front.server, mode=era, elicitation_callback=answer) as client:
        result = await call(client, "leaf__ask")
    assert text_of(result) == "hello Ada, kept"
    # A stateless client sends the call again with the answer; for others that is done here.
    await call_rows.wait_for(*["ok"] * (1 if era == "legacy" else 2))


async def test_an_upstream_that_hangs_ends_in_a_timeout_and_the_next_call_works(
    front: McpFront, call_rows: CallRows
):
    async with Client(front.server) as client:
        refused = await call(client, "leaf__hang")
        error = error_of(refused)
        assert (error["code"], error["slug"]) == ("QM504", "upstream_timeout")
        assert "leaf" in error["message"]
        assert text_of(await call(client, "leaf__echo", text="still here")) == "still here"
    await call_rows.wait_for("timeout", "ok")


async def test_a_dead_upstream_is_named_and_hides_nothing_else(
    front: McpFront, service: Service, call_rows: CallRows
):
    await offer_rude(service)
    async with Client(front.server) as client:
        refused = await call(client, "rude__die")
        assert error_of(refused)["slug"] == "upstream_died"
        assert "'rude'" in text_of(refused)
        assert text_of(await call(client, "leaf__echo", text="hello")) == "hello"
        # It is started again by the next call.
        assert not (await call(client, "rude__echo")).is_error
    await call_rows.wait_for("died", "ok", "ok")


async def test_an_upstream_that_cannot_be_started_is_named(
    front: McpFront, service: Service, call_rows: CallRows
):
    await offer(service, "absent", [leaf_tool("echo")], "/nowhere/no-such-program")
    async with Client(front.server) as client:
        refused = await call(client, "absent__echo")
    assert error_of(refused)["slug"] == "upstream_command_not_found"
    assert "'absent'" in text_of(refused)
    await call_rows.wait_for("network")


async def test_garbage_on_stdout_and_broken_results_are_one_calls_trouble(
    front: McpFront, service: Service, call_rows: CallRows
):
    await offer_rude(service, "banner")
    async with Client(front.server) as client:
        assert (await call(client, "rude__bad_result")).is_error
        assert not (await call(client, "rude__echo")).is_error
    await call_rows.wait_for("tool_error", "ok")


async def test_many_calls_at_once_each_get_their_own_answer(
    front: McpFront, era: str, call_rows: CallRows
):
    answers: dict[int, str] = {}
    async with Client(front.server, mode=era) as client, anyio.create_task_group() as tasks:

        async def echo(number: int) -> None:
            answers[number] = text_of(await call(client, "leaf__echo", text=f"number {number}"))

        for number in range(40):
            tasks.start_soon(echo, number)
    assert answers == {number: f"number {number}" for number in range(40)}
    await call_rows.wait_for(*["ok"] * 40)


async def test_a_result_is_delivered_although_its_log_row_could_not_be_ended(
    front: McpFront, execute: Any, call_rows: CallRows, capsys: pytest.CaptureFixture[str]
):
    async with Client(front.server) as client:
        await call(client, "leaf__measure")
        await call_rows.wait_for("ok")
        functions = "service.end_calls, service.call_end"
        execute(f"revoke execute on function {functions} from qm_service, qm_user")
        assert text_of(await call(client, "leaf__echo", text="done")) == "done"
        report: list[str] = []

        def is_reported() -> bool:
            report.append(capsys.readouterr().err)
            return "call_not_ended" in "".join(report)

        await until(is_reported)
    assert call_rows.outcomes() == ["ok", "pending"]


async def test_a_defect_of_ours_is_told_without_its_text(
    front: McpFront,
    service: Service,
    era: str,
    call_rows: CallRows,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    def fail(*_: object) -> None:
        raise RuntimeError("private: secret of the machine")

    monkeypatch.setattr(service.upstreams.origins, "spec", fail)
    async with Client(front.server, mode=era) as client:
        refused = await call(client, "leaf__echo", text="a")
    error = error_of(refused)
    assert (error["code"], error["slug"]) == ("QM500", "internal")
    assert "private" not in refused.model_dump_json()
    await call_rows.wait_for("internal")
    logged = capsys.readouterr().err
    assert error["request_id"] in logged
    assert "secret of the machine" in logged


async def test_a_denied_tool_is_told_like_an_absent_one_and_the_rule_is_kept(
    front: McpFront, execute: Callable[[str], list[tuple[object, ...]]], call_rows: CallRows
):
    execute(
        """select t.make_rules('{"rules": [
            {"effect": "deny", "subject": "everyone", "tools": "leaf__echo", "reason": "quiet"},
            {"effect": "deny", "subject": "everyone", "kinds": ["prompt"], "names": ["leaf__hush"]}
        ]}')"""
    )
    execute("""select t.put_items('prompt', 'leaf', '[{"name": "hush"}]')""")
    async with Client(front.server) as client:
        called = await call(client, "leaf__echo")
        absent = await call(client, "leaf__ekko")
        described = await client.call_tool("describe_tool", {"name": "leaf__echo"})
        prompt = await client.call_tool("describe_tool", {"kind": "prompt", "name": "leaf__hush"})
        await client.call_tool("describe_tool", {"kind": "prompt", "name": "leaf__nobody"})
    assert (
        text_of(called).replace("leaf__echo", "NAME").split("request")[0]
        == text_of(absent).replace("leaf__ekko", "NAME").split("request")[0]
    )
    assert error_of(described)["slug"] == "tool_not_found"
    assert error_of(prompt)["slug"] == "asset_not_found"
    assert call_rows.all() == []
    retained = execute("select door, name, is_allowed, rule from policy.decision order by id")
    assert retained == [
        ("call", "leaf__echo", False, 1),
        ("describe", "leaf__echo", False, 1),
        ("describe", "leaf__hush", False, 2),
    ]
