"""What is done with the tools that an upstream lists: stored in parts, or rejected each alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from quartermaster.catalog.tool_definition import (
    JsonObject,
    ToolRejectedError,
    cleaned,
    stored_form,
)
from quartermaster.upstream import ToolListing
from quartermaster.upstream.listing import AssetKind

_BATCH_TOOLS: Final = 200
_BATCH_BYTES: Final = 4_000_000
_NAME_OF: Final[dict[AssetKind, str]] = {
    "resource": "uri",
    "resource_template": "uriTemplate",
    "prompt": "name",
}


def sort_out(listing: ToolListing, max_bytes: int) -> tuple[list[JsonObject], list[JsonObject]]:
    """The tools of a listing to store, and those to reject.

    Args:
        listing: as read.
        max_bytes: the largest definition allowed, as JSON in UTF-8.

    Returns:
        Definitions for api.store_tools, each name once; ``{name, reason}`` for api.reject_tools.
    """
    tools: list[JsonObject] = []
    rejected = [
        {"name": cleaned(r.name), "reason": cleaned(f"{r.reason} (number {r.position})")}
        for r in listing.rejected
    ]
    names: set[str] = set()
    for definition in listing.tools:
        try:
            if definition["name"] in names:
                raise ToolRejectedError(
                    "the origin lists this name twice; the first definition counts"
                )
            names.add(definition["name"])
            tools.append(stored_form(definition, max_bytes))
        except ToolRejectedError as reason:
            rejected.append({"name": cleaned(definition["name"]), "reason": cleaned(str(reason))})
    return tools, rejected


def batches(tools: Sequence[JsonObject]) -> Iterator[list[JsonObject]]:
    """The tools in parts of at most 200, and of at most 4 MB unless one alone is larger."""
    batch: list[JsonObject] = []
    size = 0
    for tool in tools:
        length = len(json.dumps(tool))
        if batch and (len(batch) == _BATCH_TOOLS or size + length > _BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(tool)
        size += length
    if batch:
        yield batch


def storable(
    kind: AssetKind, assets: Sequence[JsonObject], max_bytes: int
) -> dict[str, JsonObject]:
    """Resources, templates or prompts in a form that the database takes; the largest are left out.

    Args:
        kind: of all of them.
        assets: as listed.
        max_bytes: the largest definition allowed, as JSON in UTF-8.

    Returns:
        By the name that each has at its origin; of a name that is listed twice the first.
    """
    stored: dict[str, JsonObject] = {}
    for asset in assets:
        definition = cast("JsonObject", cleaned(asset))
        if len(json.dumps(definition).encode()) <= max_bytes:
            stored.setdefault(definition[_NAME_OF[kind]], definition)
    return stored


def parts(
    assets: Mapping[str, JsonObject],
) -> Iterator[tuple[list[JsonObject], list[str] | None]]:
    """Assets of a kind in parts, as api.store_assets takes them: scanning many takes a while.

    Args:
        assets: by name, all of them.

    Yields:
        Definitions, and what the database is told of the others: of the last part the names of
        all, of those before nothing, None where there is one part only.
    """
    some = [*batches([*assets.values()])]
    if len(some) < 2:
        yield (some[0] if some else []), None
        return
    for number, part in enumerate(some, start=1):
        yield part, [*assets] if number == len(some) else []
