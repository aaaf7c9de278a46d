"""The tools of an evaluation, out of a JSON Lines file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import chain, count
from pathlib import Path

from quartermaster.catalog.importers.tools_jsonl import stored_tool
from quartermaster.catalog.tool_definition import JsonObject, ToolRejectedError
from quartermaster.eval.json_lines import read_objects, text_member
from quartermaster.eval.problems import bad_file

_NO_ORIGIN = "tools"


@dataclass(frozen=True)
class ToolSet:
    """Tools with the ids by which goals name them.

    Attributes:
        path: of their file.
        ids: of the tools, in the order of the file.
        definitions: of the tools in the form of api.import_items, in the same order.
        groups: group of near-duplicates of the tools that are in one, by id.
        rejected: ids of tools that cannot be stored, and why, with the line; nobody finds those.
    """

    path: Path
    ids: list[str]
    definitions: list[JsonObject]
    groups: dict[str, str]
    rejected: dict[str, str]

    @cached_property
    def known_ids(self) -> frozenset[str]:
        """All ids, those of rejected tools too."""
        return frozenset([*self.ids, *self.rejected])

    @cached_property
    def by_name(self) -> dict[str, str]:
        """Ids by ``origin/name``, and by name where only one tool has it."""
        names = [str(tool["name"]) for tool in self.definitions]
        times = Counter(names)
        single = {name: key for name, key in zip(names, self.ids, strict=True) if times[name] == 1}
        whole = {
            f"{tool['origin']}/{tool['name']}": key
            for tool, key in zip(self.definitions, self.ids, strict=True)
        }
        return single | whole

    @cached_property
    def digest(self) -> bytes:
        """SHA-256 over the definitions in their order."""
        together = sha256()
        for tool in self.definitions:
            together.update(json.dumps(tool, sort_keys=True).encode() + b"\n")
        return together.digest()


def read_tools(path: Path, max_tool_bytes: int) -> ToolSet:
    """Reads tools: ``{id, origin, name, description, input_schema, dup}``, one a line.

    A tool without ``origin`` is one of the origin `tools`. Two tools of one origin with one name
    are both kept, as some sets have them: the second gets an origin of its own.

    Args:
        path: of the file.
        max_tool_bytes: the largest definition allowed.

    Raises:
        QmError: QM404 file_not_found, QM422 evaluation_file_invalid with file and line.
    """
    found = ToolSet(path, [], [], {}, {})
    lines: dict[str, int] = {}
    taken: set[tuple[str, str]] = set()
    for line, entry in read_objects(path):
        place = (str(entry.get("origin") or _NO_ORIGIN), text_member(path, line, entry, "name"))
        key = str(entry.get("id") or "/".join(place))
        if key in lines:
            raise bad_file(path, line, f"the id {key!r} is that of line {lines[key]}, too")
        lines[key] = line
        origin = _free_origin(place, taken)
        taken.add((origin, place[1]))
        members = {name: value for name, value in entry.items() if name not in {"id", "dup"}}
        try:
            found.definitions.append(stored_tool({**members, "origin": origin}, max_tool_bytes))
        except ToolRejectedError as reason:
            found.rejected[key] = f"{path}:{line}: {reason}"
        else:
            found.ids.append(key)
        if entry.get("dup"):
            found.groups[key] = str(entry["dup"])
    if not found.ids:
        reasons = "; ".join(list(found.rejected.values())[:1])
        raise bad_file(path, None, reasons or "the file holds no tools")
    return found


def _free_origin(place: tuple[str, str], taken: Collection[tuple[str, str]]) -> str:
    """The origin, or the first of ``ORIGIN 2``, ``ORIGIN 3`` that has no tool of this name."""
    origin, name = place
    numbered = (f"{origin} {number}" for number in count(2))
    return next(one for one in chain((origin,), numbered) if (one, name) not in taken)
