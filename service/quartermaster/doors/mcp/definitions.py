"""Tool definitions in the form of the protocol, from rows of the catalog."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mcp_types import methods
from pydantic import ValidationError

from quartermaster.core.logs import get_logger
from quartermaster.doors.mcp.signature import signature

# Members of a definition without a column of their own. `execution` is about tasks, which are not
# relayed.
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
    """The whole definition, as its origin published it, under the name to call it by.

    Args:
        row: title, description, input_schema, output_schema, annotations and extra.
        name: callable name.
    """
    members = {wire: row[column] for column, wire in _COLUMNS.items() if row[column]}
    extra: Definition = row["extra"]
    return {**extra, "name": name, **members}


def listed_definition(row: Row, protocol_version: str) -> Definition | None:
    """A definition for ``tools/list``, such that it cannot spoil the list for its neighbours.

    Clients refuse a whole list for one schema whose root is not an object, so such a root is
    replaced by one that takes anything; the call itself checks against the real schema.

    Args:
        row: of api.list_exposed.
        protocol_version: of the client.

    Returns:
        The definition, or None where that revision has no way to express it.
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
    """One tool of a search's structured answer.

    Args:
        row: of api.search_tools.
        full: with its whole definition instead of its signature.
    """
    found: Definition = {key: row[key] for key in ("rank", "name", "origin", "brief")}
    found |= {"score": round(row["score"], 4), "scores": row["scores"]}
    if until := row.get("unavailable_until"):
        found["unavailableUntil"] = until.isoformat(timespec="seconds")
    if full:
        return found | definition_of(row, row["name"])
    return found | {"signature": signature(row["name"], row["input_schema"])}
