"""The list of all tools of a caller, for clients that search by themselves (``?list=all``).

The database chooses the tools. Caches of prompts begin with the list, so the same tools always make
the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock
from typing import Any, Final

from anyio import to_thread
from cachetools import LRUCache

from quartermaster import api
from quartermaster.db import Database, Principal, Row
from quartermaster.doors.mcp.asked_words import asked_words, name_parts, own_words
from quartermaster.doors.mcp.definitions import listed_definition
from quartermaster.doors.mcp.short_definitions import MOST_BYTES, shortened
from quartermaster.guardrails.masking import sanitized

LIST_KEY: Final = "quartermaster/list"
"""Member of ``_meta`` in a list that is not complete."""

SEARCH_HINT: Final = "anthropic/searchHint"
"""Member of ``_meta`` of a tool: words by which Claude Code finds it, beside its name."""

_COLUMNS: Final = ("title", "description", "input_schema", "output_schema", "annotations")
_LONGEST_HINT: Final = 120
_LONGEST_WORDS: Final = 600
# Bytes of the member that holds the hint.
_AROUND: Final = 60
_MOST_KNOWN: Final = 2_048
_Definition = dict[str, Any]


@dataclass(frozen=True)
class Extent:
    """How many of the tools of a caller are in the list.

    Attributes:
        listed: number of tools in the list.
        visible: number of tools that would be in it without a maximum.
    """

    listed: int
    visible: int

    @property
    def left_out(self) -> int:
        """Number of tools that are not in the list."""
        return self.visible - self.listed

    def notice(self) -> str:
        """Returns what to do about the tools that are not in the list; empty if it is complete."""
        if self.left_out <= 0:
            return ""
        return (
            f"Your tool list has {self.listed} of {self.visible} tools; search_tools finds the"
            " others. To choose which are listed, put them into a toolset (qm toolset put NAME)"
            " and connect to /mcp/NAME?list=all."
        )


@dataclass(frozen=True)
class WholeList:
    """Lists tools in short definitions.

    Attributes:
        database: database that decides which tools are listed, and in which order.
    """

    database: Database

    async def extent(self, principal: Principal) -> Extent:
        """Returns how many tools are in the list of a principal.

        Raises:
            QmError: the errors of service.list_tools.
        """
        rows = await self.database.call(api.list_tools(), principal)
        return _extent(rows)

    async def definitions(
        self, principal: Principal, protocol_version: str
    ) -> tuple[dict[str, _Definition], Extent]:
        """Returns the definitions by name, in alphabetical order, and how many there are.

        Args:
            principal: principal whose tools are listed.
            protocol_version: protocol version that the client uses.

        Raises:
            QmError: the errors of service.list_tools.
        """
        rows = await self.database.call(api.list_tools(), principal)
        is_pinned = principal.toolset is not None
        tools = await to_thread.run_sync(_definitions, rows, protocol_version, is_pinned)
        return tools, _extent(rows)


_known: LRUCache[tuple[object, ...], _Definition | None] = LRUCache(_MOST_KNOWN)
_lock = Lock()


def _extent(rows: Sequence[Row]) -> Extent:
    return Extent(len(rows), rows[0]["visible"] if rows else 0)


def _definitions(
    rows: Sequence[Row], protocol_version: str, is_pinned: bool
) -> dict[str, _Definition]:
    found = {row["name"]: _definition(row, protocol_version, is_pinned) for row in rows}
    return {name: tool for name, tool in found.items() if tool is not None}


def _definition(row: Row, protocol_version: str, is_pinned: bool) -> _Definition | None:
    """Returns the definition of one tool; None if the protocol version cannot express it. To check
    and shorten a definition takes long, so it is done once.
    """
    digest = sha256(row["definition"].encode()).digest()
    key = (row["name"], digest, row["hint"], protocol_version, is_pinned)
    with _lock:
        if key in _known:
            return _known[key]
    tool = short_definition(row, protocol_version, is_pinned=is_pinned)
    with _lock:
        _known[key] = tool
    return tool


def short_definition(row: Row, protocol_version: str, *, is_pinned: bool) -> _Definition | None:
    """Returns a short definition for ``tools/list``; None if the protocol version cannot express
    it.

    Args:
        row: row from service.list_tools.
        protocol_version: protocol version that the client uses.
        is_pinned: see `listed_definition`.
    """
    published: Mapping[str, Any] = json.loads(row["definition"])
    columns = {name: published.get(name) for name in _COLUMNS}
    columns |= {"name": row["name"], "extra": published.get("extra") or {}}
    tool = listed_definition(columns, protocol_version, is_pinned=is_pinned)
    return None if tool is None else _with_words(tool, published["name"], sanitized(row["hint"]))


def _with_words(tool: _Definition, name: str, hint: str) -> _Definition:
    """Returns a short definition with words by which a client may find the tool: in the title, at
    the end of the description, and in the hint.
    """
    description: str = tool.get("description") or ""
    arguments: Mapping[str, Any] = tool["inputSchema"].get("properties") or {}
    meta: _Definition = tool.get("_meta") or {}
    asked = asked_words(name, description)
    own = own_words(name, [str(meta.get(SEARCH_HINT, "")), description, *arguments])
    words = _first_bytes(" ".join([hint[:_LONGEST_HINT], *asked, *own]).strip(), _LONGEST_WORDS)
    also = f"Also: {' '.join(asked)}."
    if not tool.get("title"):
        server = tool["name"].partition("__")[0]
        tool = {**tool, "title": " ".join(name_parts(f"{server} {name}"))}
    short = shortened(tool, MOST_BYTES - len(f"{also}{words}".encode()) - _AROUND)
    if asked:
        purpose = short["description"]
        short["description"] = f"{purpose}{'' if purpose[-1:] in '.!?…' else '.'} {also}"
    short["_meta"] = {**(short.get("_meta") or {}), SEARCH_HINT: words}
    return short


def _first_bytes(words: str, most: int) -> str:
    """Returns as many of the words as so many bytes hold."""
    if len(encoded := words.encode("utf-8", "ignore")) <= most:
        return words
    return encoded[:most].decode("utf-8", "ignore").rpartition(" ")[0]
