"""Shortens definitions of tools for clients that search in a whole list of them.

Texts go first. What a call needs stays: the names of the arguments, which of them are required, and
their types and values. Calls are checked against the schema that the upstream published.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from quartermaster.calls.replies import compact_json
from quartermaster.core.json_schema import mapped
from quartermaster.core.tool_repair import HINTS

MOST_BYTES: Final = 2_000

_Definition = dict[str, Any]
_LONG_TEXT: Final = 600
_SHORT_TEXT: Final = 200
_LONG_NOTE: Final = 100
_LONG_VALUES: Final = 400
_TEXTS: Final = frozenset({"title", "description", "examples", "$comment", "deprecated"})
_MARKUP: Final = re.compile(r"^[\s#>*_`=-]+")
_SENTENCE_END: Final = re.compile(r"[.!?。](?=\s|$)")
_WORD: Final = re.compile(r"[^\W_]+")


def shortened(tool: Mapping[str, Any], most_bytes: int = MOST_BYTES) -> _Definition:
    """Returns a short definition that begins with what the tool is for.

    Args:
        tool: definition as `listed_definition` returns it.
        most_bytes: maximum size of the definition as compact JSON.
    """
    short = {**tool, "description": _purpose_first(tool)}
    for step in _STEPS:
        if len(compact_json(short).encode("utf-8", "backslashreplace")) <= most_bytes:
            break
        short = step(short)
    return short


def cut(text: str, longest: int) -> str:
    """Returns a text of at most so many characters, which ends after a sentence if it can."""
    if len(text) <= longest:
        return text
    room = text[: longest + 1]
    ends = [end.end() for end in _SENTENCE_END.finditer(room) if end.end() <= longest]
    if ends:
        return text[: ends[-1]]
    return (room[: longest - 1].rpartition(" ")[0] or room[: longest - 1]) + "…"


def _purpose_first(tool: Mapping[str, Any]) -> str:
    """Returns the description without a heading that only repeats the name of the tool."""
    text: str = tool.get("description") or ""
    title: str = tool.get("title") or ""
    heading, _, rest = text.strip().partition("\n")
    names = [tool["name"], tool["name"].partition("__")[2], title]
    if rest.strip() and _words(heading) in [_words(name) for name in names]:
        text = rest
    return _MARKUP.sub("", text) or title or " ".join(_WORD.findall(tool["name"]))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _without(*members: str) -> Callable[[_Definition], _Definition]:
    def step(tool: _Definition) -> _Definition:
        return {name: value for name, value in tool.items() if name not in members}

    return step


def _described_in(longest: int) -> Callable[[_Definition], _Definition]:
    def step(tool: _Definition) -> _Definition:
        return {**tool, "description": cut(tool["description"], longest)}

    return step


def _with_schema(change: Callable[[_Definition], _Definition]) -> Callable[..., _Definition]:
    def step(tool: _Definition) -> _Definition:
        return {**tool, "inputSchema": change(tool["inputSchema"])}

    return step


def _with_short_notes(schema: _Definition) -> _Definition:
    def noted(place: _Definition) -> _Definition:
        left = {name: one for name, one in place.items() if name not in _TEXTS}
        if isinstance(note := place.get("description"), str):
            left["description"] = cut(note, _LONG_NOTE)
        return left

    return cast("_Definition", mapped(schema, noted))


def _without_notes(schema: _Definition) -> _Definition:
    def bare(place: _Definition) -> _Definition:
        return {name: one for name, one in place.items() if name not in _TEXTS}

    return cast("_Definition", mapped(schema, bare))


def _without_long_values(schema: _Definition) -> _Definition:
    def plain(place: _Definition) -> _Definition:
        values = place.get("enum")
        is_long = values is not None and len(compact_json(values)) > _LONG_VALUES
        return {name: one for name, one in place.items() if name != "enum"} if is_long else place

    return cast("_Definition", mapped(schema, plain))


def _names_and(*members: str) -> Callable[[_Definition], _Definition]:
    """Returns a function that keeps of a schema the names of its arguments, and of these the given
    members.
    """

    def outlined(schema: _Definition) -> _Definition:
        outline: _Definition = {"type": "object"}
        if isinstance(properties := schema.get("properties"), dict):
            outline["properties"] = {
                name: _outline(one, members)
                for name, one in cast("_Definition", properties).items()
            }
        if "required" in schema:
            outline["required"] = schema["required"]
        return outline

    return outlined


def _outline(argument: object, members: tuple[str, ...]) -> _Definition:
    given = cast("_Definition", argument) if isinstance(argument, dict) else {}
    outline = {key: given[key] for key in members if key in given}
    if "type" in outline and "items" in given:
        # Providers of models refuse an array that does not say what its items are.
        items: object = given["items"]
        outline["items"] = _outline(items, ("type",))
    return outline


def _required_only(schema: _Definition) -> _Definition:
    left = {name: schema[name] for name in ("type", "required") if name in schema}
    return {**left, "properties": {name: {} for name in schema.get("required", ())}}


def _essential(tool: _Definition) -> _Definition:
    left = {name: tool[name] for name in ("name", "description", "inputSchema")}
    # Clients decide by the hints whether a person must approve a call.
    annotations: _Definition = tool.get("annotations") or {}
    hints = {name: one for name, one in annotations.items() if name in HINTS}
    return {**left, "annotations": hints} if hints else left


_STEPS: Final[tuple[Callable[[_Definition], _Definition], ...]] = (
    _without("icons"),
    _without("outputSchema"),
    _described_in(_LONG_TEXT),
    _with_schema(_with_short_notes),
    _described_in(_SHORT_TEXT),
    _with_schema(_without_notes),
    _essential,
    _with_schema(_without_long_values),
    _with_schema(_names_and("type", "enum", "const")),
    _with_schema(_names_and("type")),
    _with_schema(_names_and()),
    # More names of arguments than fit.
    _with_schema(_required_only),
    _with_schema(lambda _schema: {"type": "object"}),
)
