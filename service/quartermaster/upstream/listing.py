"""Lists the tools, resources, resource templates and prompts of a connected upstream.

This is one of two modules that use internals of the SDK's session, because its public methods drop
unknown members. The SDK's minor version is therefore pinned.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final, Literal, TypeVar, cast

import mcp_types as types
from mcp import MCPError
from mcp.client.session import ClientSession
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError

from quartermaster.core.large import handled
from quartermaster.core.logs import get_logger
from quartermaster.core.tool_repair import repaired_definition
from quartermaster.upstream.failure import classify
from quartermaster.upstream.messages import MAX_MESSAGE_BYTES
from quartermaster.upstream.request import send_raw

MAX_TOOLS: Final = 10_000
_MAX_PAGES: Final = 1_000
MAX_LIST_BYTES: Final = MAX_MESSAGE_BYTES
"""Largest size of one list, as JSON, over all its pages."""
# Pages in a row that hold nothing, as after a filter.
_MAX_EMPTY: Final = 10

JsonObject = dict[str, Any]
Model = TypeVar("Model", bound=BaseModel)
AssetKind = Literal["resource", "resource_template", "prompt"]

_ASSETS: Final[tuple[tuple[AssetKind, str, str, type[BaseModel]], ...]] = (
    ("resource", "resources/list", "resources", types.Resource),
    ("resource_template", "resources/templates/list", "resourceTemplates", types.ResourceTemplate),
    ("prompt", "prompts/list", "prompts", types.Prompt),
)


@dataclass(frozen=True, slots=True)
class Rejected:
    """A definition that violates the protocol's schema.

    Attributes:
        kind: tool, resource, resource_template or prompt.
        position: index in the listing, starting at 0.
        name: name as the upstream sent it; None if it sent none.
        reason: the problem, with the name of the field.
    """

    kind: str
    position: int
    name: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class ToolListing:
    """Everything that an upstream says about itself and its items.

    Attributes:
        tools: valid tool definitions as they were received, including unknown fields.
        rejected: invalid definitions of every kind.
        truncated: whether the server had more tools than the requested maximum.
        protocol_version: negotiated protocol version, such as ``2026-07-28``.
        server: the server's ``serverInfo`` (name, version, title...); None if it sent none.
        instructions: the server's advice to models; None if it gave none.
        assets: valid definitions of resources, templates and prompts, by kind. A kind that the
            server could not list is missing.
        warnings: sentences about entries that were left out or could not be understood.
    """

    tools: Sequence[JsonObject]
    rejected: Sequence[Rejected]
    truncated: bool
    protocol_version: str
    server: JsonObject | None
    instructions: str | None
    assets: dict[AssetKind, list[JsonObject]]
    warnings: Sequence[str] = ()


@dataclass(slots=True)
class _Pages:
    """A list that is read page by page.

    Attributes:
        listed: the entries that were read up to now.
        is_cut: whether the server has more entries than were requested.
        warning: why the list ends here, although the server may have more.
        size: characters of JSON that were read up to now.
    """

    listed: list[object] = field(default_factory=list[object])
    is_cut: bool = False
    warning: str | None = None
    size: int = 0
    _known: set[bytes] = field(default_factory=set[bytes])
    _cursors: set[str] = field(default_factory=set[str])
    _empty: int = 0

    def add(self, entries: list[object]) -> bool:
        """Adds those entries of a page that no earlier page contained.

        Returns:
            Whether the page contains at least one new entry.
        """
        before = len(self.listed)
        texts = [json.dumps(entry, sort_keys=True) for entry in entries]
        digests = [sha256(text.encode()).digest() for text in texts]
        for entry, text, digest in zip(entries, texts, digests, strict=True):
            if digest not in self._known:
                self.listed.append(entry)
                self.size += len(text)
        self._known.update(digests)
        return len(self.listed) > before

    def why_last(self, cursor: object, *, repeats: bool, is_empty: bool) -> str | None:
        """Returns why the listing must end after a page, although the server named a cursor; None
        if it can continue.

        Args:
            cursor: the cursor for the next page.
            repeats: whether the page contains only entries of earlier pages.
            is_empty: whether the page has no entries.
        """
        text = str(cursor)
        self._empty = self._empty + 1 if is_empty else 0
        if not isinstance(cursor, str | int | float) or isinstance(cursor, bool):
            return f"its cursor is no text: {text[:80]}"
        if text in self._cursors:
            return f"its cursor {text[:80]!r} repeats"
        if repeats:
            return "a page repeats what came before"
        if self.size > MAX_LIST_BYTES:
            return f"it has more than {MAX_LIST_BYTES:,} bytes"
        if self._empty > _MAX_EMPTY or len(self._cursors) >= _MAX_PAGES:
            return f"it has {len(self._cursors) + 1:,} pages, and no end"
        self._cursors.add(text)
        return None


async def fetch_tools(session: ClientSession, max_tools: int = MAX_TOOLS) -> ToolListing:
    """Lists the upstream's tools, resources, resource templates and prompts, over all pages.

    Raises:
        MCPError: the upstream answered with an error or is gone.
        ValueError: an answer is not a listing.
    """
    pages = await _fetch_pages(session, "tools/list", "tools", max_tools)
    warnings = [pages.warning]
    listed = await handled(pages.listed, lambda: [repaired_definition(one) for one in pages.listed])
    if pages.is_cut:
        warnings.append(f"The server lists more tools than the {len(listed):,} that were read.")
    tools, rejected = await handled(listed, _sort_out, "tool", types.Tool, listed)
    if session.protocol_version in MODERN_PROTOCOL_VERSIONS:
        rejected += _absorb(session, tools, listed)
    assets: dict[AssetKind, list[JsonObject]] = {}
    for kind, method, member, model in _ASSETS:
        found = await _fetch_asset(session, kind, method, member, max_tools)
        warnings.append(found.warning)
        if found.warning is None or found.listed:
            valid, wrong = await handled(found.listed, _sort_out, kind, model, found.listed)
            assets[kind] = [raw for raw, _ in valid]
            rejected += wrong
    info = session.server_info
    return ToolListing(
        tools=[raw for raw, _ in tools],
        rejected=rejected,
        truncated=pages.is_cut,
        protocol_version=session.protocol_version or "",
        server=info.model_dump(by_alias=True, mode="json", exclude_none=True) if info else None,
        instructions=session.instructions,
        assets=assets,
        warnings=[warning for warning in warnings if warning is not None],
    )


async def _fetch_asset(
    session: ClientSession, kind: AssetKind, method: str, member: str, maximum: int
) -> _Pages:
    """Lists the definitions of one kind. After a failure, returns an empty list with a warning, and
    the catalog keeps the items that it already has.
    """
    capabilities = session.server_capabilities or types.ServerCapabilities()
    if not (capabilities.prompts if kind == "prompt" else capabilities.resources):
        return _Pages()
    try:
        return await _fetch_pages(session, method, member, maximum)
    except (MCPError, ValueError) as error:
        why = str(error)
        if isinstance(error, MCPError):
            failure = classify(error, "", f"answering {method}", sent=True)
            if failure.lost:
                raise
            if error.code == types.METHOD_NOT_FOUND:
                return _Pages()
            why = failure.what
        # The other lists, such as the list of tools, are still useful.
        get_logger().warning("upstream_list_failed", method=method, error=why)
        return _Pages(warning=f"The list {method} was not read: {why}")


async def _fetch_pages(session: ClientSession, method: str, member: str, maximum: int) -> _Pages:
    """Lists items up to a limit. If the pages do not end correctly, the items that were read until
    then are still returned.

    Raises:
        MCPError: the upstream answered with an error or is gone.
        ValueError: an answer is not a listing.
    """
    pages = _Pages()
    cursor: object = None
    why: str | None = None
    while why is None:
        try:
            asked = {} if cursor is None else {"cursor": str(cursor)}
            page = await send_raw(session, method, asked)
        except MCPError as error:
            if isinstance(cursor, str | None) or error.code != types.INVALID_PARAMS:
                raise
            # The server gave a number, and refuses the text that a cursor has to be.
            why = f"its cursor is the number {cursor}"
            break
        entries: object = page.get(member)
        if not isinstance(entries, list):
            raise ValueError(f"the answer to {method} has no list of {member}")  # noqa: TRY004
        found = cast("list[object]", entries)
        has_fresh = await handled(found, pages.add, found)
        cursor = page.get("nextCursor")
        pages.is_cut = len(pages.listed) > maximum
        if pages.is_cut or cursor is None or cursor == "":
            del pages.listed[maximum:]
            return pages
        why = pages.why_last(cursor, repeats=bool(found and not has_fresh), is_empty=not found)
    number = len(pages.listed)
    get_logger().warning("upstream_list_ended", method=method, listed=number, why=why)
    pages.warning = f"The list {method} was ended, because {why}. Entries read: {number:,}."
    return pages


def _sort_out(
    kind: str, model: type[Model], listed: list[object]
) -> tuple[list[tuple[JsonObject, Model]], list[Rejected]]:
    """Separates valid and invalid definitions. Each valid definition is returned as received and as
    parsed.
    """
    valid: list[tuple[JsonObject, Model]] = []
    rejected: list[Rejected] = []
    for position, raw in enumerate(listed):
        try:
            read = model.model_validate(raw, by_name=False)
            valid.append((cast("JsonObject", raw), read))
        except ValidationError as error:
            rejected.append(Rejected(kind, position, _name_of(raw), _reason(error)))
    return valid, rejected


def _absorb(
    session: ClientSession, tools: list[tuple[JsonObject, types.Tool]], listed: list[object]
) -> list[Rejected]:
    """Tells the session which arguments of the tools are also sent as headers. Removes tools with
    invalid headers from `tools`, because they cannot be called, and returns them.
    """
    listing = types.ListToolsResult(tools=[read for _, read in tools])
    retained = session._absorb_tool_listing(  # pyright: ignore[reportPrivateUsage]
        listing, complete=True
    )
    callable_ids = {id(read) for read in retained.tools}
    refused = [raw for raw, read in tools if id(read) not in callable_ids]
    tools[:] = [(raw, read) for raw, read in tools if id(read) in callable_ids]
    reason = "inputSchema: invalid x-mcp-header"
    return [Rejected("tool", listed.index(raw), _name_of(raw), reason) for raw in refused]


def _name_of(raw: object) -> str | None:
    name = cast("JsonObject", raw).get("name") if isinstance(raw, dict) else None
    return name if isinstance(name, str) else None


def _reason(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(map(str, first["loc"])) or "definition"
    return f"{where}: {first['msg']}"
