from __future__ import annotations

import socket
from typing import Any

import pytest

from quartermaster.calls.arguments import find_problems
from quartermaster.core.json_schema import as_input

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "list": {"type": "array", "items": {"type": "integer"}},
        "a/b~c": {"minimum": 3},
    },
    "required": ["list"],
    "additionalProperties": False,
}


def test_arguments_that_fit_have_no_problems():
    assert find_problems(SCHEMA, {"list": [1, 2]}) == []


@pytest.mark.parametrize(
    ("arguments", "pointer", "message"),
    [
        ({"list": [1, "x"]}, "/list/1", "integer"),
        ({"list": [], "a/b~c": 1}, "/a~1b~0c", "minimum"),
        ({}, "", "list"),
        ({"list": [], "other": 1}, "", "other"),
    ],
)
def test_a_problem_says_where_and_what(arguments: dict[str, Any], pointer: str, message: str):
    (problem,) = find_problems(SCHEMA, arguments)
    assert problem.pointer == pointer
    assert message in problem.message


def test_problems_and_their_messages_are_cut_to_a_readable_size():
    problems = find_problems(SCHEMA, {"list": ["x" * 5000] * 100})
    assert len(problems) == 10
    assert all(len(problem.message) <= 300 for problem in problems)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "strin"},
        {"type": 5},
        {"properties": {"a": {"$ref": "#/nowhere"}}},
        {"$schema": "https://example.org/my-own-dialect"},
        {"type": "object", "patternProperties": {"(": {}}},
        {"allOf": "x"},
        {"$ref": "file:///etc/hostname"},
    ],
)
def test_what_is_no_json_schema_judges_nothing(schema: dict[str, Any]):
    assert find_problems(schema, {"a": 1}) == []


def test_references_to_other_documents_are_never_fetched():
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/schema"
        assert find_problems({"properties": {"a": {"$ref": url}}}, {"a": 1}) == []
        with pytest.raises(TimeoutError):
            server.accept()


def test_half_of_a_surrogate_pair_is_a_problem_and_no_crash():
    schema = {"properties": {"a": {"type": "string"}}}
    (problem,) = find_problems(schema, {"a": "\ud800"})
    assert "Unicode" in problem.message


def test_a_schema_that_is_known_is_read_once():
    read: list[object] = []

    def reading(schema: object) -> dict[str, Any]:
        read.append(schema)
        return as_input(schema)

    schemas = [{"required": ["a"]}, {"required": ["b"]}]
    for _ in range(2):
        for schema, known_as in zip(schemas, ("of a", "of b"), strict=True):
            problems = find_problems(schema, {"a": 1}, known_as=known_as, read=reading)
            assert len(problems) == (known_as == "of b")
    assert read == schemas
