"""Checks and cleans tool definitions, and converts them to the catalog's form."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from quartermaster.core.json_schema import TEXTS, mapped
from quartermaster.core.tool_repair import repaired_definition

JsonObject = dict[str, Any]

WIRE_MEMBERS: Final = {
    "name": "name",
    "title": "title",
    "description": "description",
    "inputSchema": "input_schema",
    "outputSchema": "output_schema",
    "annotations": "annotations",
}
"""Members of a definition on the wire, with their columns; all others are stored in ``extra``."""
_WIRE_NAMES: Final = {column: name for name, column in WIRE_MEMBERS.items()}

# Matches NUL and halves of surrogate pairs, which PostgreSQL cannot store in text or in JSON.
_UNSTORABLE_PATTERN: Final = re.compile("[\x00\ud800-\udfff]")
_MAX_DEPTH: Final = 100


class ToolRejectedError(ValueError):
    """A definition cannot be stored. The message is the reason."""


def too_large(size: int, max_bytes: int) -> ToolRejectedError:
    """Returns the error for a definition that is too large."""
    return ToolRejectedError(
        f"the definition has {size:,} bytes, more than the {max_bytes:,} that"
        " upstream.max_tool_bytes allows"
    )


def cleaned(value: Any) -> Any:
    """Replaces every character that PostgreSQL cannot store by U+FFFD, in all texts of a JSON
    value.
    """
    if isinstance(value, str):
        return _UNSTORABLE_PATTERN.sub("\ufffd", value)
    if isinstance(value, Mapping):
        items = cast("Mapping[str, Any]", value).items()
        return {cleaned(key): cleaned(item) for key, item in items}
    if isinstance(value, (list, tuple)):
        return [cleaned(item) for item in cast("list[Any]", value)]
    return value


def stored_form(
    definition: Mapping[str, Any], max_bytes: int, members: Mapping[str, str] = WIRE_MEMBERS
) -> JsonObject:
    """Converts a definition to the form that service.store_items and api.import_items expect.

    Characters that cannot be stored are replaced in texts for people. A definition with such
    characters in other places is rejected, because a changed name or schema would mean another
    tool.

    Args:
        definition: the definition as received.
        max_bytes: largest size of a definition, as JSON in UTF-8.
        members: maps each member to its column. Members without a column are stored unchanged in
            ``extra``.

    Raises:
        ToolRejectedError: the definition is too large or contains something that PostgreSQL cannot
            store.
    """
    _require_flat(definition)
    wire = {_WIRE_NAMES.get(members.get(name, ""), name): one for name, one in definition.items()}
    known: JsonObject = {}
    extra: JsonObject = {}
    for member, value in cast("JsonObject", repaired_definition(wire)).items():
        if member not in members:
            extra[member] = value
        elif value is not None:
            known[members[member]] = value
    for text in ("title", "description"):
        if isinstance(known.get(text), str):
            known[text] = cleaned(known[text])
    for schema in ("input_schema", "output_schema"):
        if schema in known:
            known[schema] = mapped(known[schema], _with_clean_texts)
    stored = known | ({"extra": extra} if extra else {})
    _require_storable(stored)
    size = len(json.dumps(stored, ensure_ascii=False).encode())
    if size > max_bytes:
        raise too_large(size, max_bytes)
    return stored


def _with_clean_texts(schema: JsonObject) -> JsonObject:
    return {key: cleaned(one) if key in TEXTS else one for key, one in schema.items()}


def _require_flat(definition: Mapping[str, Any]) -> None:
    if any(len(path) > _MAX_DEPTH for path, _ in _walk(definition)):
        raise ToolRejectedError(f"the definition is nested deeper than {_MAX_DEPTH} levels")


def _require_storable(definition: JsonObject) -> None:
    for path, value in _walk(definition):
        where = "/".join(path)
        if path and _UNSTORABLE_PATTERN.search(path[-1]):
            raise ToolRejectedError(
                f"the member name {cleaned(where)!r} contains a character that cannot be stored"
            )
        if isinstance(value, str) and _UNSTORABLE_PATTERN.search(value):
            raise ToolRejectedError(
                f"{where} contains a character that cannot be stored (U+0000 or half a surrogate "
                "pair)"
            )
        if isinstance(value, float) and not math.isfinite(value):
            raise ToolRejectedError(f"{where} is {value}, which is not a JSON number")


def _walk(value: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yields every value inside a JSON value with its path. The function does not use recursion,
    because a hostile definition could be nested very deeply.
    """
    pending: list[tuple[tuple[str, ...], Any]] = [((), value)]
    while pending:
        path, found = pending.pop()
        yield path, found
        if isinstance(found, dict):
            members = cast("JsonObject", found).items()
            pending += [((*path, key), item) for key, item in members]
        elif isinstance(found, list):
            items = cast("list[Any]", found)
            pending += [((*path, str(number)), item) for number, item in enumerate(items)]
