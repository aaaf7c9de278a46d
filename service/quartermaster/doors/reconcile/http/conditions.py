"""Converts queries in version 1.0-draft to the form that api.reconcile_lookups takes."""

from __future__ import annotations

from typing import Any, cast

from quartermaster.doors.reconcile.http.endpoint import Endpoint
from quartermaster.doors.reconcile.http.problem import QueryProblem
from quartermaster.doors.reconcile.http.queries import Members, merged, read_limit, values_of

EXACT = "ExactMatch"
"""The only qualifier: a value in the row equals the given value, ignoring case."""

_EXAMPLE = '{"conditions": [{"matchType": "name", "propertyValue": "Betula pendula"}]}'


def read_conditions(given: object, endpoint: Endpoint, language: str | None) -> Members:
    """Reads a query ``{type, limit, lang, conditions}``.

    A property is evidence. If it is required, or its quantifier is none, rows that do not match the
    condition are left out.

    Args:
        given: query as the client sent it.
        endpoint: endpoint of the service.
        language: preferred language tag, such as sv, if the query names none.

    Raises:
        QueryProblem: the query is invalid.
    """
    members = cast("Members", given) if isinstance(given, dict) else {}
    listed: object = members.get("conditions")
    if not isinstance(listed, list) or not listed:
        raise QueryProblem("The query has no list of conditions.", f"Send {_EXAMPLE}.")
    conditions = [_condition(condition) for condition in cast("list[object]", listed)]
    read = read_limit(members)
    if (kind := members.get("type")) is not None:
        if not isinstance(kind, str):
            raise QueryProblem("type must be a string.", "Send the id of one type.")
        read["lookups"] = [kind]
    spoken = members.get("lang", language)
    if isinstance(spoken, str) and spoken:
        read["language"] = spoken.partition("-")[0].lower()
    if names := [c for c in conditions if c["matchType"] == "name"]:
        read["query"] = _single(names)
        if (row := endpoint.named_row(read["query"])) is not None:
            read["row"] = row
    if ids := [c for c in conditions if c["matchType"] == "id"]:
        # An id that no row can have finds nothing.
        read["row"] = endpoint.find_row(_single(ids)) or {}
        read.pop("query", None)
    return read | _properties([c for c in conditions if c["matchType"] == "property"])


def _condition(given: object) -> dict[str, Any]:
    members = cast("Members", given) if isinstance(given, dict) else {}
    kind = members.get("matchType")
    if kind not in ["name", "id", "property"] or "propertyValue" not in members:
        raise QueryProblem(
            "A condition lacks matchType (name, id or property) or propertyValue.",
            f"Send {_EXAMPLE}.",
        )
    if kind == "property" and not isinstance(members.get("propertyId"), str):
        raise QueryProblem("A condition on a property has no propertyId.", "Name the property.")
    if members.get("matchQuantifier", "any") not in ["any", "all", "none"]:
        raise QueryProblem("matchQuantifier is unknown.", "Use any, all or none.")
    qualifier = members.get("matchQualifier", EXACT)
    if qualifier != EXACT or (kind != "property" and "matchQualifier" in members):
        raise QueryProblem(
            f"matchQualifier {str(qualifier)[:80]} is not supported on a condition of type {kind}.",
            f"Leave it out: properties are compared by {EXACT}, names by similarity.",
        )
    return members


def _single(conditions: list[dict[str, Any]]) -> str:
    values = [value for c in conditions for value in values_of(c["propertyValue"])]
    if len(conditions) > 1 or not values:
        raise QueryProblem("A query can have only one name or id.", "Send one query for each.")
    return values[0]


def _properties(conditions: list[dict[str, Any]]) -> Members:
    read: Members = {}
    wanted = [c for c in conditions if c.get("matchQuantifier") != "none"]
    if found := merged(_values(wanted)):
        read["properties"] = found
        read["strict"] = all(c.get("required") is True for c in wanted)
    required = [
        {c["propertyId"]: part}
        for c in wanted
        if c.get("required") is True
        for part in _parts(c)
        if part
    ]
    if required:
        read["required"] = required
    if excluded := merged(_values([c for c in conditions if c not in wanted])):
        read["excluded"] = excluded
    return read


def _values(conditions: list[dict[str, Any]]) -> list[tuple[str, list[str]]]:
    return [(c["propertyId"], values_of(c["propertyValue"])) for c in conditions]


def _parts(condition: dict[str, Any]) -> list[list[str]]:
    """Returns sets of values; the row must have one value from each set."""
    given = condition["propertyValue"]
    if condition.get("matchQuantifier") == "all" and isinstance(given, list):
        return [values_of(item) for item in cast("list[object]", given)]
    return [values_of(given)]
