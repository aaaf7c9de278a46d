"""Divides the items that an upstream lists into batches to store and items to reject."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, TypeVar, cast

from quartermaster.catalog.tool_definition import (
    JsonObject,
    ToolRejectedError,
    cleaned,
    stored_form,
    too_large,
)

if TYPE_CHECKING:
    from quartermaster.upstream.listing import ToolListing

_BATCH_BYTES: Final = 4_000_000
Item = TypeVar("Item")

_NAME_OF: Final = {
    "tool": "name",
    "resource": "uri",
    "resource_template": "uriTemplate",
    "prompt": "name",
}


def sort_out(
    listing: ToolListing, max_bytes: int
) -> tuple[dict[str, list[JsonObject]], list[JsonObject]]:
    """Splits a listing into items to store and items to reject.

    Args:
        listing: the listing that was read.
        max_bytes: largest size of a definition, as JSON in UTF-8.

    Returns:
        The definitions for service.store_items, by kind, and the rejections ``{kind, name,
        reason}`` for service.reject_items. Each name of a kind occurs once. A kind that could not
        be listed is missing.
    """
    items: dict[str, list[JsonObject]] = {}
    rejected = [
        _rejected(r.kind, r.name, f"{r.reason} (number {r.position})") for r in listing.rejected
    ]
    for kind, definitions in {"tool": listing.tools, **listing.assets}.items():
        items[kind] = []
        names: set[str] = set()
        for definition in definitions:
            name = definition[_NAME_OF[kind]]
            try:
                if name in names:
                    raise ToolRejectedError(
                        "the origin lists this name twice; only the first definition is used"
                    )
                names.add(name)
                items[kind].append(
                    stored_form(definition, max_bytes)
                    if kind == "tool"
                    else _stored_as_listed(definition, max_bytes)
                )
            except ToolRejectedError as reason:
                rejected.append(_rejected(kind, name, str(reason)))
    return items, rejected


def batches(sized: Iterable[tuple[Item, int]], most: int) -> Iterator[list[Item]]:
    """Splits items into batches with a limited number of items and at most 4 MB. Each item comes
    with its length.
    """
    batch: list[Item] = []
    size = 0
    for item, length in sized:
        if batch and (len(batch) == most or size + length > _BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(item)
        size += length
    if batch:
        yield batch


def _stored_as_listed(definition: JsonObject, max_bytes: int) -> JsonObject:
    stored = cast("JsonObject", cleaned(definition))
    size = len(json.dumps(stored).encode())
    if size > max_bytes:
        raise too_large(size, max_bytes)
    return stored


def _rejected(kind: str, name: str | None, reason: str) -> JsonObject:
    return {"kind": kind, "name": cleaned(name), "reason": cleaned(reason)}
