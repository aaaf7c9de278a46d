"""The tools that only curators see. Changes made with them are kept when a table is loaded
again.
"""

from __future__ import annotations

from typing import Final

import mcp_types as types

from quartermaster.doors.wire.tool_schemas import READ_ANNOTATIONS, Schema, member, shape, takes
from quartermaster_lookup.reconcile.mcp.schemas import (
    MOST_RESPONSE,
    ROW_ID,
    SCORE,
    STRINGS,
    TABLE,
    TEXT,
    count,
    gives,
    rows,
)

_ALIAS: Final[Schema] = TEXT | {"minLength": 1, "maxLength": 500}
_REASON: Final = member(
    "string", "Reason for the change, which is stored with your name.", maxLength=1_000
)
_ROW: Final[Schema] = {
    "id": TEXT,
    "value": TEXT,
    "aliases": STRINGS,
    "active": {"type": "boolean"},
    "provenance": {"type": "object"},
}
_WRITE_ANNOTATIONS: Final = READ_ANNOTATIONS.model_copy(
    update={"read_only_hint": False, "idempotent_hint": False}
)
_TAKES_AWAY: Final = _WRITE_ANNOTATIONS.model_copy(update={"destructive_hint": True})


def _tool(
    name: str, title: str, description: str, arguments: Schema, annotations: types.ToolAnnotations
) -> types.Tool:
    """Returns the definition of a tool that changes one row and returns it."""
    more: Schema = {"shared_with": STRINGS} if name == "add_alias" else {}
    required = [name for name in ("table", "id", "alias", "provenance") if name in arguments]
    return types.Tool(
        name=name,
        title=title,
        description=description,
        input_schema=takes(arguments, required),
        output_schema=gives({**_ROW, **more}, [*_ROW, *more]),
        annotations=annotations,
    )


CURATOR_TOOLS: Final[tuple[types.Tool, ...]] = (
    _tool(
        "add_alias",
        "Add an alias",
        "Give a row another name by which it can be found. shared_with in the answer lists other "
        "rows with the same name: the name then matches none of these rows.",
        {"table": TABLE, "id": ROW_ID, "alias": _ALIAS, "reason": _REASON},
        _WRITE_ANNOTATIONS,
    ),
    _tool(
        "remove_alias",
        "Remove an alias",
        "Remove a name that a curator added. Names from the table's source cannot be removed.",
        {"table": TABLE, "id": ROW_ID, "alias": _ALIAS},
        _TAKES_AWAY,
    ),
    _tool(
        "retire_row",
        "Retire a row",
        "Take a row out of use. It is then found only by searches that include inactive rows.",
        {"table": TABLE, "id": ROW_ID, "reason": _REASON},
        _TAKES_AWAY,
    ),
    _tool(
        "restore_row",
        "Restore a row",
        "Bring back a row that a curator retired.",
        {"table": TABLE, "id": ROW_ID},
        _WRITE_ANNOTATIONS,
    ),
    _tool(
        "attach_provenance",
        "Attach provenance",
        "Record where a row comes from. Members are added to those attached before; a member with "
        "the value null is removed.",
        {"table": TABLE, "id": ROW_ID, "provenance": {"type": "object"}, "reason": _REASON},
        _WRITE_ANNOTATIONS,
    ),
    types.Tool(
        name="list_curations",
        title="List changes by curators",
        description="List the changes that curators made to one row or to all rows of a table,"
        " newest first.",
        input_schema=takes(
            {
                "table": TABLE,
                "id": ROW_ID,
                "limit": count(20, MOST_RESPONSE, "Maximum number to return."),
            },
            ["table"],
        ),
        output_schema=gives(
            {"curations": rows({"type": "object", "required": ["id", "kind", "curator"]})},
            ["curations"],
        ),
        annotations=READ_ANNOTATIONS,
    ),
    types.Tool(
        name="suggest_aliases",
        title="Suggest aliases",
        description=(
            "Suggest aliases for rows. Checks the given strings (default: recent queries), and "
            "returns the strings that currently do not match any row, each with a row to which it "
            "may refer. Does not add aliases: review the suggestions, then call add_alias."
        ),
        input_schema=takes(
            {
                "table": TABLE,
                "strings": STRINGS
                | {
                    "maxItems": 1_000,
                    "description": "Strings to check; a repeated string has more weight.",
                },
                "limit": count(20, MOST_RESPONSE, "Maximum number to return."),
            },
            ["table"],
        ),
        output_schema=gives(
            {
                "suggestions": rows(
                    shape({"score": SCORE}, ["id", "value", "alias", "form", "score"])
                )
            },
            ["suggestions"],
        ),
        annotations=READ_ANNOTATIONS,
    ),
)
