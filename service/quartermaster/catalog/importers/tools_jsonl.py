"""Reads files of tool definitions: one JSON object per line, or an array of objects."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from quartermaster.catalog.item_listing import batches
from quartermaster.catalog.tool_definition import (
    WIRE_MEMBERS,
    JsonObject,
    ToolRejectedError,
    cleaned,
    stored_form,
)
from quartermaster.core.errors import unreadable
from quartermaster.core.json_text import SyntaxProblem, parse, syntax_error

BATCH_TOOLS: Final = 500
_MEMBERS: Final = WIRE_MEMBERS | {
    "origin": "origin",
    "server_desc": "origin_description",
    "origin_description": "origin_description",
    "input_schema": "input_schema",
    "output_schema": "output_schema",
    "categories": "categories",
    "examples": "examples",
}

StoreBatch = Callable[[list[JsonObject]], Sequence[Mapping[str, Any]]]
Entry = tuple[int, int, object]


@dataclass(slots=True)
class ImportProgress:
    """The progress of an import.

    Attributes:
        file: path of the file.
        bytes_read, bytes_total: number of bytes read so far, and the size of the file.
        counts: number of tools for each outcome: added, changed, unchanged or rejected.
        problems: ``FILE:LINE: what is wrong`` for the first rejected tools.
        max_problems: largest number of problems to keep.
    """

    file: Path
    bytes_total: int
    max_problems: int
    bytes_read: int = 0
    counts: Counter[str] = field(default_factory=Counter[str])
    problems: list[str] = field(default_factory=list[str])

    @property
    def tools(self) -> int:
        """The number of processed tools."""
        return self.counts.total()

    def reject(self, line: int, reason: str) -> None:
        """Counts a rejected tool."""
        self.counts["rejected"] += 1
        if len(self.problems) < self.max_problems:
            self.problems.append(cleaned(f"{self.file}:{line}: {reason}"))


def import_tools(
    path: Path, store: StoreBatch, *, max_tool_bytes: int, max_problems: int = 20
) -> Generator[ImportProgress]:
    """Stores the valid tools in a file, in committed batches of 500.

    After an interruption, the import can be run again: tools that are already stored count as
    unchanged.

    Args:
        path: path of a JSONL file or JSON array with elements ``{origin, name, description,
            input_schema, ...}``.
        store: function that passes a batch to api.import_items and returns its rows.
        max_tool_bytes: largest size of a definition.
        max_problems: largest number of rejections to keep with their reasons.

    Yields:
        The progress after each batch, always the same object.

    Raises:
        QmError: QM404 file_not_found; QM422 config_invalid for an array with a syntax error; errors
            from the database.
    """
    try:
        progress = ImportProgress(path, path.stat().st_size, max_problems)
        for batch in batches(_tools(path, progress, max_tool_bytes), BATCH_TOOLS):
            lines = [line for line, _ in batch]
            for line, row in zip(lines, store([tool for _, tool in batch]), strict=True):
                if row["outcome"] == "rejected":
                    progress.reject(line, f"{row['name']}: {row['reason']}")
                else:
                    progress.counts[row["outcome"]] += 1
            yield progress
    except OSError as error:
        raise unreadable(path, error) from error
    progress.bytes_read = progress.bytes_total
    yield progress


def _tools(
    path: Path, progress: ImportProgress, max_tool_bytes: int
) -> Iterator[tuple[tuple[int, JsonObject], int]]:
    """Yields the line number of each tool, the form in which it is stored, and its length in the
    file.
    """
    for line, length, entry in _entries(path, progress):
        try:
            yield (line, stored_tool(entry, max_tool_bytes)), length
        except ToolRejectedError as reason:
            progress.reject(line, str(reason))


def _entries(path: Path, progress: ImportProgress) -> Iterator[Entry]:
    """Yields the line number, the length in bytes and the value of each entry. In an array, the
    position of the entry replaces the line number.
    """
    with path.open("rb") as file:
        first = file.read(1024).lstrip(b"\xef\xbb\xbf \t\r\n")
        file.seek(0)
        if first.startswith(b"["):
            yield from _array(path)
            return
        for number, line in enumerate(file, start=1):
            progress.bytes_read += len(line)
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
                if text:
                    yield number, len(line), parse(text)[0]
            except UnicodeDecodeError as error:
                progress.reject(number, f"byte {error.start + 1} of the line is not UTF-8")
            except SyntaxProblem as problem:
                progress.reject(number, f"{problem.what} at column {problem.column}")


def _array(path: Path) -> Iterator[Entry]:
    from quartermaster.clients.reading import read_text

    try:
        entries: object = parse(read_text(path))[0]
    except SyntaxProblem as problem:
        raise syntax_error(str(path), problem) from None
    for number, entry in enumerate(cast("list[object]", entries), start=1):
        yield number, len(json.dumps(entry)), entry


def stored_tool(entry: object, max_tool_bytes: int) -> JsonObject:
    """Converts a tool in a file to the form that api.import_items expects.

    Args:
        entry: the tool, ``{origin, name, description, input_schema, ...}``.
        max_tool_bytes: largest size of a definition.

    Raises:
        ToolRejectedError: the tool cannot be stored.
    """
    if not isinstance(entry, dict):
        raise ToolRejectedError("expected an object {origin, name, description, input_schema}")
    given = cast("JsonObject", entry)
    for member in ("origin", "name"):
        if not isinstance(given.get(member), str) or not given[member]:
            raise ToolRejectedError(f"expected a text in {member!r}")
    for member in ("inputSchema", "input_schema"):
        schema: object = given.get(member)
        # Short forms leave out that arguments are an object.
        if isinstance(schema, dict) and "properties" in schema:
            given = given | {member: {"type": "object", **cast("JsonObject", schema)}}
    return stored_form(given, max_tool_bytes, _MEMBERS)
