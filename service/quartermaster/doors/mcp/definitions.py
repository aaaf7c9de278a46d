"""Converts catalog rows to tool definitions in the protocol's form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from mcp_types import methods
from pydantic import ValidationError

from quartermaster.core.client_schema import compiles_everywhere
from quartermaster.core.json_schema import NEWEST_METASCHEMA, mapped, modern, places, referred
from quartermaster.core.logs import get_logger
from quartermaster.core.tool_repair import careful_hints, repaired_definition
from quartermaster.doors.mcp.bridge_tools import ALWAYS_LOADED

_MOST_OPTIONAL: Final = 12
_LONGEST_ENUM: Final = 80
_LONGEST_NAME: Final = 80
_MAX_DEPTH: Final = 3
_Schema = dict[str, Any]
# Members of a definition that have no column of their own. `execution` is about tasks, which are
# not relayed.
_RELAYED_EXTRAS: Final = frozenset({"icons", "_meta"})
_COLUMNS: Final = {
    "title": "title",
    "description": "description",
    "input_schema": "inputSchema",
    "output_schema": "outputSchema",
    "annotations": "annotations",
}
_LISTED_MEMBERS: Final = frozenset({"name", *_COLUMNS.values(), *_RELAYED_EXTRAS})
_OWN_KEYS: Final = "quartermaster/"
# Members that the newest revision requires in every list.
_ENVELOPE: Final = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
Row = Mapping[str, Any]
Definition = dict[str, Any]


def signature(name: str, schema: object) -> str:
    """Returns a signature that shows how to call a tool: ``time__convert(time: string, zone:
    "UTC"|"CET", strict?)``.

    Args:
        name: callable name of the tool.
        schema: arguments schema as the upstream published it; invalid parts are left out.
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
    if depth > _MAX_DEPTH:
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
    """Removes line breaks from a name. Upstreams choose the names, and are not trusted."""
    flat = " ".join(text.split())
    return flat if len(flat) <= _LONGEST_NAME else flat[: _LONGEST_NAME - 1] + "…"


def definition_of(row: Row, name: str) -> Definition:
    """Returns the complete definition as its origin published it, but with its callable name.

    Args:
        row: row with title, description, input_schema, output_schema, annotations and extra.
        name: callable name of the tool.
    """
    members = {wire: row[column] for column, wire in _COLUMNS.items() if row[column]}
    extra: Definition = row["extra"]
    return {**extra, "name": name, **members}


def listed_definition(
    row: Row, protocol_version: str, *, is_pinned: bool = False, is_found: bool = False
) -> Definition | None:
    """Returns a definition for ``tools/list`` that cannot make the whole list invalid.

    Clients refuse a whole list if one definition in it is faulty, or if one output schema does not
    compile. The call itself is checked against the schema that the upstream published.

    Args:
        row: row from api.list_exposed.
        protocol_version: protocol version that the client uses.
        is_pinned: whether an operator has chosen the tool for this client. If so, the mark
            `ALWAYS_LOADED` in the published definition is kept.
        is_found: whether a search has added the tool to the list of this client. If so, the
            definition gets the mark `ALWAYS_LOADED`, so that the client always shows the tool to
            the model.

    Returns:
        The definition, or None if that protocol version cannot express it.
    """
    published = definition_of(row, row["name"])
    retained = {name: one for name, one in published.items() if name in _LISTED_MEMBERS}
    tool = cast("Definition", repaired_definition(retained))
    tool["inputSchema"] = listed_input(tool["inputSchema"])
    output: _Schema = tool.get("outputSchema", {})
    if output and not (output.get("type") == "object" and compiles_everywhere(output)):
        del tool["outputSchema"]
    if "annotations" in tool:
        tool["annotations"] = careful_hints(tool["annotations"])
    if meta := tool.get("_meta"):
        # What we say to clients, a server cannot say for us.
        tool["_meta"] = {
            key: value
            for key, value in meta.items()
            if not key.startswith(_OWN_KEYS) and (is_pinned or key != ALWAYS_LOADED)
        }
    if is_found:
        tool["_meta"] = {ALWAYS_LOADED: True, **(tool.get("_meta") or {})}
    try:
        _require_listable(tool, protocol_version)
    except ValidationError as error:
        get_logger().warning(
            "tool_listed_in_short", tool=row["name"], reason=error.errors()[0]["msg"]
        )
        tool = {name: tool[name] for name in ("name", "description", "inputSchema") if name in tool}
        try:
            _require_listable(tool, protocol_version)
        except ValidationError:
            return None
    return tool


def listed_input(schema: _Schema) -> _Schema:
    """Returns a schema of arguments that clients and the providers of models accept.

    The schema uses the newest draft, its root says that arguments are an object, and each array
    says what its items are: OpenAI refuses a whole request if one array does not.
    """
    found = schema if NEWEST_METASCHEMA.is_valid(schema) else modern(schema)
    if any(_lacks_items(place) for place in places(found)):
        found = cast("_Schema", mapped(found, _with_items))
    return found if found.get("type") == "object" else {**found, "type": "object"}


def _lacks_items(place: _Schema) -> bool:
    kind: object = place.get("type")
    is_array = kind == "array" or (isinstance(kind, list) and "array" in kind)
    return is_array and "items" not in place


def _with_items(place: _Schema) -> _Schema:
    return {**place, "items": {}} if _lacks_items(place) else place


def _require_listable(tool: Definition, protocol_version: str) -> None:
    methods.serialize_server_result("tools/list", protocol_version, _ENVELOPE | {"tools": [tool]})


def found_tool(row: Row, *, full: bool) -> Definition:
    """Returns one tool in the structured answer to a search.

    Args:
        row: row from api.search_tools.
        full: whether to include the complete definition instead of the signature. Programs give it
            to the API of a model as it is, so its arguments schema is one that providers accept.
    """
    found: Definition = {key: row[key] for key in ("rank", "name", "origin", "brief")}
    found |= {"score": round(row["score"], 4), "scores": row["scores"]}
    found |= {key: row[key] for key in ("weak", "unavailable") if row.get(key)}
    if full:
        published = definition_of(row, row["name"])
        return found | published | {"inputSchema": listed_input(_mapping(row["input_schema"]))}
    return found | {"signature": signature(row["name"], row["input_schema"])}
