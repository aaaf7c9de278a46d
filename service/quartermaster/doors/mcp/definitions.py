"""Makes tool definitions in the protocol's form from catalog rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mcp_types import methods
from pydantic import ValidationError

from quartermaster.core.logs import get_logger
from quartermaster.doors.mcp.signature import signature

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
# Members that the newest revision requires in every list.
_ENVELOPE: Final = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}

Row = Mapping[str, Any]
Definition = dict[str, Any]


def definition_of(row: Row, name: str) -> Definition:
    """Returns the complete definition as its origin published it, but with the name to call it by.

    Args:
        row: row with title, description, input_schema, output_schema, annotations and extra.
        name: callable name of the tool.
    """
    members = {wire: row[column] for column, wire in _COLUMNS.items() if row[column]}
    extra: Definition = row["extra"]
    return {**extra, "name": name, **members}


def listed_definition(row: Row, protocol_version: str) -> Definition | None:
    """Returns a definition for ``tools/list`` that cannot make the whole list invalid.

    Clients refuse a whole list if the root of one schema is not an object. Such a schema is
    replaced by one that accepts anything; the call itself is checked against the real schema.

    Args:
        row: row from api.list_exposed.
        protocol_version: protocol version that the client uses.

    Returns:
        The definition, or None if that protocol version cannot express it.
    """
    tool = definition_of(row, row["name"])
    tool = {
        key: value
        for key, value in tool.items()
        if key in _COLUMNS.values() or key in _RELAYED_EXTRAS or key == "name"
    }
    if tool.get("inputSchema", {}).get("type") != "object":
        tool["inputSchema"] = {"type": "object"}
    if tool.get("outputSchema", {}).get("type", "object") != "object":
        del tool["outputSchema"]
    try:
        methods.serialize_server_result(
            "tools/list", protocol_version, _ENVELOPE | {"tools": [tool]}
        )
    except ValidationError as error:
        get_logger().warning("tool_not_listed", tool=row["name"], reason=error.errors()[0]["msg"])
        return None
    return tool


def found_tool(row: Row, *, full: bool) -> Definition:
    """Returns one tool in the structured answer to a search.

    Args:
        row: row from api.search_tools.
        full: whether to include the complete definition instead of the signature.
    """
    found: Definition = {key: row[key] for key in ("rank", "name", "origin", "brief")}
    found |= {"score": round(row["score"], 4), "scores": row["scores"]}
    found |= {key: row[key] for key in ("weak", "unavailable") if row.get(key)}
    if full:
        return found | definition_of(row, row["name"])
    return found | {"signature": signature(row["name"], row["input_schema"])}
