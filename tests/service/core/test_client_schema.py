"""What we say about an output schema agrees with the validators of the TypeScript SDK."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quartermaster.core.client_schema import compiles_everywhere
from quartermaster.core.ecma_pattern import is_ecma_pattern
from tests.support.drawn_schemas import PATTERNS, drawn_schemas, examples_of
from tests.support.node_tools import asked_of_node


def of(**keywords: Any) -> dict[str, Any]:
    """Returns a schema of an object with one property."""
    return {"type": "object", "properties": {"a": keywords}}


def with_pattern(pattern: str) -> dict[str, Any]:
    return of(type="string", pattern=pattern)


COMPILE: dict[str, dict[str, Any]] = {
    "plain": of(type="string"),
    "unknown keyword": of(type="string", xKind=[1], example="b"),
    "unknown format": of(type="integer", format="uint64"),
    "definitions": {**of(**{"$ref": "#/definitions/b"}), "definitions": {"b": {"type": "null"}}},
    "recursive": {
        **of(**{"$ref": "#/$defs/node"}),
        "$defs": {"node": of(type="array", items={"$ref": "#/$defs/node"})},
    },
    "root recursive": of(type="array", items={"$ref": "#"}),
    "draft 7": {"$schema": "http://json-schema.org/draft-07/schema#", **of(type="string")},
    "newest": {"$schema": "https://json-schema.org/draft/2020-12/schema", **of(type="string")},
    "nullable": of(type="string", nullable=True),
    "types": of(type=["string", "null"]),
    "booleans": {"type": "object", "properties": {"a": True, "b": False}},
    "pattern": with_pattern(r"^(?:[A-Z][\w.-]+){1,3}\u{1F600}?\/(?<year>\d{4})(?!x)$"),
    "identifiers in values": of(default={"$id": "a b"}, enum=[{"$anchor": "a b"}]),
    "names by pattern": {"type": "object", "patternProperties": {"^x-": {"type": "string"}}},
}
DO_NOT: dict[str, dict[str, Any]] = {
    "dangling reference": of(**{"$ref": "#/$defs/nothing"}),
    "other document": of(**{"$ref": "https://example.com/schema.json"}),
    "exclusiveMinimum of draft 4": of(type="number", minimum=0, exclusiveMinimum=True),
    "nullable without type": of(nullable=True),
    "empty enum": of(enum=[]),
    "null required": {"type": "object", "required": None},
    "null properties": {"type": "object", "properties": None},
    "null items": of(type="array", items=None),
    "null enum": of(enum=None),
    "unknown type": of(type="any"),
    "type of Python": of(type="dict"),
    "required in a property": of(type="string", required=True),
    "identifier of draft 4": {"id": "http://example.com/a", "type": "object"},
    "unknown dialect": {"$schema": "https://example.com/mine", "type": "object"},
    "draft 4": {"$schema": "http://json-schema.org/draft-04/schema#", "type": "object"},
    "tuple": of(type="array", items=[{"type": "string"}]),
    "possessive": with_pattern("^[a-z]++$"),
    "named group of Python": with_pattern("(?P<a>b)"),
    "flag": with_pattern("(?i)a"),
    "anchor of Python": with_pattern(r"\Aa\Z"),
    "escaped hyphen": with_pattern(r"^a\-b$"),
    "class of POSIX": with_pattern(r"\h+"),
    "open brace": with_pattern("a{"),
    "closing bracket": with_pattern("a]"),
    "class as end of a range": with_pattern(r"[\w-z]"),
    "twice the same group": with_pattern("(?<a>b)(?<a>c)"),
    "index with a zero before it": {**of(**{"$ref": "#/allOf/00"}), "allOf": [{}]},
    "anchor below an unknown keyword": of(xKind={"$anchor": "a b"}),
    "identifiers below unknown keywords": {
        "type": "object",
        "xKind": {"$id": "same", "a": {"$id": "same"}},
        "yKind": {"$id": "same"},
    },
    "names by a wrong pattern": {"type": "object", "patternProperties": {"(": {}}},
}
# Some client compiles these; but not all do, or they would not agree about a value.
CAREFUL: dict[str, dict[str, Any]] = {
    "endless": {**of(**{"$ref": "#/$defs/b"}), "$defs": {"b": {"anyOf": [{"$ref": "#/$defs/b"}]}}},
    "tuple of the newest draft": of(type="array", prefixItems=[{}], items=False),
    "endless for objects with a": {"type": "object", "dependentSchemas": {"a": {"$ref": "#"}}},
    "dialect that is no text": {"$schema": ["a"], "type": "object"},
    "half a character": of(title="\ud800"),
    "many copies of a large schema": {
        "type": "object",
        "properties": {f"p{n}": {"$ref": "#/$defs/a"} for n in range(200)},
        "$defs": {"a": {"anyOf": [{"type": "string"}] * 50}},
    },
    "empty anyOf": of(anyOf=[]),
    "identifier": {"$id": "https://example.com/a", "type": "object"},
    "back reference": with_pattern(r"(a)\1"),
    "encoded pointer": {**of(**{"$ref": "#/$defs/a%20b"}), "$defs": {"a b": {}}},
}


def compiled(lists: Sequence[Sequence[dict[str, Any]]]) -> list[list[bool]]:
    """Returns whether the SDK's versions 1.x and 2.x compile all schemas of each list."""
    verdicts = asked_of_node("compile_schemas.mjs", lists)
    return [[verdict is True for verdict in both] for both in verdicts]


def test_the_table_is_right_here_and_in_both_versions_of_the_sdk():
    found = compiled([[one] for one in (COMPILE | DO_NOT).values()])
    theirs = dict(zip(COMPILE | DO_NOT, found, strict=True))

    assert {name: theirs[name] for name in COMPILE} == {name: [True, True] for name in COMPILE}
    assert [name for name in DO_NOT if all(theirs[name])] == []
    ours = {name: compiles_everywhere(one) for name, one in (COMPILE | DO_NOT | CAREFUL).items()}
    assert ours == dict.fromkeys(COMPILE, True) | dict.fromkeys(DO_NOT | CAREFUL, False)


def test_a_list_of_any_schemas_that_we_accept_fails_in_no_client():
    drawn = examples_of(drawn_schemas(), 400)
    accepted = [schema for schema in drawn if compiles_everywhere(schema)]

    assert len(accepted) > len(drawn) / 20, "too few are accepted to show anything"
    # All stand in one list; if it fails, each of them says whether it is to blame.
    [together, *alone] = compiled([accepted, *([one] for one in accepted)])
    wrong = [one for one, verdict in zip(accepted, alone, strict=True) if not all(verdict)]
    assert (together, wrong) == ([True, True], [])


def test_a_pattern_that_we_accept_is_one_in_javascript():
    drawn = [*PATTERNS, *examples_of(st.lists(st.sampled_from(PATTERNS)).map("".join), 1_000)]
    accepted = [one for one in dict.fromkeys(drawn) if is_ecma_pattern(one)]
    verdicts = compiled([[with_pattern(one)] for one in accepted])

    assert len(accepted) > 100
    assert [one for one, verdict in zip(accepted, verdicts, strict=True) if not all(verdict)] == []


@given(st.text())
def test_any_text_is_judged_without_an_error(text: str):
    assert is_ecma_pattern(text) in {True, False}


@pytest.mark.parametrize("pattern", ["(" * 10_000, "[" * 100, "\\", "x{9,1}", "[b-a]"])
def test_a_hostile_pattern_is_no_pattern(pattern: str):
    assert not is_ecma_pattern(pattern)
