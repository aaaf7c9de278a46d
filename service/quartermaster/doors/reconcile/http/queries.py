"""Queries of version 0.2, as api.reconcile_lookups takes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from quartermaster.doors.reconcile.http.endpoint import Endpoint
from quartermaster.doors.reconcile.http.problem import QueryProblem

Members = dict[str, Any]


def read_query(given: object, endpoint: Endpoint, language: str | None) -> Members:
    """A query ``{query, type, type_strict, limit, properties: [{pid, v}]}``.

    A type is a lookup table; of several, any will do. Properties are evidence.

    Args:
        given: the query.
        endpoint: of the service.
        language: preferred; None: none.

    Raises:
        QueryProblem: it is none.
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
        raise QueryProblem("type_strict is unknown.", "It is any, should or all.")
    read |= read_limit(members)
    if properties := _properties(members.get("properties")):
        read["properties"] = properties
    return read


def read_limit(members: Members) -> Members:
    """The requested number of candidates; the database checks its range.

    Raises:
        QueryProblem: it is no whole number.
    """
    limit = members.get("limit")
    if limit is None:
        return {}
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not is_whole(limit):
        raise QueryProblem(f"limit is {str(limit)[:80]}.", "It is a number from 1 to 100.")
    return {"limit": int(max(-1.0, min(limit, 1e6)))}


def values_of(given: object) -> list[str]:
    """The texts that a value of a property stands for; one of them must match.

    A number is written as in rows; a reconciled cell counts by name and by id;
    and each line is a value, too, because some clients join the values of a property by lines.
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
    """Whether it is a whole number, however it is written."""
    return isinstance(number, int) or number.is_integer()


def merged(properties: Iterable[tuple[str, list[str]]]) -> dict[str, list[str]]:
    """Values by property; if it occurs twice, the values of both."""
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
    raise QueryProblem(f"{member} must be a text.", f'Send "{member}": "...".')


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
