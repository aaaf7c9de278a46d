"""Reads the items for an evaluation from a JSON Lines file: tools, or cards of another kind."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import chain, count
from pathlib import Path

from quartermaster.catalog.importers.tools_jsonl import stored_tool
from quartermaster.catalog.tool_definition import JsonObject, ToolRejectedError
from quartermaster.core.kinds import TOOL
from quartermaster.eval.evaluation_files import bad_file, read_objects


@dataclass(frozen=True)
class ItemSet:
    """Items, and the ids by which goals name them.

    Attributes:
        path: path of the items file.
        ids: ids of the items, in the order of the file.
        definitions: definitions in the form of api.import_items, in the same order.
        groups: maps the id of an item to its group of near-duplicates.
        rejected: maps the id of each item that cannot be stored to the reason, with its line.
            Searches cannot find these items.
        kind: kind of the cards.
    """

    path: Path
    ids: list[str]
    definitions: list[JsonObject]
    groups: dict[str, str]
    rejected: dict[str, str]
    kind: str

    @cached_property
    def known(self) -> dict[str, str]:
        """Maps each id, each ``origin/name`` and each unique name to the id of its item. Rejected
        items are included.
        """
        names = [str(item["name"]) for item in self.definitions]
        wholes = [f"{item['origin']}/{item['name']}" for item in self.definitions]
        times = Counter(names)
        single = {name: key for name, key in zip(names, self.ids, strict=True) if times[name] == 1}
        ids = {key: key for key in (*self.ids, *self.rejected)}
        return single | dict(zip(wholes, self.ids, strict=True)) | ids


def digest(several: Iterable[ItemSet]) -> bytes:
    """Returns the SHA-256 of the definitions of item sets in their order."""
    together = sha256()
    for item in (definition for items in several for definition in items.definitions):
        together.update(json.dumps(item, sort_keys=True).encode() + b"\n")
    return together.digest()


def read_items(path: Path, max_tool_bytes: int, kind: str) -> ItemSet:
    """Reads items, one per line: ``{id, origin, name, dup, ...}`` with the members of their kind.

    An item without ``origin`` belongs to the origin `tools`. If two items in an origin have the
    same name, as in some sets, both are kept, and the second gets its own origin.

    Args:
        path: path of the file.
        max_tool_bytes: largest size of a tool definition.
        kind: kind of the cards.

    Raises:
        QmError: QM404 file_not_found, QM422 evaluation_file_invalid with file and line.
    """
    found = ItemSet(path, [], [], {}, {}, kind)
    lines: dict[str, int] = {}
    taken: set[tuple[str, str]] = set()
    for entry in read_objects(path):
        given = entry.members
        place = (str(given.get("origin") or "tools"), entry.text("name"))
        key = str(given.get("id") or "/".join(place))
        if key in lines:
            raise entry.bad(f"the id {key!r} was already used on line {lines[key]}")
        lines[key] = entry.line
        origin = _free_origin(place, taken)
        taken.add((origin, place[1]))
        members = {name: value for name, value in given.items() if name not in {"id", "dup"}}
        item: JsonObject = members | {"origin": origin}
        try:
            definition = stored_tool(item, max_tool_bytes) if kind == TOOL else item
        except ToolRejectedError as reason:
            found.rejected[key] = f"{path}:{entry.line}: {reason}"
        else:
            found.definitions.append(definition)
            found.ids.append(key)
        if given.get("dup"):
            found.groups[key] = str(given["dup"])
    if not found.ids:
        raise bad_file(
            path, None, next(iter(found.rejected.values()), "the file contains no tools")
        )
    return found


def _free_origin(place: tuple[str, str], taken: Collection[tuple[str, str]]) -> str:
    """Returns the origin if it has no item with this name yet. Otherwise, returns the first of
    ``ORIGIN 2``, ``ORIGIN 3`` and so on that has no such item.
    """
    origin, name = place
    numbered = (f"{origin} {number}" for number in count(2))
    return next(one for one in chain((origin,), numbered) if (one, name) not in taken)
