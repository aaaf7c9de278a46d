"""Answers calls of the curators' tools. The database checks that the caller is a curator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from quartermaster.core.api_call import ApiCall
from quartermaster.db import Database, Principal
from quartermaster_lookup import api

_OF_ONE_ROW: Final = dict[str, Callable[..., ApiCall[Any]]](
    add_alias=api.add_alias,
    remove_alias=api.remove_alias,
    retire_row=api.retire_row,
    restore_row=api.restore_row,
    attach_provenance=api.attach_provenance,
)
_NAMES: Final = {
    "table": "lookup",
    "id": "row_id",
    "alias": "alias",
    "provenance": "members",
    "reason": "reason",
    "limit": "maximum",
}


async def curate(
    database: Database, name: str, principal: Principal, arguments: Mapping[str, Any]
) -> dict[str, Any]:
    """Answers a call of a curators' tool.

    Args:
        database: the database. It stores each change with the curator who made it.
        name: name of the tool. The api function has the same name.
        principal: principal that calls the tool.
        arguments: the arguments, which must match the tool's schema.

    Raises:
        QmError: QM403 curator_required, and the errors of the api function.
    """
    given: dict[str, Any] = {
        _NAMES[key]: value for key, value in arguments.items() if key in _NAMES
    }
    if name in _OF_ONE_ROW:
        return await database.call_one(_OF_ONE_ROW[name](**given), principal)
    given = {"maximum": 20, **given}
    if name == "list_curations":
        rows = await database.call(api.list_curations(**given), principal)
        return {"curations": [{**row, "curated_at": row["curated_at"].isoformat()} for row in rows]}
    assert name == "suggest_aliases"
    if "strings" in arguments:
        strings: list[str] = arguments["strings"]
        given["asked"] = dict(Counter(strings))
    return {"suggestions": await database.call(api.suggest_aliases(**given), principal)}
