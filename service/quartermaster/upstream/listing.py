"""What a connected upstream offers: its tools, resources, resource templates and prompts.

One of two modules that reach into the SDK's session, whose public methods drop what they do not
know; hence the pin on its minor version.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

import mcp_types as types
from mcp import MCPError
from mcp.client.session import ClientSession
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError

from quartermaster.core.logs import get_logger
from quartermaster.upstream.request import send_raw

MAX_TOOLS: Final = 10_000
_MAX_PAGES: Final = 1_000

JsonObject = dict[str, Any]
AssetKind = Literal["resource", "resource_template", "prompt"]

_ASSETS: Final[tuple[tuple[AssetKind, str, str, type[BaseModel]], ...]] = (
    ("resource", "resources/list", "resources", types.Resource),
    ("resource_template", "resources/templates/list", "resourceTemplates", types.ResourceTemplate),
    ("prompt", "prompts/list", "prompts", types.Prompt),
)


@dataclass(frozen=True, slots=True)
class Rejected:
    """A definition that breaks the protocol's schema.

    Attributes:
        kind: tool, resource, resource_template or prompt.
        position: index in the listing, from 0.
        name: as it was written, None without one.
        reason: what is wrong, with the field.
    """

    kind: str
    position: int
    name: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class ToolListing:
    """Everything an upstream says about itself and what it offers.

    Attributes:
        tools: valid definitions as they came over the wire, unknown fields included.
        rejected: the others, of every kind.
        truncated: whether the server had more tools than were asked for.
        protocol_version: as negotiated, such as ``2026-07-28``.
        server: its ``serverInfo`` (name, version, title...), None if it did not say.
        instructions: its advice to models, None if it gave none.
        assets: valid definitions of resources, templates and prompts, by kind; a kind that it
            could not list is missing.
    """

    tools: Sequence[JsonObject]
    rejected: Sequence[Rejected]
    truncated: bool
    protocol_version: str
    server: JsonObject | None
    instructions: str | None
    assets: dict[AssetKind, list[JsonObject]]


async def fetch_tools(session: ClientSession, max_tools: int = MAX_TOOLS) -> ToolListing:
    """All pages of the upstream's tools, resources, templates and prompts.

    Raises:
        MCPError: the upstream answered with an error or is gone.
        ValueError: an answer is not a listing, or its pages never end.
    """
    listed, truncated = await _fetch_pages(session, "tools/list", "tools", max_tools)
    valid, rejected = _sort_out(session, listed)
    assets, rejected_assets = await _fetch_assets(session, max_tools)
    info = session.server_info
    return ToolListing(
        tools=valid,
        rejected=rejected + rejected_assets,
        truncated=truncated,
        protocol_version=session.protocol_version or "",
        server=info.model_dump(by_alias=True, mode="json", exclude_none=True) if info else None,
        instructions=session.instructions,
        assets=assets,
    )


async def _fetch_assets(
    session: ClientSession, maximum: int
) -> tuple[dict[AssetKind, list[JsonObject]], list[Rejected]]:
    capabilities = session.server_capabilities or types.ServerCapabilities()
    assets: dict[AssetKind, list[JsonObject]] = {}
    rejected: list[Rejected] = []
    for kind, method, member, model in _ASSETS:
        assets[kind] = []
        if not (capabilities.prompts if kind == "prompt" else capabilities.resources):
            continue
        try:
            listed, _ = await _fetch_pages(session, method, member, maximum)
        except (MCPError, ValueError) as error:
            if isinstance(error, MCPError) and error.code == types.CONNECTION_CLOSED:
                raise
            if not (isinstance(error, MCPError) and error.code == types.METHOD_NOT_FOUND):
                # What was known before stays; the tools are worth more than a failure.
                del assets[kind]
                get_logger().warning("upstream_list_failed", method=method, error=str(error))
            continue
        for position, raw in enumerate(listed):
            try:
                model.model_validate(raw, by_name=False)
                assets[kind].append(cast("JsonObject", raw))
            except ValidationError as error:
                rejected.append(Rejected(kind, position, _name_of(raw), _reason(error)))
    return assets, rejected


async def _fetch_pages(
    session: ClientSession, method: str, member: str, maximum: int
) -> tuple[list[object], bool]:
    """What a server lists, at most so much of it, and whether there is more."""
    listed: list[object] = []
    cursor: str | None = None
    seen: set[str] = set()
    while True:
        page = await send_raw(session, method, {} if cursor is None else {"cursor": cursor})
        entries: object = page.get(member)
        following: object = page.get("nextCursor")
        if not isinstance(entries, list) or not isinstance(following, str | None):
            raise ValueError(f"its {method} answer has no list of {member}")  # noqa: TRY004
        listed += cast("list[object]", entries)
        cursor = following
        if cursor is None or len(listed) > maximum:
            break
        if cursor in seen or len(seen) >= _MAX_PAGES:
            raise ValueError(f"its {method} does not end: cursor {cursor[:80]!r} again")
        seen.add(cursor)
    return listed[:maximum], len(listed) > maximum or cursor is not None


def _sort_out(
    session: ClientSession, listed: list[object]
) -> tuple[list[JsonObject], list[Rejected]]:
    valid: list[JsonObject] = []
    models: list[types.Tool] = []
    rejected: list[Rejected] = []
    for position, raw in enumerate(listed):
        try:
            models.append(types.Tool.model_validate(raw, by_name=False))
            valid.append(cast("JsonObject", raw))
        except ValidationError as error:
            rejected.append(Rejected("tool", position, _name_of(raw), _reason(error)))
    if session.protocol_version in MODERN_PROTOCOL_VERSIONS:
        # Teaches the session which arguments travel in headers too; drops what may not be called.
        listing = types.ListToolsResult(tools=models)
        kept = session._absorb_tool_listing(  # pyright: ignore[reportPrivateUsage]
            listing, complete=True
        )
        callable_ids = {id(model) for model in kept.tools}
        if len(callable_ids) < len(models):
            refused = [id(model) not in callable_ids for model in models]
            rejected += [
                Rejected(
                    "tool", listed.index(raw), _name_of(raw), "inputSchema: invalid x-mcp-header"
                )
                for raw, is_refused in zip(valid, refused, strict=True)
                if is_refused
            ]
            valid = [raw for raw, no in zip(valid, refused, strict=True) if not no]
    return valid, rejected


def _name_of(raw: object) -> str | None:
    name = cast("JsonObject", raw).get("name") if isinstance(raw, dict) else None
    return name if isinstance(name, str) else None


def _reason(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(map(str, first["loc"])) or "definition"
    return f"{where}: {first['msg']}"
