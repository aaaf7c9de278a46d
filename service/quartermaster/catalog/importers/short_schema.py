"""Converts the short form of schemas that is used in tool catalogs."""

from __future__ import annotations

from typing import Any, Final, cast

JsonObject = dict[str, Any]

_TYPES: Final = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_ALIASES: Final = {
    "none": "null",
    "bool": "boolean",
    "int": "integer",
    "long": "integer",
    "float": "number",
    "double": "number",
    "str": "string",
    "list": "array",
    "tuple": "array",
    "dict": "object",
}


def unabridged(schema: JsonObject) -> JsonObject:
    """Convert a schema in short form to JSON Schema; any other schema stays unchanged.

    In the short form, ``{"properties": ...}`` means an object, and the type of a property is any
    name that its author chose: ``string|null``, ``str``, ``list[int]``.
    """
    full = {"type": "object", **schema} if "properties" in schema else schema
    if not isinstance(full.get("properties"), dict):
        return full
    properties = cast("JsonObject", full["properties"])
    return full | {"properties": {name: _with_types(p) for name, p in properties.items()}}


def _with_types(schema: Any) -> Any:
    """Convert the schema of a property; an unknown type is kept as ``x-type``."""
    given = cast("JsonObject", schema) if isinstance(schema, dict) else {}
    called: object = given.get("type")
    if not isinstance(called, str) or called in _TYPES:
        return cast("Any", schema)
    names = [name.strip().lower() for name in called.split("|")]
    types = list(dict.fromkeys(_ALIASES.get(name, name) for name in names))
    rest = {key: value for key, value in given.items() if key != "type"}
    if not _TYPES.issuperset(types):
        return {"x-type": called, **rest}
    return {"type": types if len(types) > 1 else types[0], **rest}
