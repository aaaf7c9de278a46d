"""Converts queries of both API versions to the form that api.reconcile_lookups expects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from quartermaster_lookup.reconcile.http.endpoint import Endpoint

Members = dict[str, Any]
EXACT_QUALIFIER = "ExactMatch"
"""The only qualifier: a value in the row equals the given value, ignoring case."""
_EXAMPLE = '{"conditions": [{"matchType": "name", "propertyValue": "Betula pendula"}]}'


class QueryProblem(Exception):  # noqa: N818 - said of one query, not raised at anybody
    """The error for a query that cannot be read.

    Args:
        message: description of the problem, including the wrong value.
        hint: the query to send instead.
    """

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.error: dict[str, Any] = {
            "slug": "query_invalid",
            "message": message,
            "hint": hint,
        }


def read_query(given: object, endpoint: Endpoint, language: str | None) -> Members:
    """Reads a query ``{query, type, type_strict, limit, properties: [{pid, v}]}`` of version 0.2.

    A type is a lookup table. If there are several types, a row may have any of them. Properties are
    evidence.

    Args:
        given: the query as the client sent it.
        endpoint: endpoint of the service.
        language: preferred language. None if the client has no preference.

    Raises:
        QueryProblem: the query is invalid.
    """
    if not isinstance(given, dict):
        raise QueryProblem("The query must be an object.", 'Send {"query": "Betula pendula"}.')
    members = cast("Members", given)
    read: Members = {} if language is None else {"language": language}
    if (text := members.get("query")) is not None:
        read["query"] = _text(text, "query")
        if (row := endpoint.named_row(read["query"])) is not None:
            read["row"] = row
    if (types := _types(members.get("type"))) is not None:
        read["lookups"] = types
    if members.get("type_strict") not in [None, "any", "should", "all"]:
        raise QueryProblem("type_strict is unknown.", "Use any, should or all.")
    read |= read_limit(members)
    if properties := _properties(members.get("properties")):
        read["properties"] = properties
    return read


def read_limit(members: Members) -> Members:
    """Returns the requested number of candidates. The database checks its range.

    Raises:
        QueryProblem: the limit is not a whole number.
    """
    limit = members.get("limit")
    if limit is None:
        return {}
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not is_whole(limit):
        raise QueryProblem(
            f"limit is not a whole number: {str(limit)[:80]}.", "Use a whole number from 1 to 100."
        )
    return {"limit": int(max(-1.0, min(limit, 1e6)))}


def values_of(given: object) -> list[str]:
    """Returns the texts that a property value stands for. A row matches if it has one of them.

    A number is written as in rows. A reconciled cell is compared by its name and by its id. Each
    line is a separate value, because some clients join the values of a property with line breaks.
    """
    if isinstance(given, list):
        return [text for item in cast("list[object]", given) for text in values_of(item)]
    if isinstance(given, dict):
        members = cast("Members", given)
        return [text for name in ("name", "id") for text in values_of(members.get(name))]
    if isinstance(given, bool):
        return ["true" if given else "false"]
    if isinstance(given, float) and given.is_integer():
        return [str(int(given))]
    if isinstance(given, str) and "\n" in given:
        return [given, *filter(None, map(str.strip, given.splitlines()))]
    return [] if given is None or given == "" else [str(given)]


def is_whole(number: float) -> bool:
    """Returns whether a number is whole. 1.0 is a whole number, too."""
    return isinstance(number, int) or number.is_integer()


def merged(properties: Iterable[tuple[str, list[str]]]) -> dict[str, list[str]]:
    """Returns the values of each property. The values of a repeated property are combined."""
    found: dict[str, list[str]] = {}
    for name, values in properties:
        if values:
            found.setdefault(name, []).extend(values)
    return found


def _text(given: object, member: str) -> str:
    if isinstance(given, str):
        return given
    if isinstance(given, int | float) and not isinstance(given, bool):
        return values_of(given)[0]
    raise QueryProblem(f"{member} must be a string.", f'Send "{member}": "...".')


def _types(given: object) -> list[str] | None:
    if given in (None, "", []):
        return None
    listed = cast("list[object]", given) if isinstance(given, list) else [given]
    named = [cast("Members", x).get("id") if isinstance(x, dict) else x for x in listed]
    return [_text(name, "type") for name in named]


def _properties(given: object) -> dict[str, list[str]]:
    if given is None:
        return {}
    if not isinstance(given, list):
        raise QueryProblem(
            "properties must be a list.", 'Send [{"pid": "family", "v": "Poaceae"}].'
        )
    pairs: list[tuple[str, list[str]]] = []
    for item in cast("list[object]", given):
        members = cast("Members", item) if isinstance(item, dict) else {}
        if "pid" not in members:
            raise QueryProblem("A property has no pid.", 'Send {"pid": "family", "v": "Poaceae"}.')
        pairs.append((_text(members["pid"], "pid"), values_of(members.get("v"))))
    return merged(pairs)


def read_conditions(given: object, endpoint: Endpoint, language: str | None) -> Members:
    """Reads a query ``{type, limit, lang, conditions}`` of version 1.0.

    A condition on a property is evidence. Rows that do not fulfil it are left out only if the
    condition is required, or if its quantifier is none.

    Args:
        given: the query as the client sent it.
        endpoint: endpoint of the service.
        language: preferred language tag, such as sv. It is used if the query names no language.

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
    return read | _wanted_properties([c for c in conditions if c["matchType"] == "property"])


def _condition(given: object) -> dict[str, Any]:
    members = cast("Members", given) if isinstance(given, dict) else {}
    kind = members.get("matchType")
    if kind not in ["name", "id", "property"] or "propertyValue" not in members:
        raise QueryProblem(
            "A condition lacks matchType (name, id or property) or propertyValue.",
            f"Send {_EXAMPLE}.",
        )
    if kind == "property" and not isinstance(members.get("propertyId"), str):
        raise QueryProblem("A condition on a property has no propertyId.", "Send the propertyId.")
    if members.get("matchQuantifier", "any") not in ["any", "all", "none"]:
        raise QueryProblem("matchQuantifier is unknown.", "Use any, all or none.")
    qualifier = members.get("matchQualifier", EXACT_QUALIFIER)
    if qualifier != EXACT_QUALIFIER or (kind != "property" and "matchQualifier" in members):
        raise QueryProblem(
            f"matchQualifier {str(qualifier)[:80]} is not supported on a condition of type {kind}.",
            f"Leave out matchQualifier: properties are compared by {EXACT_QUALIFIER},"
            " names by similarity.",
        )
    return members


def _single(conditions: list[dict[str, Any]]) -> str:
    values = [value for c in conditions for value in values_of(c["propertyValue"])]
    if len(conditions) > 1 or not values:
        raise QueryProblem("A query can have only one name or id.", "Send one query for each.")
    return values[0]


def _wanted_properties(conditions: list[dict[str, Any]]) -> Members:
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
    """Converts a condition to sets of values. A row must have one value from each set."""
    given = condition["propertyValue"]
    if condition.get("matchQuantifier") == "all" and isinstance(given, list):
        return [values_of(item) for item in cast("list[object]", given)]
    return [values_of(given)]
