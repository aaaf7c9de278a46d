"""Composes the text of a tool in the same way as catalog.tool_cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

Tool = dict[str, Any]


def words(identifier: str) -> str:
    """Split an identifier into words, as search.split_identifiers does."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", identifier.replace("_", " ").replace("-", " "))
    return re.sub(r"([A-Z])([A-Z][a-rt-z]|[A-Z]s[a-z])", r"\1 \2", spaced)


def parameters(schema: object) -> Iterator[str]:
    """Return name and description of every property in a JSON Schema, including nested ones."""
    if isinstance(schema, dict):
        properties = schema.get("properties")
        if isinstance(properties, dict):
            for name, about in properties.items():
                described = about.get("description") if isinstance(about, dict) else None
                yield f"{name} {described}" if described else name
        for value in schema.values():
            yield from parameters(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from parameters(value)


def tool_text(tool: Tool) -> str:
    """Return origin, name, description and parameters of a tool as one text."""
    parts = [
        words(tool["origin"]),
        words(tool["name"]) + ":",
        tool.get("description") or "",
        ". ".join(parameters(tool.get("input_schema"))),
    ]
    return " ".join(part for part in parts if part)
