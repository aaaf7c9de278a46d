"""Suggestions while the user is typing. The code is the same for all API versions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from quartermaster.core.api_call import ApiCall
from quartermaster.core.errors import QmError
from quartermaster.db import Row
from quartermaster.doors.wire.payload import whole_number
from quartermaster_lookup import api
from quartermaster_lookup.reconcile.http.endpoint import Endpoint
from quartermaster_lookup.reconcile.http.queries import EXACT_QUALIFIER

OPERATIONS: Final = dict[str, Callable[..., ApiCall[Any]]](
    entity=api.suggest_lookup_rows,
    type=api.suggest_lookup_types,
    property=api.suggest_lookup_properties,
)
"""The function in schema api for each kind of suggestion."""

_DEFAULT: Final = 10


def operation_of(kind: str) -> Callable[..., ApiCall[Any]]:
    """Returns the API function for a kind of suggestion.

    Raises:
        QmError: QM404 path_not_found.
    """
    if kind not in OPERATIONS:
        raise QmError(
            404,
            "path_not_found",
            f"There are no suggestions for the kind {kind[:80]!r}.",
            "Use entity, type or property.",
        )
    return OPERATIONS[kind]


def read_page(parameters: Mapping[str, str], endpoint: Endpoint, kind: str) -> dict[str, Any]:
    """Returns the arguments of the API function from the parameters ``prefix``, ``type``,
    ``limit``, and ``cursor`` or ``offset``.

    Raises:
        QmError: QM422 argument_invalid.
    """
    offset = "cursor" if endpoint.version == "0.2" else "offset"
    arguments: dict[str, Any] = {
        "prefix": parameters.get("prefix", ""),
        "lookup": endpoint.table,
        "maximum": whole_number(parameters, "limit", _DEFAULT),
        "skip": whole_number(parameters, offset, 0),
    }
    if kind != "type" and parameters.get("type"):
        arguments["lookups"] = [parameters["type"]]
    return arguments


def suggested(
    kind: str, found: Sequence[Row], endpoint: Endpoint, page: Mapping[str, Any]
) -> dict[str, Any]:
    """Returns the answer ``{"result": [...]}``. In version 0.2, the answer also says where the next
    page begins.

    The types of an entity are plain ids, because OpenRefine joins them into one text.
    """
    if kind == "entity":
        listed = [
            {
                "id": endpoint.row_id(row["in_lookup"], row["id"]),
                "name": row["value"],
                "description": row["description"],
                "notable": [row["in_lookup"]],
            }
            for row in found
        ]
    elif kind == "type":
        listed = [
            {
                "id": row["name"],
                "name": row["name"],
                "description": row["description"] or f"{row['rows']:,} rows",
            }
            for row in found
        ]
    else:
        listed = [_property(row, endpoint) for row in found]
    answer: dict[str, Any] = {"result": [_without_empty(item) for item in listed]}
    if endpoint.version == "0.2" and len(found) == page["maximum"]:
        answer["cursor"] = page["skip"] + page["maximum"]
    return answer


def proposed(
    found: Sequence[api.SuggestLookupPropertiesRow], parameters: Mapping[str, str]
) -> dict[str, Any]:
    """Returns the properties with which rows can be extended."""
    answer: dict[str, Any] = {"properties": [{"id": r["name"], "name": r["name"]} for r in found]}
    if kind := parameters.get("type"):
        answer["type"] = kind
    if "limit" in parameters:
        answer["limit"] = whole_number(parameters, "limit", 0)
    return answer


def _property(row: Row, endpoint: Endpoint) -> dict[str, Any]:
    tables = ", ".join(row["in_lookups"])
    listed = {"id": row["name"], "name": row["name"], "description": f"of {tables}"}
    if endpoint.version == "0.2":
        return listed
    return listed | {
        "matchQualifiers": [{"id": EXACT_QUALIFIER, "name": "The same value, ignoring case"}]
    }


def _without_empty(item: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if value != ""}
