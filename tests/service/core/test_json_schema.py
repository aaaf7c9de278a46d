"""Schemas are read as clients read them: repaired where that is clear, else unchecked there."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given

from quartermaster.calls.arguments import find_problems
from quartermaster.core.json_schema import (
    NEWEST_METASCHEMA,
    as_input,
    judgements,
    modern,
    referred,
    repaired,
    usable,
)
from quartermaster.doors.mcp.definitions import listed_definition
from tests.support.drawn_schemas import drawn_schemas


def of(**keywords: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": keywords}}


@pytest.mark.parametrize(
    ("published", "read"),
    [
        ({**of(type="string"), "required": None}, of(type="string")),
        ({"type": "object", "properties": None}, {"type": "object"}),
        (of(type="array", items=None), of(type="array")),
        (of(type="string", enum=None, description=None), of(type="string")),
        (of(type="string", default=None, title=None), of(type="string", default=None)),
        (of(type="string", pattern=None, minLength=None, format=None), of(type="string")),
        ({"type": "object", "properties": {"a": None}}, of()),
        (of(type="str"), of(type="string")),
        (of(type="dict"), of(type="object")),
        (of(type="STRING"), of(type="string")),
        (of(type="int|null"), of(type=["integer", "null"])),
        (of(type=["string", None]), of(type=["string", "null"])),
        (of(type="any"), of(**{"x-type": "any"})),
        (of(type="file"), of(**{"x-type": "file"})),
        (of(type=["string", "file"]), of(**{"x-type": ["string", "file"]})),
        ({"type": "object", "properties": {"a": "str"}}, of(type="string")),
        (of(type="string", required=True), {**of(type="string"), "required": ["a"]}),
        (of(type="string", required=False), of(type="string")),
        ({**of(required=True), "required": ["b"]}, {**of(), "required": ["b", "a"]}),
        ({**of(), "required": "a"}, {**of(), "required": ["a"]}),
        ({**of(), "required": ["a", "a", None]}, {**of(), "required": ["a"]}),
        (of(minimum=0, exclusiveMinimum=True), of(exclusiveMinimum=0)),
        (of(maximum=9, exclusiveMaximum=False), of(maximum=9)),
        (of(exclusiveMinimum=True), of()),
        (of(minimum=True, exclusiveMinimum=True), of(minimum=True)),
        (of(minLength="3", maximum="2.5"), of(minLength=3, maximum=2.5)),
        ({**of(), "additionalProperties": "false"}, {**of(), "additionalProperties": False}),
        (of(items=[{"type": "string"}]), of(prefixItems=[{"type": "string"}])),
        (
            of(items=[{"type": "int"}], additionalItems=False),
            of(prefixItems=[{"type": "integer"}], items=False),
        ),
        (of(anyOf=[], oneOf=None), of()),
        (of(description=["two", "lines"]), of(description='["two", "lines"]')),
        ({"$schema": "https://example.com/mine", **of(type="string")}, of(type="string")),
        ({"$schema": 5, **of(type="string")}, of(type="string")),
        (
            {"$schema": "http://json-schema.org/draft-03/schema#", **of(required=True)},
            {**of(), "required": ["a"]},
        ),
        ('{"type": "object"}', {"type": "object"}),
        ("text", {}),
        ([], {}),
        (None, {}),
    ],
)
def test_a_fault_with_a_clear_meaning_is_repaired(published: object, read: dict[str, Any]):
    assert repaired(published) == read
    assert repaired(read) == read


@pytest.mark.parametrize(
    "schema",
    [
        {},
        of(type="string", nullable=True),
        {
            "$schema": "http://json-schema.org/draft-04/schema#",
            **of(minimum=0, exclusiveMinimum=True),
        },
        {"$schema": "http://json-schema.org/draft-07/schema#", **of(items=[{}])},
        {"$schema": "https://json-schema.org/draft-07/schema", **of()},
        of(enum=[]),
        of(const=None, default=None, **{"x-own": None}),
    ],
)
def test_what_follows_its_draft_stays_as_it_is(schema: dict[str, Any]):
    assert repaired(schema) == schema


@pytest.mark.parametrize(
    ("schema", "checked"),
    [
        (of(**{"$ref": "#/$defs/nothing"}), of()),
        (of(**{"$ref": "https://example.com/a.json"}), of()),
        (of(type="string", pattern="("), of(type="string")),
        (of(minimum="low"), of()),
        (of(enum="a", anyOf="b"), of(enum=["a"])),
        ({**of(type="string"), "properties": {"a": 5, "b": {"type": "string"}}},
         {"type": "object", "properties": {"a": {}, "b": {"type": "string"}}}),
        ({"type": "object", "patternProperties": {"(": {}, "^x": {"type": "string"}}},
         {"type": "object", "patternProperties": {"^x": {"type": "string"}}}),
        ({"properties": {"a": {"$ref": "#/$defs/b"}, "c": {"pattern": "("}}, "$defs": {"b": True}},
         {"properties": {"a": {"$ref": "#/$defs/b"}, "c": {}}, "$defs": {"b": True}}),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_left_out_there_only(
    schema: dict[str, Any], checked: dict[str, Any]
):
    assert usable(schema) == checked


def test_arguments_are_an_object_whatever_the_root_says():
    assert as_input({"type": "array"})["type"] == "object"
    assert find_problems({"type": "string"}, {"a": 1}) == []


@given(drawn_schemas())
def test_any_schema_becomes_one_that_can_be_listed_and_checked(schema: dict[str, Any]):
    retained = repaired(schema)
    assert repaired(retained) == retained
    assert NEWEST_METASCHEMA.is_valid(modern(retained))
    find_problems(retained, {"a": 1})
    row = dict.fromkeys(("title", "annotations")) | {
        "name": "t", "description": "", "input_schema": retained, "output_schema": retained,
        "extra": {},
    }  # fmt: skip
    for version in ("2024-11-05", "2025-06-18", "2026-07-28"):
        listed = listed_definition(row, version)
        assert listed is not None
        assert NEWEST_METASCHEMA.is_valid(listed["inputSchema"])


@pytest.mark.parametrize("name", ["0", "01", "+5", "7"])
def test_a_property_whose_name_looks_like_a_number_is_read_by_its_name(name: str):
    schema = {"type": "object", "properties": {name: 5, "b": {"type": "string"}}}
    checked = {"type": "object", "properties": {name: {}, "b": {"type": "string"}}}
    assert usable(schema) == checked
    assert [one.pointer for one in find_problems({"properties": {name: False}}, {name: 1})] == [
        f"/{name}"
    ]


@pytest.mark.parametrize("index", ["9" * 5_000, "00", "\u0663", "\u00b2", "7"])
def test_a_pointer_to_no_place_in_a_list_leads_nowhere(index: str):
    schema: dict[str, Any] = {
        "type": "object",
        "anyOf": [{}] * 4,
        **of(**{"$ref": f"#/anyOf/{index}"}),
    }
    assert referred(f"#/anyOf/{index}", schema) is None
    assert find_problems(schema, {"a": 1}) == []


def test_half_a_character_costs_the_schema_but_raises_nothing():
    half: dict[str, Any] = {"type": "object", "properties": {"\ud800": {}}}
    for schema in (of(type="\ud800"), half):
        assert repaired(schema)["type"] == "object"
        assert usable(schema) == {}


def twice(levels: int, **at_end: Any) -> dict[str, Any]:
    """Returns a schema in which each level names the next one twice."""
    names = {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(levels)}
    ends = {"$ref": "#/$defs/a0"}
    return {"type": "object", **of(**ends), "$defs": names | {f"a{levels}": at_end}}


def test_references_that_judge_a_value_endlessly_are_not_followed():
    assert judgements(twice(60, type="string")) > 2**60
    assert find_problems(twice(60, type="string"), {"a": 1}) == []
    assert find_problems(twice(5, type="string"), {"a": 1}) != []
    named = {
        **twice(60),
        "$defs": {n: {"$anchor": n, **one} for n, one in twice(60)["$defs"].items()},
    }
    assert find_problems(named, {"a": 1}) == []


def test_many_references_to_a_few_schemas_are_followed():
    schema = {
        "properties": {f"p{n}": {"$ref": "#/$defs/text"} for n in range(500)},
        "$defs": {"text": {"type": "string"}},
    }
    assert judgements(schema) < 10
    assert [one.pointer for one in find_problems(schema, {"p7": 1})] == ["/p7"]


def test_a_circle_of_references_is_endless():
    assert judgements({"dependentSchemas": {"a": {"$ref": "#"}}}) == math.inf
    assert judgements({"properties": {"a": {"$ref": "#"}}}) < 10
