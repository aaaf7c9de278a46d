"""JSON Schemas of tools, written down briefly. Clients cache them: bytes never vary."""

from __future__ import annotations

from typing import Any, Final

import mcp_types as types

Schema = dict[str, Any]

READS: Final = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def member(kind: str, description: str, **rules: object) -> Schema:
    """Schema of one member of an object.

    Args:
        kind: its type.
        description: for the model.
        rules: further keywords.
    """
    return {"type": kind, **rules, "description": description}


def flag(description: str, *, default: bool = False) -> Schema:
    """Schema of a choice."""
    return member("boolean", description, default=default)


def shape(properties: Schema, required: list[str]) -> Schema:
    """Schema of an object, which may have other members, too."""
    return {"type": "object", "properties": properties, "required": required}


def takes(properties: Schema, required: list[str]) -> Schema:
    """Schema of a tool's arguments: these members and no other."""
    return {**shape(properties, required), "additionalProperties": False}
