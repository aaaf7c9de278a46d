"""Builds JSON Schemas for tools from short definitions. Clients cache the schemas, so their bytes
never vary.
"""

from __future__ import annotations

from typing import Any, Final

import mcp_types as types

Schema = dict[str, Any]

READ_ANNOTATIONS: Final = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def member(kind: str, description: str, **rules: object) -> Schema:
    """Returns the schema for one member of an object.

    Args:
        kind: type of the member.
        description: description for the model.
        rules: further schema keywords.
    """
    return {"type": kind, **rules, "description": description}


def flag(description: str, *, default: bool = False) -> Schema:
    """Returns the schema for a boolean argument."""
    return member("boolean", description, default=default)


def shape(properties: Schema, required: list[str]) -> Schema:
    """Returns the schema for an object with these members. The object may have further members."""
    return {"type": "object", "properties": properties, "required": required}


def takes(properties: Schema, required: list[str]) -> Schema:
    """Returns the schema for a tool's arguments. Only these members are allowed."""
    return {**shape(properties, required), "additionalProperties": False}
