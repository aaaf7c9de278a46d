"""JSON Schemas that several tools share; what a client may rely on, under one version."""

from __future__ import annotations

from typing import Any, Final

SCHEMA_VERSION: Final = "0.1"
"""Of every tool's output: a new member raises the second number, a changed one the first."""

MOST_RESPONSE: Final = 50
LONGEST_QUERY: Final = 1_000

Schema = dict[str, Any]

SCORE: Final[Schema] = {"type": "number", "minimum": 0, "maximum": 1}
SCORE_OR_NULL: Final[Schema] = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
TEXT_OR_NULL: Final[Schema] = {"type": ["string", "null"]}
TABLE: Final[Schema] = {
    "type": "string",
    "minLength": 1,
    "maxLength": 100,
    "description": "Name of the lookup table; the resource lookup_tables lists them.",
}
ROW_ID: Final[Schema] = {
    "type": "string",
    "minLength": 1,
    "maxLength": 500,
    "description": "Id of the row in that table.",
}
QUERY: Final[Schema] = {
    "type": "string",
    "minLength": 1,
    "maxLength": LONGEST_QUERY,
    "description": "The string as it was found: misspelt, abbreviated, with an author; or an id.",
}
STRINGS: Final[Schema] = {"type": "array", "items": {"type": "string"}}


def takes(properties: Schema, required: list[str]) -> Schema:
    """Schema of a tool's arguments: these members and no other."""
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def gives(properties: Schema, required: list[str]) -> Schema:
    """Schema of a tool's answer: these members, its version, and how long it took."""
    return {
        "type": "object",
        "properties": {
            "schema_version": {"type": "string"},
            **properties,
            "elapsed_ms": {"type": "integer", "minimum": 0},
        },
        "required": ["schema_version", *required, "elapsed_ms"],
    }


def count(default: int, maximum: int, description: str) -> Schema:
    """Schema of a number of things, from 1 on."""
    return {
        "type": "integer",
        "minimum": 1,
        "maximum": maximum,
        "default": default,
        "description": description,
    }


def flag(description: str, *, default: bool = False) -> Schema:
    """Schema of a choice."""
    return {"type": "boolean", "default": default, "description": description}
