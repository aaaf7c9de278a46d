"""Short definitions keep what a call needs, whatever the published one is like."""

from __future__ import annotations

from typing import Any

import pytest

from quartermaster.calls.replies import compact_json
from quartermaster.core.json_schema import is_valid
from quartermaster.doors.mcp.short_definitions import MOST_BYTES, cut, shortened

TOOL: dict[str, Any] = {"name": "maker__make", "inputSchema": {"type": "object"}}


def with_arguments(number: int, **members: Any) -> dict[str, Any]:
    properties = {f"argument_{n}": {"type": "string", **members} for n in range(number)}
    schema = {"type": "object", "properties": properties, "required": ["argument_0"]}
    return {**TOOL, "description": "Makes it.", "inputSchema": schema}


def test_what_is_short_stays_as_it_is():
    tool = with_arguments(3, description="What to make.") | {"icons": [{"src": "data:x"}]}
    assert shortened(tool) == tool


@pytest.mark.parametrize(
    ("description", "title", "expected"),
    [
        ("", "", "maker make"),
        ("", "Make something", "Make something"),
        ("# make\n\nMakes it.", "", "Makes it."),
        ("**Maker: make**\nMakes it.", "", "Makes it."),
        ("- Makes it.", "", "Makes it."),
    ],
)
def test_a_description_begins_with_the_purpose(description: str, title: str, expected: str):
    tool = TOOL | {"description": description} | ({"title": title} if title else {})
    assert shortened(tool)["description"] == expected


def test_texts_go_before_types_and_values():
    tool = with_arguments(20, description="Words. " * 50, enum=["a", "b"])
    tool |= {
        "icons": [{"src": "x" * 3000}],
        "outputSchema": {"type": "object", "title": "y" * 3000},
    }
    short = shortened(tool)
    assert short["inputSchema"] == with_arguments(20, enum=["a", "b"])["inputSchema"]
    assert short["description"] == "Makes it."
    assert "icons" not in short


def test_an_argument_that_is_called_like_a_text_stays():
    schema = {
        "type": "object",
        "properties": {
            "description": {"type": "string", "description": "x" * 3000},
            "title": {"$ref": "#/$defs/title"},
        },
        "$defs": {"title": {"type": "string", "title": "y" * 3000}},
    }
    short = shortened(TOOL | {"description": "Makes it.", "inputSchema": schema})
    assert short["inputSchema"]["properties"]["title"] == {"$ref": "#/$defs/title"}
    assert short["inputSchema"]["$defs"] == {"title": {"type": "string"}}
    assert short["inputSchema"]["properties"]["description"]["type"] == "string"


@pytest.mark.parametrize("number", [60, 90, 1000])
def test_every_definition_gets_short(number: int):
    tool = with_arguments(number, description="Words. " * 50, enum=["a" * 50])
    tool |= {"annotations": {"title": "z" * 500, "destructiveHint": True}}
    tool |= {"_meta": {"more": "y" * 5000}, "description": "Words without end " * 500}
    short = shortened(tool)
    assert len(compact_json(short).encode()) <= MOST_BYTES
    assert is_valid(short["inputSchema"])
    assert short["inputSchema"]["type"] == "object"
    assert short["annotations"]["destructiveHint"]
    assert short["inputSchema"]["required"] == ["argument_0"]
    assert len(short["inputSchema"]["properties"]) == (number if number < 1000 else 1)


def test_members_that_no_call_needs_go_before_parts_of_the_schema():
    tool = with_arguments(3, items={"type": "string", "pattern": "a"})
    tool |= {"annotations": {"readOnlyHint": True, "of_somebody": "z" * 3000}}
    short = shortened(tool | {"_meta": {"more": "y" * 3000}})
    assert short == tool | {"annotations": {"readOnlyHint": True}}


def test_only_the_longest_values_go():
    zones = [f"Europe/Town{number}" for number in range(200)]
    properties = {"zone": {"enum": zones}, "form": {"enum": ["short", "long"]}}
    schema = {"type": "object", "properties": properties}
    short = shortened(TOOL | {"description": "Tells the time.", "inputSchema": schema})
    assert short["inputSchema"]["properties"] == properties | {"zone": {}}


def test_an_array_says_what_its_items_are():
    array = {"type": "array", "items": {"type": "string", "pattern": "a" * 60}}
    tool = with_arguments(20, **array)
    tool["inputSchema"]["properties"]["any"] = {"type": "array", "items": True}
    properties = shortened(tool)["inputSchema"]["properties"]
    assert properties["argument_1"] == {"type": "array", "items": {"type": "string"}}
    assert properties["any"] == {"type": "array", "items": {}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Short.", "Short."),
        ("One sentence. And another one that is long.", "One sentence."),
        ("No sentence ends in these many words", "No sentence ends…"),
        ("x" * 50, "x" * 19 + "…"),
    ],
)
def test_a_text_ends_after_a_sentence_if_it_can(text: str, expected: str):
    assert cut(text, 20) == expected
