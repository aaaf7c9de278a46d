"""The text of a tool, as catalog.tool_cards composes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

Tool = dict[str, Any]

_FIRST_SENTENCE = re.compile(r"\s*(.{20,200}?)(?:[.!?](?:\s|$)|\n|$)", re.DOTALL)


def words(identifier: str) -> str:
    """An identifier taken apart, as search.split_identifiers does."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", identifier.replace("_", " ").replace("-", " "))
    return re.sub(r"([A-Z])([A-Z][a-rt-z]|[A-Z]s[a-z])", r"\1 \2", spaced)


def parameters(schema: object) -> Iterator[str]:
    """Name and description of every property of a JSON Schema, nested ones too."""
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


def tool_text(tool: Tool, *, with_origin: bool, description: str | None = None) -> str:
    """Origin, name, description and parameters; another description where one is given."""
    parts = [
        words(tool["origin"]) if with_origin else "",
        words(tool["name"]) + ":",
        tool.get("description") or "" if description is None else description,
        ". ".join(parameters(tool.get("input_schema"))),
    ]
    return " ".join(part for part in parts if part)


def first_sentence(description: str) -> tuple[str, str] | None:
    """The first sentence, 20 to 200 characters of ASCII, and the rest; None if there is none."""
    found = _FIRST_SENTENCE.match(description)
    if found is None or not found.group(1).isascii():
        return None
    return found.group(1).strip(), description[found.end() :].strip()
