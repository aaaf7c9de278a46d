"""Describes the service that a request addresses: one lookup table or all tables, in one API
version.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import unquote

Version = Literal["0.2", "1.0-draft"]

_ID: Final = "id:"
_IN_TABLE: Final = re.compile(r"([A-Za-z][A-Za-z0-9_.-]{0,62}):(.+)", re.DOTALL)


@dataclass(frozen=True)
class Endpoint:
    """A service as its clients see it.

    Attributes:
        version: API version.
        table: name of the lookup table. None stands for all tables. Their ids have the form
            ``TABLE:ID``.
        url: root URL with which this client reaches the service, without a trailing slash.
        id_space: prefix of ids as URIs. It is the same for every client.
    """

    version: Version
    table: str | None
    url: str
    id_space: str

    def row_id(self, table: str, key: str) -> str:
        """Returns the id of a row in the form that clients see."""
        return key if self.table is not None else f"{table}:{key}"

    def find_row(self, row_id: str) -> dict[str, str] | None:
        """Returns the table and id of a row, in the form that the database expects. Returns None if
        no row can have this id.

        Args:
            row_id: id that `row_id` returned, with or without the prefix `id_space`.
        """
        if row_id.startswith(self.id_space):
            row_id = unquote(row_id[len(self.id_space) :])
        if self.table is not None:
            return {"lookup": self.table, "id": row_id}
        named = _IN_TABLE.fullmatch(row_id)
        return named and {"lookup": named[1], "id": named[2]}

    def named_row(self, text: str) -> dict[str, str] | None:
        """Returns the row that a query names by its URI, by ``id:ID``, or by an id that includes
        the table. Returns None for other texts.

        A bare number is not treated as an id, because it may mean something else.
        """
        if text.lstrip().startswith(_ID):
            return self.find_row(text.lstrip()[len(_ID) :].strip())
        if self.table is None or text.startswith(self.id_space):
            return self.find_row(text.strip())
        return None
