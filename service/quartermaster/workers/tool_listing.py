"""What is done with the tools that an upstream lists: stored in parts, or rejected each alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final, cast

from quartermaster.upstream import ToolListing
from quartermaster.workers.tool_definition import (
    JsonObject,
    ToolRejectedError,
    cleaned,
    stored_form,
)

_BATCH_TOOLS: Final = 200
_BATCH_BYTES: Final = 4_000_000


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


def storable(assets: Sequence[JsonObject], max_bytes: int) -> list[JsonObject]:
    """Resources, templates or prompts in a form that the database takes; the largest are left out.

    Args:
        assets: as listed.
        max_bytes: the largest definition allowed, as JSON in UTF-8.
    """
    stored = [cast("JsonObject", cleaned(asset)) for asset in assets]
    return [asset for asset in stored if len(json.dumps(asset).encode()) <= max_bytes]
