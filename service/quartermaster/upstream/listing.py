"""Lists what a connected upstream offers: its tools, resources, resource templates and prompts.

This is one of two modules that use internals of the SDK's session, because its public methods drop
unknown members. The SDK's minor version is therefore pinned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar, cast

import mcp_types as types
from mcp import MCPError
from mcp.client.session import ClientSession
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError

from quartermaster.core.large import handled
from quartermaster.core.logs import get_logger
from quartermaster.core.tool_repair import repaired_definition
from quartermaster.upstream.request import send_raw

MAX_TOOLS: Final = 10_000
_MAX_PAGES: Final = 1_000

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
        position: index in the listing, from 0.
        name: name as the upstream sent it; None if it sent none.
        reason: the problem, with the name of the field.
    """

    kind: str
    position: int
    name: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class ToolListing:
    """Everything that an upstream says about itself and its offer.

    Attributes:
        tools: valid tool definitions as they were received, including unknown fields.
        rejected: invalid definitions of every kind.
        truncated: whether the server had more tools than the requested maximum.
        protocol_version: negotiated protocol version, such as ``2026-07-28``.
        server: the server's ``serverInfo`` (name, version, title...); None if it sent none.
        instructions: the server's advice to models; None if it gave none.
        assets: valid definitions of resources, templates and prompts, by kind. A kind that the
            server could not list is missing.
    """

    tools: Sequence[JsonObject]
    rejected: Sequence[Rejected]
    truncated: bool
    protocol_version: str
    server: JsonObject | None
    instructions: str | None
    assets: dict[AssetKind, list[JsonObject]]


async def fetch_tools(session: ClientSession, max_tools: int = MAX_TOOLS) -> ToolListing:
    """Lists the upstream's tools, resources, templates and prompts with all their pages.

    Raises:
        MCPError: the upstream answered with an error or is gone.
        ValueError: an answer is not a listing, or the pages do not end.
    """
    sent, truncated = await _fetch_pages(session, "tools/list", "tools", max_tools)
    listed = await handled(sent, lambda: [repaired_definition(one) for one in sent])
    tools, rejected = await handled(listed, _sort_out, "tool", types.Tool, listed)
    if session.protocol_version in MODERN_PROTOCOL_VERSIONS:
        rejected += _absorb(session, tools, listed)
    assets: dict[AssetKind, list[JsonObject]] = {}
    for kind, method, member, model in _ASSETS:
        found = await _fetch_asset(session, kind, method, member, max_tools)
        if found is not None:
            valid, wrong = await handled(found, _sort_out, kind, model, found)
            assets[kind] = [raw for raw, _ in valid]
            rejected += wrong
    info = session.server_info
    return ToolListing(
        tools=[raw for raw, _ in tools],
        rejected=rejected,
        truncated=truncated,
        protocol_version=session.protocol_version or "",
        server=info.model_dump(by_alias=True, mode="json", exclude_none=True) if info else None,
        instructions=session.instructions,
        assets=assets,
    )


async def _fetch_asset(
    session: ClientSession, kind: AssetKind, method: str, member: str, maximum: int
) -> list[object] | None:
    """Lists one kind; returns None on failure, so that the known items are kept."""
    capabilities = session.server_capabilities or types.ServerCapabilities()
    if not (capabilities.prompts if kind == "prompt" else capabilities.resources):
        return []
    try:
        return (await _fetch_pages(session, method, member, maximum))[0]
    except (MCPError, ValueError) as error:
        code = error.code if isinstance(error, MCPError) else None
        if code == types.CONNECTION_CLOSED:
            raise
        if code == types.METHOD_NOT_FOUND:
            return []
        # The other lists, such as the list of tools, are still useful, so this failure is only
        # logged.
        get_logger().warning("upstream_list_failed", method=method, error=str(error))
        return None


async def _fetch_pages(
    session: ClientSession, method: str, member: str, maximum: int
) -> tuple[list[object], bool]:
    """Lists items up to a limit and returns whether the server has more."""
    listed: list[object] = []
    cursor: str | None = None
    seen: set[str] = set()
    while True:
        page = await send_raw(session, method, {} if cursor is None else {"cursor": cursor})
        entries: object = page.get(member)
        following: object = page.get("nextCursor")
        if not isinstance(entries, list) or not isinstance(following, str | None):
            raise ValueError(f"the answer to {method} has no list of {member}")  # noqa: TRY004
        listed += cast("list[object]", entries)
        cursor = following
        if cursor is None or len(listed) > maximum:
            break
        if cursor in seen or len(seen) >= _MAX_PAGES:
            raise ValueError(f"the answers to {method} repeat the cursor {cursor[:80]!r}")
        seen.add(cursor)
    return listed[:maximum], len(listed) > maximum or cursor is not None


def _sort_out(
    kind: str, model: type[Model], listed: list[object]
) -> tuple[list[tuple[JsonObject, Model]], list[Rejected]]:
    """Returns the valid definitions, each in received and in parsed form, and the invalid
    definitions.
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
    """Tells the session which arguments are also sent as headers; drops tools that cannot be
    called.
    """
    listing = types.ListToolsResult(tools=[read for _, read in tools])
    kept = session._absorb_tool_listing(  # pyright: ignore[reportPrivateUsage]
        listing, complete=True
    )
    callable_ids = {id(read) for read in kept.tools}
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
