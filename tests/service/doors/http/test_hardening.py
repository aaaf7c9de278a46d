"""What of arguments is refused, what of them is in no log, and how much of a schema is shown."""

from __future__ import annotations

from typing import Any

import pytest
from mcp import Client

from quartermaster import api
from quartermaster.calls.arguments import ArgumentProblem, excess, find_problems
from quartermaster.calls.secret_arguments import Marked
from quartermaster.doors.mcp.mcp_server import McpFront
from quartermaster.service import Service
from tests.support.offers import leaf_tool, offer_leaf
from tests.support.reading import error_of

SECRET = "hunter2-and-more"


def nested(depth: int) -> dict[str, Any]:
    value: Any = {}
    for _ in range(depth - 1):
        value = {"a": value}
    return value


def test_size_and_depth_are_bounded():
    assert excess({"a": [1]}, 100, 100, 2) is None
    assert excess(nested(5), 10, 100, 5) is None
    too_deep = excess(nested(6), 10, 100, 5)
    assert too_deep is not None
    assert "5 levels" in too_deep.message
    too_large = excess({}, 101, 100, 5)
    assert too_large is not None
    assert "101 bytes" in too_large.message


def test_what_may_be_chosen_is_named():
    options = [f"option {number}" for number in range(12)]
    schema = {"properties": {"a": {"enum": options}}}
    (problem,) = find_problems(schema, {"a": "other"})
    assert all(f'"{option}"' in problem.message for option in options)
    schema = {"properties": {"a": {"enum": ["x" * 100] * 100}}}
    (problem,) = find_problems(schema, {"a": "other"})
    assert len(problem.message) <= 1000


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"writeOnly": True}}},
        {"properties": {"a": {"format": "password"}}},
        {"properties": {"a": {"x-sensitive": True}}},
        {"properties": {"a": {"$ref": "#/$defs/secret"}}, "$defs": {"secret": {"writeOnly": True}}},
        {"anyOf": [{"type": "null"}, {"properties": {"a": {"allOf": [{"writeOnly": True}]}}}]},
        {"additionalProperties": {"writeOnly": True}},
    ],
)
def test_a_schema_marks_what_is_not_to_be_shown(schema: dict[str, Any]):
    marked = Marked.of(schema, {"a": SECRET}, frozenset())
    assert marked.pointers == ("/a",)
    assert marked.hide(f"cannot log in with {SECRET}") == "cannot log in with [masked]"


def test_an_operator_marks_by_name_at_any_depth():
    marked = Marked.of({}, {"list": [{"pin": {"code": 12345}}], "other": "seen"}, {"pin"})
    assert marked.pointers == ("/list/0/pin",)
    assert marked.hide("12345 is not what was seen") == "[masked] is not what was seen"


def test_a_schema_that_refers_to_itself_ends():
    schema: dict[str, Any] = {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}
    schema["properties"] = {"a": {"$ref": "#"}, "key": {"writeOnly": True}}
    arguments = {"a": nested(30), "key": SECRET}
    assert Marked.of(schema, arguments, frozenset()).texts == (SECRET,)


def test_not_even_a_short_value_is_in_a_problem():
    marked = Marked.of({"properties": {"a": {"writeOnly": True}}}, {"a": "abc"}, frozenset())
    hidden = marked.hide_in(
        ArgumentProblem("/a", '"abc" is shorter than 8 characters', "minLength")
    )
    assert "abc" not in hidden.message
    assert "minLength" in hidden.message


@pytest.mark.anyio
async def test_a_marked_value_is_in_no_log_and_no_row(
    front: McpFront, service: Service, execute: Any, capsys: pytest.CaptureFixture[str]
):
    await offer_leaf(service, "vault")
    password = {"type": "string", "writeOnly": True, "maxLength": 5}
    schema = {"type": "object", "properties": {"password": password}}
    tools = [{**leaf_tool(name, schema), "origin": "vault"} for name in ("refuse", "hang")]
    await service.database.call(api.import_items(kind="tool", items=tools), service.worker)
    async with Client(front.server) as client:
        asked = {"name": "vault__refuse", "arguments": {"password": SECRET}}
        refused = await client.call_tool("call_tool", asked)
    assert error_of(refused)["slug"] == "arguments_invalid"
    assert SECRET not in refused.model_dump_json()
    assert execute("select failure from calls.call") == [
        ("/password: does not satisfy 'maxLength' of the schema (value [masked])",)
    ]
    assert SECRET not in "".join(capsys.readouterr())


@pytest.mark.anyio
async def test_a_long_schema_is_not_attached_to_errors(front: McpFront, service: Service):
    await offer_leaf(service, "wordy")
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "description": "x" * 30_000}},
    }
    tool = {**leaf_tool("echo", schema), "origin": "wordy"}
    await service.database.call(api.import_items(kind="tool", items=[tool]), service.worker)
    async with Client(front.server) as client:
        asked = {"name": "wordy__echo", "arguments": {"a": 1}}
        refused = await client.call_tool("call_tool", asked)
    assert len(refused.model_dump_json()) < 2_000
    assert "describe_tool" in refused.model_dump_json()
