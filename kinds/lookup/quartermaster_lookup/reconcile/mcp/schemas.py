"""JSON Schemas that several tools share. Together, they are a versioned contract with clients."""

from __future__ import annotations

from typing import Final

from quartermaster.doors.wire.tool_schemas import Schema, member, shape

SCHEMA_VERSION: Final = "0.1"
"""Version of every output: a new member increases the second number, a changed member the first."""

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
    "Name of the lookup table; the resource lookup_tables lists all tables.",
    minLength=1,
    maxLength=100,
)
ROW_ID: Final = member("string", "Id of the row in that table.", minLength=1, maxLength=500)
QUERY: Final = member(
    "string",
    "The string as it was found, even if misspelt, abbreviated or with an author; or an id.",
    minLength=1,
    maxLength=LONGEST_QUERY,
)


def gives(properties: Schema, required: list[str]) -> Schema:
    """Returns the schema of a tool's answer: the given members, the version of the schema, and the
    elapsed time.
    """
    members = {"schema_version": TEXT, **properties, "elapsed_ms": COUNT}
    return shape(members, ["schema_version", *required, "elapsed_ms"])


def rows(items: Schema, maximum: int = MOST_RESPONSE) -> Schema:
    """Returns the schema of a list in an answer."""
    return {"type": "array", "items": items, "maxItems": maximum}


def count(default: int, maximum: int, description: str) -> Schema:
    """Returns the schema of an argument that is a count of at least 1."""
    return member("integer", description, minimum=1, maximum=maximum, default=default)
