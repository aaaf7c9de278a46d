"""The tools that only curators see: what they say of rows stays when a table is loaded anew."""

from __future__ import annotations

from typing import Final

import mcp_types as types

from quartermaster.doors.reconcile.mcp.schemas import (
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
from quartermaster.doors.wire.tool_schemas import READS, Schema, member, shape, takes

ADD_ALIAS: Final = "add_alias"
REMOVE_ALIAS: Final = "remove_alias"
RETIRE_ROW: Final = "retire_row"
RESTORE_ROW: Final = "restore_row"
ATTACH_PROVENANCE: Final = "attach_provenance"
LIST_CURATIONS: Final = "list_curations"
SUGGEST_ALIASES: Final = "suggest_aliases"

_ALIAS: Final[Schema] = TEXT | {"minLength": 1, "maxLength": 500}
_REASON: Final = member("string", "Why; it is kept with your name.", maxLength=1_000)
_ROW: Final[Schema] = {
    "id": TEXT,
    "value": TEXT,
    "aliases": STRINGS,
    "active": {"type": "boolean"},
    "provenance": {"type": "object"},
}
_WRITES: Final = READS.model_copy(update={"read_only_hint": False, "idempotent_hint": False})
_TAKES_AWAY: Final = _WRITES.model_copy(update={"destructive_hint": True})


def _tool(
    name: str, title: str, description: str, arguments: Schema, annotations: types.ToolAnnotations
) -> types.Tool:
    """A tool that changes one row and returns it."""
    more: Schema = {"shared_with": STRINGS} if name == ADD_ALIAS else {}
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
        ADD_ALIAS,
        "Add an alias",
        "Give a row another name, by which it is found from now on. shared_with names other rows "
        "that have it, too: then it is a match for none of them.",
        {"table": TABLE, "id": ROW_ID, "alias": _ALIAS, "reason": _REASON},
        _WRITES,
    ),
    _tool(
        REMOVE_ALIAS,
        "Remove an alias",
        "Take back a name that a curator has given; those of the table's source stay.",
        {"table": TABLE, "id": ROW_ID, "alias": _ALIAS},
        _TAKES_AWAY,
    ),
    _tool(
        RETIRE_ROW,
        "Retire a row",
        "Take a row out of use: it is found only where inactive rows are asked for.",
        {"table": TABLE, "id": ROW_ID, "reason": _REASON},
        _TAKES_AWAY,
    ),
    _tool(
        RESTORE_ROW,
        "Bring a row back",
        "Bring back a row that a curator has retired.",
        {"table": TABLE, "id": ROW_ID},
        _WRITES,
    ),
    _tool(
        ATTACH_PROVENANCE,
        "Attach provenance",
        "Say where a row comes from. Members are added to what was attached before; null takes "
        "one away.",
        {"table": TABLE, "id": ROW_ID, "provenance": {"type": "object"}, "reason": _REASON},
        _WRITES,
    ),
    types.Tool(
        name=LIST_CURATIONS,
        title="List what curators have said",
        description="What curators have said of the rows of a table, or of one, newest first.",
        input_schema=takes(
            {"table": TABLE, "id": ROW_ID, "limit": count(20, MOST_RESPONSE, "How many.")},
            ["table"],
        ),
        output_schema=gives(
            {"curations": rows({"type": "object", "required": ["id", "kind", "curator"]})},
            ["curations"],
        ),
        annotations=READS,
    ),
    types.Tool(
        name=SUGGEST_ALIASES,
        title="Suggest aliases",
        description=(
            "Names that rows may lack: of the strings given, or of those that were asked lately, "
            "the ones that are no match today. Adds nothing: look through them, then add_alias."
        ),
        input_schema=takes(
            {
                "table": TABLE,
                "strings": STRINGS
                | {"maxItems": 1_000, "description": "Strings to look at; repeated ones count."},
                "limit": count(20, MOST_RESPONSE, "How many."),
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
        annotations=READS,
    ),
)
