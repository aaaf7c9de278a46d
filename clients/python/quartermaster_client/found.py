"""What the APIs of the vendors have in common: the tools of a conversation, and their results."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypedDict, cast

from quartermaster_client.wire import Json, SearchAnswer, ToolReply

SEARCH_TOOLS: Final = "search_tools"
SEARCH_DESCRIPTION: Final = (
    "Find tools for a task. Many tools can be found only through this search, so search for each "
    "new task, and before you say that something cannot be done. The tools that it finds can be "
    "called from then on."
)
SEARCH_SCHEMA: Final[Json] = {
    "type": "object",
    "properties": {
        "goal": {
            "type": "string",
            "description": "What you want to do, in plain English even if the user speaks another "
            "language: 'what time is it in Tokyo'. Search for one task at a time.",
        }
    },
    "required": ["goal"],
    "additionalProperties": False,
}
READ_RESULT: Final = "read_result"
READ_DESCRIPTION: Final = (
    "Read the next page of a long result. The end of a page says how to go on."
)
READ_SCHEMA: Final[Json] = {
    "type": "object",
    "properties": {"handle": {"type": "string"}, "start": {"type": "integer"}},
    "required": ["handle", "start"],
    "additionalProperties": False,
}
NOTHING_FOUND: Final = "No tool fits. Use other words, or name the thing to act on."

# Both APIs refuse a whole request if the root of one schema has one of these.
_BRANCHES: Final = ("allOf", "anyOf", "oneOf")
_REFUSED_AT_ROOT: Final = {*_BRANCHES, "enum", "not"}
_IMAGES: Final = {"image/gif", "image/jpeg", "image/png", "image/webp"}


class FoundTool(TypedDict):
    """A tool that a search has found."""

    name: str
    description: str
    schema: Json
    receipt: int | None


@dataclass(frozen=True)
class Text:
    """Text in the result of a call."""

    text: str


@dataclass(frozen=True)
class Image:
    """An image in the result of a call, in base64."""

    media_type: str
    data: str


class FoundTools:
    """The tools that the searches of one conversation have found.

    A tool keeps its place, and new ones are appended, so that the vendor's cache of the request
    holds. A tool whose definition has changed gets the new one.

    Args:
        found: tools that were found before, to go on with a stored conversation.

    Attributes:
        found: the tools by name; can be stored as JSON.
    """

    def __init__(self, found: Mapping[str, FoundTool] | None = None) -> None:
        self.found: dict[str, FoundTool] = dict(found or {})

    def owns(self, name: str) -> bool:
        """Returns whether a call of this name is for Quartermaster, and not for another tool of the
        program.
        """
        return name in {SEARCH_TOOLS, READ_RESULT} or name in self.found

    def add(self, answer: SearchAnswer) -> list[FoundTool]:
        """Adds what a search has found, and returns it.

        Weak matches are left out: they are for people, and a model would call them.
        """
        fitting = [tool for tool in answer.get("tools", []) if not tool.get("weak")]
        tools = [_found_tool(tool, answer.get("receipt")) for tool in fitting]
        self.found |= {tool["name"]: tool for tool in tools}
        return tools

    def receipt_of(self, name: str) -> int | None:
        """Returns the receipt of the last search that found a tool."""
        tool = self.found.get(name)
        return tool["receipt"] if tool else None


def parts_of(reply: ToolReply) -> list[Text | Image]:
    """Returns the result of a call as text and images. Anything else becomes text that contains it
    as JSON, without its bytes.
    """
    content = reply.get("content") or []
    if not content and "structuredContent" in reply:
        return [Text(_written(reply["structuredContent"]))]
    return [part for part in map(_part, content) if part != Text("")]


def _part(block: Json) -> Text | Image:
    match block:
        case {"type": "text", "text": text}:
            return Text(text)
        case {"type": "image", "mimeType": kind, "data": data} if kind in _IMAGES:
            return Image(kind, data)
        case {"type": "resource", "resource": {"text": text}}:
            return Text(text)
        case _:
            return Text(_written(_without_bytes(block)))


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _without_bytes(block: Json) -> Json:
    return {
        key: _without_bytes(cast("Json", value)) if isinstance(value, dict) else value
        for key, value in block.items()
        if key not in {"data", "blob"}
    }


def _found_tool(tool: Json, receipt: int | None) -> FoundTool:
    return {
        "name": tool["name"],
        "description": tool.get("description") or tool.get("brief") or "",
        "schema": _accepted_schema(tool.get("inputSchema") or {}),
        "receipt": receipt,
    }


def _accepted_schema(schema: Json) -> Json:
    """Returns a schema that both APIs accept: its root is an object without alternatives, whose
    arguments become optional ones. The service checks arguments against the original.
    """
    properties: dict[str, Any] = {}
    for keyword in _BRANCHES:
        for branch in cast("list[Any]", schema.get(keyword) or []):
            if isinstance(branch, dict):
                properties |= cast("Json", branch).get("properties") or {}
    rest = {key: value for key, value in schema.items() if key not in _REFUSED_AT_ROOT}
    properties |= schema.get("properties") or {}
    return {**rest, "type": "object", "properties": properties}
