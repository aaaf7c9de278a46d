"""Data extension: returns properties of rows in the format of the requested API version."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from quartermaster.core.errors import argument_invalid
from quartermaster.doors.wire.payload import decode
from quartermaster_lookup import api
from quartermaster_lookup.reconcile.http.endpoint import Endpoint
from quartermaster_lookup.reconcile.http.queries import Members

_MOMENT: Final = re.compile(
    r"[0-9]{4}-(1[0-2]|0[1-9])-(3[01]|0[1-9]|[12][0-9])"
    r"T(2[0-3]|[01][0-9]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?(Z|[+-](2[0-3]|[01][0-9]):[0-5][0-9])?"
)
_EXAMPLE: Final = 'Send {"ids": ["1"], "properties": [{"id": "family"}]}.'


@dataclass(frozen=True)
class Extension:
    """The rows and properties that a client requests.

    Attributes:
        ids: ids of the rows, as clients see them.
        limits: largest number of values for each property, in the requested order. 0 means all
            values.
    """

    ids: Sequence[str]
    limits: Mapping[str, int]

    def rows(self, endpoint: Endpoint) -> list[dict[str, str]]:
        """Returns the rows in the form that api.extend_lookup_rows expects."""
        return [endpoint.find_row(row_id) or {} for row_id in self.ids]


def read_extension(text: str) -> Extension:
    """Reads ``{ids, properties: [{id, settings: {limit}}]}``.

    Raises:
        QmError: QM400 json_invalid, QM422 argument_invalid.
    """
    given = decode(text)
    members = cast("Members", given) if isinstance(given, dict) else {}
    ids, properties = members.get("ids"), members.get("properties")
    if not isinstance(ids, list) or not isinstance(properties, list):
        raise argument_invalid(
            "The parameter extend needs a list of ids and a list of properties.", _EXAMPLE
        )
    texts = cast("list[object]", ids)
    if any(isinstance(row_id, bool) or not isinstance(row_id, str | int) for row_id in texts):
        raise argument_invalid("An id must be a string.", _EXAMPLE)
    limits = dict(map(_property, cast("list[object]", properties)))
    return Extension([str(row_id) for row_id in texts], limits)


def _property(given: object) -> tuple[str, int]:
    members = cast("Members", given) if isinstance(given, dict) else {}
    name = members.get("id")
    if not isinstance(name, str):
        raise argument_invalid("A property has no id.", _EXAMPLE)
    settings: object = members.get("settings")
    limit = cast("Members", settings).get("limit") if isinstance(settings, dict) else None
    text = str(limit or 0)
    if not text.isdecimal() or len(text) > 9:
        raise argument_invalid(
            f"The limit for {name[:80]} is not a whole number: {text[:80]!r}.",
            "Use a whole number.",
        )
    return name, int(text)


def extended(
    asked: Extension, found: Sequence[api.ExtendLookupRowsRow], endpoint: Endpoint
) -> dict[str, Any]:
    """Returns the answer to an extension request.

    Args:
        asked: requested ids and properties.
        found: rows from api.extend_lookup_rows, one for each id.
        endpoint: the service that the client addressed.
    """
    meta = [{"id": name, "name": name} for name in asked.limits]
    values = {
        row_id: {name: _cells(row["cells"].get(name), most) for name, most in asked.limits.items()}
        for row_id, row in zip(asked.ids, found, strict=True)
    }
    if endpoint.version == "0.2":
        return {"meta": meta, "rows": values}
    rows = [
        {
            "id": row_id,
            "properties": [{"id": name, "values": cells} for name, cells in values[row_id].items()],
        }
        for row_id in asked.ids
    ]
    return {"meta": meta, "rows": rows}


def _cells(value: object, most: int) -> list[dict[str, Any]]:
    listed = cast("list[object]", value) if isinstance(value, list) else [value]
    cells = [_cell(item) for item in listed if item is not None]
    return cells[:most] if most else cells


def _cell(value: object) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"str": "true" if value else "false"}
    if isinstance(value, int):
        return {"int": value}
    if isinstance(value, float) and math.isfinite(value):
        return {"float": value}
    if isinstance(value, dict):
        members = cast("Members", value)
        if all(isinstance(members.get(name), str) for name in ("id", "name")):
            return {"id": members["id"], "name": members["name"]}
    text = str(cast("object", value))
    return {"date": text} if _MOMENT.fullmatch(text) else {"str": text}
