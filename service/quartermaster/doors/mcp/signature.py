"""A tool's arguments on one line: every required one with its type, the optional ones by name."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final, cast

from quartermaster.calls.redaction import referred

_MOST_OPTIONAL: Final = 12
_LONGEST_ENUM: Final = 80
_LONGEST_NAME: Final = 80
_DEEPEST: Final = 3
_Schema = dict[str, Any]


def signature(name: str, schema: object) -> str:
    """How to call a tool: ``time__convert(time: string, zone: "UTC"|"CET", strict?)``.

    Args:
        name: callable name.
        schema: of its arguments, whatever the upstream published; what makes no sense is left out.
    """
    root = _mapping(schema)
    properties = _mapping(root.get("properties"))
    required = _names(root.get("required"))
    parts = [f"{_line(key)}: {_type(properties.get(key), root, 0)}" for key in required]
    optional = [key for key in properties if key not in required]
    parts += [f"{_line(key)}?" for key in optional[:_MOST_OPTIONAL]]
    if len(optional) > _MOST_OPTIONAL:
        parts.append("…")
    return f"{name}({', '.join(parts)})"


def _type(schema: object, root: _Schema, depth: int) -> str:
    given = _mapping(schema)
    if depth > _DEEPEST:
        return "any"
    if isinstance(reference := given.get("$ref"), str):
        inside = referred(reference, root) if reference.startswith("#/") else None
        return _type(inside, root, depth + 1)
    values = [given["const"]] if "const" in given else given.get("enum")
    if isinstance(values, list) and (literals := _literals(cast("list[object]", values))):
        return literals
    for union in ("anyOf", "oneOf"):
        if isinstance(options := given.get(union), list):
            return _join(_type(option, root, depth + 1) for option in cast("list[object]", options))
    kind = given.get("type")
    if isinstance(kind, list):
        return _join(_line(str(one)) for one in cast("list[object]", kind))
    if kind == "array":
        items = _type(given.get("items"), root, depth + 1)
        return f"({items})[]" if "|" in items else f"{items}[]"
    if kind == "object":
        return _object(given, root, depth)
    return _line(kind) if isinstance(kind, str) else "any"


def _object(given: _Schema, root: _Schema, depth: int) -> str:
    properties = _mapping(given.get("properties"))
    required = _names(given.get("required"))
    if not required:
        return "object"
    inner = (f"{_line(key)}: {_type(properties.get(key), root, depth + 1)}" for key in required)
    return f"{{{', '.join(inner)}}}"


def _literals(values: list[object]) -> str:
    text = "|".join(json.dumps(value, ensure_ascii=False) for value in values)
    return text if 0 < len(text) <= _LONGEST_ENUM else ""


def _join(types: Iterable[str]) -> str:
    return "|".join(dict.fromkeys(types)) or "any"


def _mapping(value: object) -> _Schema:
    return cast("_Schema", value) if isinstance(value, dict) else {}


def _names(value: object) -> list[str]:
    if not isinstance(value, list):
        return []
    return list(
        dict.fromkeys(name for name in cast("list[object]", value) if isinstance(name, str))
    )


def _line(text: str) -> str:
    """Upstreams choose these names, so they may not break out of their line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= _LONGEST_NAME else flat[: _LONGEST_NAME - 1] + "…"
