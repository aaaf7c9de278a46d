"""What servers say that is not quite right costs none of their tools, no list and no answer."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client

from quartermaster import api
from quartermaster.calls.argument_repair import REPAIRED_KEY
from quartermaster.calls.call_record import IDEMPOTENCY_KEY, PROVENANCE_KEY
from quartermaster.calls.replies import ERROR_KEY
from quartermaster.db.principal import LOCAL_PRINCIPAL
from quartermaster.doors.mcp.mcp_server import McpFront
from quartermaster.doors.mcp.transparent import local_front
from tests.service.workers.conftest import Catalog
from tests.support.drawn_schemas import drawn_schemas, examples_of
from tests.support.node_tools import asked_of_node
from tests.support.reading import text_of

pytestmark = pytest.mark.anyio

OBJECT: dict[str, Any] = {"type": "object"}
ORDER: dict[str, Any] = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "state": {"type": "string"}},
    "required": ["id", "state"],
}
NUMBERED = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}


def tool(name: str, **members: Any) -> dict[str, Any]:
    return {"name": name, "description": f"Lighthouse tool {name}", **members}


def with_property(**keywords: Any) -> dict[str, Any]:
    return {"inputSchema": {"type": "object", "properties": {"a": keywords}}}


# Each is a kind of fault that real servers have.
ODD: list[dict[str, Any]] = [
    tool("null_required", inputSchema={"type": "object", "required": None}),
    tool("null_properties", inputSchema={"type": "object", "properties": None}),
    tool("null_pattern", **with_property(type="string", pattern=None, description=None)),
    tool("null_one_of", **with_property(oneOf=None, const=None)),
    tool("old_maximum", **with_property(type="number", maximum=9, exclusiveMaximum=True)),
    tool("draft_3", inputSchema={"$schema": "http://json-schema.org/draft-03/schema#"}),
    tool("own_dialect", inputSchema={"$schema": "urn:example:mine", **OBJECT}),
    tool("type_of_rust", **with_property(type="u64")),
    tool("type_of_python", **with_property(type="list")),
    tool("required_here", **with_property(type="string", required=False)),
    tool("tuple", **with_property(type="array", items=[{"type": "str"}, None])),
    tool("dangling", **with_property(**{"$ref": "#/components/schemas/Lamp"})),
    tool("wrong_pattern", **with_property(type="string", pattern="[")),
    tool("root_of_an_array", inputSchema={"type": "array"}),
    tool("no_input_schema"),
    tool("schema_as_text", inputSchema='{"type": "object", "properties": {"a": {}}}'),
    tool("schema_is_a_list", inputSchema=[]),
    tool("list_as_description", inputSchema=OBJECT) | {"description": ["Lighthouse", "tool"]},
    tool("hints_as_texts", inputSchema=OBJECT, annotations={"readOnlyHint": "TRUE", "title": 7}),
    tool("hints_are_none", inputSchema=OBJECT, annotations="harmless"),
    tool("icon_is_none", inputSchema=OBJECT, icons="lamp.png", _meta=[1], execution="never"),
    tool("output_dangling", inputSchema=OBJECT, outputSchema={**OBJECT, "not": {"$ref": "#/x"}}),
    tool("output_empty_enum", inputSchema=OBJECT, outputSchema={**OBJECT, "enum": []}),
    tool("output_of_text", inputSchema=OBJECT, outputSchema="an order"),
    tool("output_without_type", inputSchema=OBJECT, outputSchema={"properties": {}}),
    tool("output_is_fine", inputSchema=OBJECT, outputSchema=ORDER),
]  # fmt: skip


@asynccontextmanager
async def session(catalog: Catalog) -> AsyncGenerator[Client]:
    """Provides a client that has found all lighthouse tools, and has them in its list."""
    front = McpFront(catalog.service)
    async with Client(front.server, mode="legacy") as client:
        asked = {"goal": "lighthouse tool", "limit": 100, "mode": "thorough"}
        await client.call_tool("search_tools", asked)
        await client.list_tools(cache_mode="bypass")
        yield client


async def test_a_fault_in_its_definition_costs_no_tool_and_no_list(catalog: Catalog):
    good = {
        "content": [{"type": "text", "text": "shining"}],
        "structuredContent": {"id": 1, "state": "x"},
    }
    row = await catalog.carry_out(
        await catalog.offer("coast", ODD, {one["name"]: good for one in ODD})
    )
    assert (row["added"], row["rejected"]) == (len(ODD), [])

    async with session(catalog) as client:
        listed = {one.name: one for one in (await client.list_tools(cache_mode="bypass")).tools}
        for one in ODD:
            name = f"coast__{one['name']}"
            assert name in listed
            assert "shining" in text_of(await client.call_tool(name, {})), name
    schemas = [one.output_schema for one in listed.values() if one.output_schema]
    assert schemas == [ORDER]


async def test_an_approved_tool_whose_schema_turns_odd_stays_what_it_was(catalog: Catalog):
    fine = tool("turning", inputSchema={"type": "object", "properties": {"a": {"type": "string"}}})
    await catalog.carry_out(await catalog.offer("coast", [fine]))
    catalog.rows("update catalog.origin set approval = 'all' where name = 'coast' returning 1")

    odd = {"type": "object", "properties": {"a": {"type": "str", "enum": None}}, "required": None}
    catalog.write_offer("coast", [{**fine, "inputSchema": odd, "outputSchema": None}])
    row = await catalog.carry_out(await catalog.request("coast"))

    assert (row["unchanged"], row["deprecated"], row["withheld"]) == (1, 0, 0)


async def test_schemas_drawn_by_lot_are_kept_listed_and_called_and_fail_in_no_client(
    catalog: Catalog,
):
    drawn = examples_of(drawn_schemas(), 60)
    tools = [
        tool(f"drawn_{number}", inputSchema=schema, outputSchema=schema)
        for number, schema in enumerate(drawn)
    ]
    answers = {one["name"]: {"content": []} for one in tools}
    row = await catalog.carry_out(await catalog.offer("coast", tools, answers))
    assert (row["added"], row["rejected"]) == (len(tools), [])

    async with session(catalog) as client:
        for one in tools:
            called = {"name": f"coast__{one['name']}", "arguments": {}}
            reply = await client.call_tool("call_tool", called)
            if reply.is_error:
                # Only what the schema can say is a reason.
                assert reply.meta[ERROR_KEY]["slug"] == "arguments_invalid"
    door = await local_front(catalog.service, "coast")
    async with Client(door.server, mode="legacy") as client:
        listed = (await client.list_tools(cache_mode="bypass")).tools
    assert {one["name"] for one in tools} == {one.name for one in listed}
    schemas = [one.output_schema for one in listed if one.output_schema]
    assert asked_of_node("compile_schemas.mjs", [schemas]) == [[True, True]]


async def test_a_client_that_checks_answers_reads_all_of_them(catalog: Catalog):
    said = {"type": "text", "text": "shipped"}
    answers: dict[str, Any] = {
        "fits": {"content": [], "structuredContent": {"id": 7, "state": "open"}},
        "in_its_text": {"content": [{"type": "text", "text": '{"id": 7, "state": "open"}'}]},
        "contradicts": {"content": [said], "structuredContent": {"id": "seven"}},
        "is_missing": {"content": [said]},
        "fails": {"content": [said], "structuredContent": {"error": "no"}, "isError": True},
        "no_object": "shipped",
    }
    tools = [tool(name, inputSchema=NUMBERED, outputSchema=ORDER) for name in answers]
    await catalog.carry_out(await catalog.offer("coast", tools, answers))

    async with session(catalog) as client:
        # The SDK's client raises an error if an answer does not match the output schema.
        replies = {name: await client.call_tool(f"coast__{name}", {"id": 7}) for name in answers}
        refused = await client.call_tool("coast__fits", {"id": "seven"})
        by_bridge = await client.call_tool(
            "call_tool", {"name": "coast__contradicts", "arguments": {"id": 7}}
        )
    order = {"id": 7, "state": "open"}
    assert replies["fits"].structured_content == replies["in_its_text"].structured_content == order
    assert "seven" in text_of(replies["contradicts"])
    for name in ("contradicts", "is_missing"):
        assert replies[name].is_error
        assert "shipped" in text_of(replies[name])
        assert "The call was made" in text_of(replies[name])
    assert "shipped" in text_of(replies["fails"])
    assert replies["no_object"].meta[ERROR_KEY]["slug"] == "upstream_schema"
    assert (refused.is_error, refused.structured_content) == (True, None)
    assert "/id" in text_of(refused)
    assert (by_bridge.is_error, by_bridge.structured_content) == (False, {"id": "seven"})


async def test_faulty_answers_of_one_tool_leave_the_others_alone(catalog: Catalog):
    good = {"content": [{"type": "text", "text": "fine"}]}
    answers = {"odd": {"content": [{"type": "text", "text": None}, {"type": "beam", "x": 1}]}}
    answers |= {"none": "just text", "null": None, "list": [], "good": good}
    tools = [tool(name, inputSchema=OBJECT) for name in answers]
    await catalog.carry_out(await catalog.offer("coast", tools, answers))

    async with session(catalog) as client:
        for _ in range(8):
            for name in ("none", "null", "list"):
                assert (await client.call_tool(f"coast__{name}", {})).is_error
        assert "beam" in text_of(await client.call_tool("coast__odd", {}))
        assert text_of(await client.call_tool("coast__good", {})) == "fine"
    assert catalog.rows("select count(*) from calls.breaker where state <> 'closed'") == [(0,)]


async def test_arguments_are_repaired_before_anything_else_sees_them(catalog: Catalog):
    schema = {
        "type": "object",
        "properties": {"id": {"type": "integer"}, "note": {"type": "string"}, "b": {"enum": [1]}},
        "required": ["id"],
        "additionalProperties": False,
    }
    good = {"content": [{"type": "text", "text": "fine"}]}
    await catalog.carry_out(
        await catalog.offer("coast", [tool("count", inputSchema=schema)], {"count": good})
    )

    async with session(catalog) as client:
        key: Any = {IDEMPOTENCY_KEY: "one"}
        first = await client.call_tool("coast__count", {"id": "7", "note": None, "b": ""}, meta=key)
        again = await client.call_tool("coast__count", {"id": 7}, meta=key)
        inner = {"id": "7", "x": None}
        bridged = await client.call_tool(
            "call_tool", {"name": "coast__count", "arguments": inner, "receipt": 0}
        )
        for nothing in (None, "", [], "{}"):
            asked = {"name": "coast__count", "arguments": nothing, "receipt": None}
            missing = await client.call_tool("call_tool", asked)
            assert missing.meta[ERROR_KEY]["problems"][0]["message"].count("id")
    assert (first.is_error, bridged.is_error) == (False, False)
    # Both calls had the same arguments, or the key would have been refused.
    assert again.meta[PROVENANCE_KEY]["answeredBy"] == "key"
    assert REPAIRED_KEY not in again.meta
    done = {one["pointer"]: one["done"] for one in first.meta[REPAIRED_KEY]}
    assert done == {"/id": "number", "/note": "left out", "/b": "left out"}
    done = {one["pointer"]: one["done"] for one in bridged.meta[REPAIRED_KEY]}
    assert done == {"/receipt": "left out", "/arguments/id": "number", "/arguments/x": "left out"}
    sizes = catalog.rows("select distinct argument_bytes from calls.call where outcome = 'ok'")
    assert sizes == [(len('{"id":7}'),)]


async def test_a_server_decides_neither_what_is_always_shown_nor_what_is_harmless(
    catalog: Catalog,
):
    meta = {"anthropic/alwaysLoad": False, "own": 1}
    hints = {"readOnlyHint": True, "destructiveHint": True}
    lamp = tool("lamp", inputSchema=OBJECT, _meta=meta, annotations=hints)
    await catalog.carry_out(await catalog.offer("coast", [lamp]))
    service = catalog.service
    pinned = api.put_toolset(name="lamps", pinned={"origins": ["coast"]}, description="")
    await service.database.call(pinned, await service.database.find_principal(LOCAL_PRINCIPAL))

    async with session(catalog) as client:
        [found] = (await client.list_tools(cache_mode="bypass")).tools[-1:]
    # It is shown because a search has found it.
    assert found.meta == {"anthropic/alwaysLoad": True, "own": 1}
    assert found.annotations.read_only_hint is False

    front = McpFront(service, toolset="lamps")
    async with Client(front.server, mode="legacy") as client:
        await client.call_tool("search_tools", {"goal": "lighthouse tool lamp"})
        [found] = (await client.list_tools(cache_mode="bypass")).tools[-1:]
    assert found.meta == meta

    catalog.rows("update catalog.origin set approval = 'all' where name = 'coast' returning 1")
    catalog.write_offer("coast", [lamp | {"_meta": {"own": 2, **meta, "ui": {"a": "ui://b"}}}])
    row = await catalog.carry_out(await catalog.request("coast"))
    assert row["withheld"] == 1
