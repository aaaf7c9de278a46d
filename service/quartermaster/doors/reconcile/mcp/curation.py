"""Answers the tools of curators; the database checks that the caller is one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from quartermaster.db import Database, Principal
from quartermaster.doors.reconcile.mcp.curator_tools import (
    ADD_ALIAS,
    ATTACH_PROVENANCE,
    LIST_CURATIONS,
    REMOVE_ALIAS,
    RESTORE_ROW,
    RETIRE_ROW,
    SUGGEST_ALIASES,
)

_OF_ONE_ROW: Final = {ADD_ALIAS, REMOVE_ALIAS, RETIRE_ROW, RESTORE_ROW, ATTACH_PROVENANCE}
_NAMES: Final = {
    "table": "lookup",
    "id": "row_id",
    "alias": "alias",
    "provenance": "members",
    "reason": "reason",
    "limit": "maximum",
}


class Curation:
    """Makes changes of curators to rows.

    Args:
        database: keeps it, and who said it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def is_curator(self, principal: Principal) -> bool:
        """Whether a principal may curate.

        Raises:
            QmError: QM403 principal_unknown.
        """
        return await self._database.call_value("is_curator", principal)

    async def answer(
        self, name: str, principal: Principal, arguments: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Answers a tool.

        Args:
            name: of one of the curators' tools, which is also that of the api function.
            principal: who asks.
            arguments: that fit its schema.

        Raises:
            QmError: QM403 curator_required, and those of the api function.
        """
        given = {_NAMES[key]: value for key, value in arguments.items() if key in _NAMES}
        if name in _OF_ONE_ROW:
            return await self._database.call_one(name, principal, **given)
        given = {"maximum": 20, **given}
        if name == LIST_CURATIONS:
            rows = await self._database.call(name, principal, **given)
            return {
                "curations": [row | {"curated_at": row["curated_at"].isoformat()} for row in rows]
            }
        assert name == SUGGEST_ALIASES
        if "strings" in arguments:
            strings: list[str] = arguments["strings"]
            given["asked"] = dict(Counter(strings))
        return {"suggestions": await self._database.call(name, principal, **given)}
