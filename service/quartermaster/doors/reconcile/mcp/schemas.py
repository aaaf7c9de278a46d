"""JSON Schemas that several tools share; what a client may rely on, under one version."""

from __future__ import annotations

from typing import Final

from quartermaster.doors.wire.tool_schemas import Schema, member, shape

SCHEMA_VERSION: Final = "0.1"
"""Of every tool's output: a new member raises the second number, a changed one the first."""

MOST_RESPONSE: Final = 50
LONGEST_QUERY: Final = 1_000

SCORE: Final[Schema] = {"type": "number", "minimum": 0, "maximum": 1}
SCORE_OR_NULL: Final[Schema] = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
TEXT: Final[Schema] = {"type": "string"}
TEXT_OR_NULL: Final[Schema] = {"type": ["string", "null"]}
STRINGS: Final[Schema] = {"type": "array", "items": TEXT}
COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
TABLE: Final = member(
    "string",
    "Name of the lookup table; the resource lookup_tables lists them.",
    minLength=1,
    maxLength=100,
)
ROW_ID: Final = member("string", "Id of the row in that table.", minLength=1, maxLength=500)
QUERY: Final = member(
    "string",
    "The string as it was found: misspelt, abbreviated, with an author; or an id.",
    minLength=1,
    maxLength=LONGEST_QUERY,
)


def gives(properties: Schema, required: list[str]) -> Schema:
    """Schema of a tool's answer: these members, its version, and how long it took."""
    members = {"schema_version": TEXT, **properties, "elapsed_ms": COUNT}
    return shape(members, ["schema_version", *required, "elapsed_ms"])


def rows(items: Schema, maximum: int = MOST_RESPONSE) -> Schema:
    """Schema of a list in an answer."""
    return {"type": "array", "items": items, "maxItems": maximum}


def count(default: int, maximum: int, description: str) -> Schema:
    """Schema of a number of things, from 1 on."""
    return member("integer", description, minimum=1, maximum=maximum, default=default)
