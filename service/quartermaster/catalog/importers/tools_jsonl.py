"""Files of tool definitions: one JSON object on each line, or one array of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from quartermaster.catalog.importers.short_schema import unabridged
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

StoreBatch = Callable[[list[JsonObject]], list[dict[str, Any]]]
Entry = tuple[int, int, object]


@dataclass(slots=True)
class ImportProgress:
    """How far an import is.

    Attributes:
        file: its path.
        bytes_read, bytes_total: of the file.
        counts: tools by outcome: added, changed, unchanged, rejected.
        problems: ``FILE:LINE: what is wrong`` of the first rejected ones.
        max_problems: how many of them are kept.
    """

    file: Path
    bytes_total: int
    max_problems: int
    bytes_read: int = 0
    counts: Counter[str] = field(default_factory=Counter[str])
    problems: list[str] = field(default_factory=list[str])

    @property
    def tools(self) -> int:
        """How many were dealt with."""
        return self.counts.total()

    def reject(self, line: int, reason: str) -> None:
        """Counts a tool that is left out."""
        self.counts["rejected"] += 1
        if len(self.problems) < self.max_problems:
            self.problems.append(cleaned(f"{self.file}:{line}: {reason}"))


def import_tools(
    path: Path, store: StoreBatch, *, max_tool_bytes: int, max_problems: int = 20
) -> Generator[ImportProgress]:
    """Stores the tools of a file in batches of 500, each committed, without invalid ones.

    Interrupted, it is simply run again: what is stored already counts as unchanged.

    Args:
        path: JSONL, or a JSON array; elements ``{origin, name, description, input_schema, ...}``.
        store: hands a batch to api.import_items and returns its rows.
        max_tool_bytes: the largest definition allowed.
        max_problems: how many rejections are kept with their reason.

    Yields:
        After each batch, always the same object.

    Raises:
        QmError: QM404 file_not_found; QM422 config_invalid for an array with a syntax error; what
            the database raises.
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
    """Line and stored form of each tool, and its length in the file."""
    for line, length, entry in _entries(path, progress):
        try:
            yield (line, stored_tool(entry, max_tool_bytes)), length
        except ToolRejectedError as reason:
            progress.reject(line, str(reason))


def _entries(path: Path, progress: ImportProgress) -> Iterator[Entry]:
    """Line, length in bytes and value of each entry; in an array, the position is the line."""
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
    from quartermaster.catalog.importers.mcp_servers import read_text

    try:
        entries: object = parse(read_text(path))[0]
    except SyntaxProblem as problem:
        raise syntax_error(str(path), problem) from None
    for number, entry in enumerate(cast("list[object]", entries), start=1):
        yield number, len(json.dumps(entry)), entry


def stored_tool(entry: object, max_tool_bytes: int) -> JsonObject:
    """A tool of a file in the form of api.import_items.

    Args:
        entry: ``{origin, name, description, input_schema, ...}``.
        max_tool_bytes: the largest definition allowed.

    Raises:
        ToolRejectedError: it cannot be stored.
    """
    if not isinstance(entry, dict):
        raise ToolRejectedError("expected an object {origin, name, description, input_schema}")
    given = cast("JsonObject", entry)
    for member in ("origin", "name"):
        if not isinstance(given.get(member), str) or not given[member]:
            raise ToolRejectedError(f"expected the text {member!r}")
    for member in ("inputSchema", "input_schema"):
        if isinstance(given.get(member), dict):
            given = given | {member: unabridged(given[member])}
    return stored_form(given, max_tool_bytes, _MEMBERS)
