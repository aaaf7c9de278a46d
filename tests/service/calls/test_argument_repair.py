"""Arguments that a schema refuses are repaired where the meaning is clear, and nothing else."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quartermaster.calls.argument_repair import repaired_arguments
from quartermaster.calls.arguments import find_problems
from tests.support.drawn_schemas import drawn_schemas

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "goal": {"type": "string"},
        "note": {"type": ["string", "null"]},
        "mode": {"enum": ["fast", "slow"]},
        "limit": {"type": "integer", "minimum": 1},
        "share": {"type": "number"},
        "full": {"type": "boolean"},
        "names": {"type": "array", "items": {"type": "integer"}},
        "filter": {
            "anyOf": [
                {
                    "type": "object",
                    "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
                },
                {"type": "integer"},
            ]
        },
        "text": {"type": "string", "minLength": 1},
        "loose": {"minLength": 3},
        "either": {"anyOf": [{"type": "string", "pattern": "^x"}, {"type": "integer"}]},
        "inner": {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]},
    },
    "required": ["goal"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"limit": None, "mode": "", "names": None, "full": ""}, {}),
        ({"unknown": None, "other": ""}, {}),
        ({"text": ""}, {}),
        (
            {"limit": "5", "share": "0.25", "full": "true"},
            {"limit": 5, "share": 0.25, "full": True},
        ),
        ({"limit": "5.0", "share": "-2e3"}, {"limit": 5.0, "share": -2000.0}),
        ({"names": "[1, 2]"}, {"names": [1, 2]}),
        ({"names": '["1", 2]'}, {"names": [1, 2]}),
        ({"names": ["1", 2]}, {"names": [1, 2]}),
        ({"inner": '{"n": "3"}'}, {"inner": {"n": 3}}),
        ({"filter": {"a": None, "b": None}}, {"filter": {}}),
        ({"filter": {"a": "x", "b": None}}, {"filter": {"a": "x"}}),
        ({"filter": "7"}, {"filter": 7}),
        ({"filter": '{"a": "x"}'}, {"filter": {"a": "x"}}),
    ],
)
def test_what_is_clear_is_repaired(given: dict[str, Any], wanted: dict[str, Any]):
    found, repairs = repaired_arguments(SCHEMA, {"goal": "g", **given})

    assert found == {"goal": "g", **wanted}
    assert [type(value) for value in found.values()] == [str, *map(type, wanted.values())]
    assert not find_problems(SCHEMA, found)
    assert {one["pointer"].split("/")[1] for one in repairs} == set(given)


@pytest.mark.parametrize(
    "given",
    [
        {"goal": None},
        {"limit": "05"},
        {"share": "1e400"},
        {"limit": " 5"},
        {"limit": "12345678901234567890"},
        {"share": "0.1234567890123456789"},
        {"share": "NaN"},
        {"limit": "five"},
        {"limit": 0},
        {"full": "yes"},
        {"full": "1"},
        {"names": "1, 2"},
        {"names": '{"a": 1}'},
        {"names": [None]},
        {"inner": '{"n": 1, "n": 2}'},
        {"inner": '{"n": 1e999}'},
        {"inner": "{'n': 1}"},
        {"inner": {"n": None}},
        {"mode": "quick"},
        {"unknown": "value"},
        {"loose": "5"},
        {"either": "5"},
        {"limit": "\ud800"},
    ],
)
def test_what_is_not_clear_stays_as_it_is(given: dict[str, Any]):
    arguments = {"goal": "g", **given}
    assert repaired_arguments(SCHEMA, arguments) == (arguments, [])


def test_what_the_schema_accepts_stays_beside_what_is_repaired():
    given = {"goal": "", "note": None, "loose": "abc", "limit": "5"}
    found, repairs = repaired_arguments(SCHEMA, given)

    assert found == {"goal": "", "note": None, "loose": "abc", "limit": 5}
    assert repairs == [{"pointer": "/limit", "done": "number"}]


def test_a_repair_says_nothing_about_the_value():
    _, repairs = repaired_arguments(SCHEMA, {"goal": "g", "inner": '{"n": 1}', "mode": None})
    assert sorted(repairs, key=str) == [
        {"pointer": "/inner", "done": "object"},
        {"pointer": "/mode", "done": "left out"},
    ]


def test_other_problems_stay_problems():
    found, _ = repaired_arguments(SCHEMA, {"goal": 5, "limit": None})
    assert found == {"goal": 5}
    assert [problem.pointer for problem in find_problems(SCHEMA, found)] == ["/goal"]


def test_the_caller_can_name_other_empty_values():
    given = {"goal": "g", "limit": 0, "names": [1], "full": False, "share": 0, "mode": []}
    found, _ = repaired_arguments(SCHEMA, given, empty=(None, "", 0, []))
    assert found == {"goal": "g", "names": [1], "full": False, "share": 0}


_VALUES = st.recursive(
    st.sampled_from([None, "", "5", "05", "true", '{"a": "5"}', "[1]", 0, 5, True, "a"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2), st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    ),
    max_leaves=4,
)


@given(drawn_schemas(), st.dictionaries(st.sampled_from("ab"), _VALUES, max_size=2))
def test_no_schema_and_no_arguments_are_too_odd(schema: dict[str, Any], given: dict[str, Any]):
    before = deepcopy(given)
    found, repairs = repaired_arguments(schema, given)

    assert given == before
    assert bool(repairs) == (found != given)
    if not find_problems(schema, given):
        assert found == given


@pytest.mark.parametrize("name", ["0", "01", "2024", "+5"])
def test_an_argument_whose_name_looks_like_a_number_is_repaired_under_its_name(name: str):
    schema = {"type": "object", "properties": {name: {"type": "integer"}}}
    assert repaired_arguments(schema, {name: "5"}) == (
        {name: 5},
        [{"pointer": f"/{name}", "done": "number"}],
    )


def test_more_faults_than_can_be_repaired_in_a_moment_stay():
    rows = {"type": "array", "items": {"properties": {"a": {"type": "integer"}}}}
    schema = {"type": "object", "properties": {"rows": rows}}
    many = {"rows": [{"a": None}] * 5_000}
    assert repaired_arguments(schema, many) == (many, [])
    few = {"rows": [{"a": None}] * 90}
    assert repaired_arguments(schema, few)[0] == {"rows": [{}] * 90}


def test_large_arguments_are_not_copied_for_repairs():
    schema = {"type": "object", "properties": {"n": {"type": "integer"}, "text": {}}}
    large = {"n": "5", "text": "x" * 300_000}
    assert repaired_arguments(schema, large) == (large, [])


def test_a_repair_that_fails_leaves_the_others() -> None:
    schema = {
        "type": "object",
        "properties": {"limit": {"type": "integer"}, "text": {"type": "string", "minLength": 1}},
        "required": ["text"],
    }
    arguments, changes = repaired_arguments(schema, {"limit": "5", "text": ""})
    assert arguments == {"limit": 5, "text": ""}
    assert [change["pointer"] for change in changes] == ["/limit"]
