"""Repairs the definition of a tool, so that no tool is lost because of a fault in one member.

A faulty member whose meaning is clear is repaired. A member that cannot be understood, and that no
call needs, is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, Literal, cast

from pydantic import TypeAdapter, ValidationError

from quartermaster.core.json_schema import repaired

JsonObject = dict[str, Any]

HINTS: Final = frozenset({"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"})
"""The members of annotations that say what a call may do."""

_REQUIRED_MEMBERS: Final = frozenset({"name", "inputSchema"})


def repaired_definition(raw: object) -> object:
    """Returns the definition of a tool as clients and the catalog can read it.

    Args:
        raw: the definition as an upstream sent it; if it is not an object, or has no name, it is
            returned unchanged.
    """
    if not isinstance(raw, dict) or not isinstance(cast("JsonObject", raw).get("name"), str):
        return cast("object", raw)
    found = dict(cast("JsonObject", raw))
    for name, repair in _REPAIRS.items():
        value: object = repair(found.pop(name, None))
        if value is not None:
            found[name] = value
    return _without_faults(found)


def text_of(value: object) -> str:
    """Returns a text unchanged, and any other value as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def choice_in(value: object) -> bool | None:
    """Returns the boolean that a value clearly means; None if the meaning is not clear."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in {"true", "false"}:
        return value.lower() == "true"
    return None


def careful_hints(annotations: Mapping[str, Any]) -> JsonObject:
    """Returns the annotations without contradictions. If a tool claims both to be destructive and
    to be read-only, only the first claim is kept. It makes people and programs more careful.
    """
    found = dict(annotations)
    if found.get("destructiveHint") is True and found.get("readOnlyHint") is True:
        found["readOnlyHint"] = False
    return found


@cache
def _adapter(name: Literal["Tool", "Icon"]) -> TypeAdapter[Any]:
    # Loaded when needed: all commands load this module, and few repair a definition.
    import mcp_types

    return TypeAdapter(getattr(mcp_types, name))


def _text(value: object) -> str | None:
    return None if value is None else text_of(value)


def _input_schema(value: object) -> JsonObject:
    """Returns a usable schema of the arguments. If the given value is not a schema, the result
    allows all arguments, and the upstream checks them.
    """
    return repaired(value) or ({} if value == {} else {"type": "object"})


def _output_schema(value: object) -> JsonObject | None:
    return repaired(value) or None


def _annotations(value: object) -> JsonObject | None:
    """Returns the annotations without hints that cannot be understood. The protocol's cautious
    default applies to those hints.
    """
    if not isinstance(value, dict):
        return None
    found = {k: v for k, v in cast("JsonObject", value).items() if v is not None}
    for name in HINTS & found.keys():
        choice = choice_in(found.pop(name))
        if choice is not None:
            found[name] = choice
    if "title" in found:
        found["title"] = text_of(found["title"])
    return found


def _icons(value: object) -> list[object] | None:
    if value is None:
        return None
    listed = cast("list[object]", value) if isinstance(value, list) else [value]
    return [icon for icon in listed if _is_icon(icon)] or None


def _is_icon(value: object) -> bool:
    try:
        _adapter("Icon").validate_python(value, by_name=False)
    except ValidationError:
        return False
    return True


def _without_faults(found: JsonObject) -> JsonObject:
    """Leaves out the members that make the definition invalid, unless calls need them."""
    try:
        _adapter("Tool").validate_python(found, by_name=False)
    except ValidationError as error:
        faulty = {str(one["loc"][0]) for one in error.errors(include_url=False) if one["loc"]}
        return {
            name: one
            for name, one in found.items()
            if name in _REQUIRED_MEMBERS or name not in faulty
        }
    return found


_REPAIRS: Final[dict[str, Callable[[object], object]]] = {
    "title": _text,
    "description": _text,
    "inputSchema": _input_schema,
    "outputSchema": _output_schema,
    "annotations": _annotations,
    "icons": _icons,
}
