"""Finds the service that a request addresses: one lookup table or all, and the API version."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal
from urllib.parse import unquote

Version = Literal["0.2", "1.0-draft"]

_IN_TABLE: Final = re.compile(r"([A-Za-z][A-Za-z0-9_.-]{0,62}):(.+)", re.DOTALL)


@dataclass(frozen=True)
class Endpoint:
    """A service as its clients see it.

    Attributes:
        version: of the API.
        table: name of the lookup table; None: all of them, an id then is ``TABLE:ID``.
        url: of its root as this client reaches it, without a slash at the end.
        id_space: what ids are appended to; the same for every client.
    """

    version: Version
    table: str | None
    url: str
    id_space: str

    def row_id(self, table: str, key: str) -> str:
        """The id under which clients know a row."""
        return key if self.table is not None else f"{table}:{key}"

    def find_row(self, row_id: str) -> dict[str, str] | None:
        """Table and id of a row, as the database takes them; None if the id is impossible.

        Args:
            row_id: as `row_id` makes them, or the same after `id_space`.
        """
        if row_id.startswith(self.id_space):
            row_id = unquote(row_id[len(self.id_space) :])
        if self.table is not None:
            return {"lookup": self.table, "id": row_id}
        named = _IN_TABLE.fullmatch(row_id)
        return named and {"lookup": named[1], "id": named[2]}

    def named_row(self, text: str) -> dict[str, str] | None:
        """The row that a query names by an id with its table."""
        if self.table is None or text.startswith(self.id_space):
            return self.find_row(text.strip())
        return None

    def type_of(self, row: Mapping[str, Any]) -> dict[str, str]:
        """The type of a row: its table."""
        return {"id": row["lookup"], "name": row["lookup"]}
