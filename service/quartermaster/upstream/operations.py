"""What is asked of a connected upstream: its tools, and a call of one.

The only module that reaches into the SDK's session, whose public methods drop what they do not
know (listing) or ask for more than was wanted (calling); hence the pin on its minor version.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import mcp_types as types
from mcp import MCPError
from mcp.client.session import ClientSession
from mcp.shared.dispatcher import CallOptions, ProgressFnT
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import TypeAdapter, ValidationError

MAX_TOOLS: Final = 10_000
_MAX_PAGES: Final = 1_000
_CALL_RESULT: Final[TypeAdapter[types.CallToolResult | types.InputRequiredResult]] = TypeAdapter(
    types.CallToolResult | types.InputRequiredResult
)

CallResult = types.CallToolResult | types.InputRequiredResult
JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RejectedTool:
    """A definition that breaks the protocol's schema.

    Attributes:
        position: index in the listing, from 0.
        name: as it was written, None without one.
        reason: what is wrong, with the field.
    """

    position: int
    name: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class ToolListing:
    """Everything an upstream says about itself and its tools.

    Attributes:
        tools: valid definitions as they came over the wire, unknown fields included.
        rejected: the others.
        truncated: whether the server had more tools than were asked for.
        protocol_version: as negotiated, such as ``2026-07-28``.
        server: its ``serverInfo`` (name, version, title...), None if it did not say.
        instructions: its advice to models, None if it gave none.
    """

    tools: Sequence[JsonObject]
    rejected: Sequence[RejectedTool]
    truncated: bool
    protocol_version: str
    server: JsonObject | None
    instructions: str | None


async def fetch_tools(session: ClientSession, max_tools: int = MAX_TOOLS) -> ToolListing:
    """All pages of the upstream's tools.

    Raises:
        MCPError: the upstream answered with an error or is gone.
        ValueError: an answer is not a listing, or its pages never end.
    """
    listed: list[object] = []
    cursor: str | None = None
    seen: set[str] = set()
    while True:
        page = await _request(session, "tools/list", {} if cursor is None else {"cursor": cursor})
        tools: object = page.get("tools")
        following: object = page.get("nextCursor")
        if not isinstance(tools, list) or not isinstance(following, str | None):
            raise ValueError("its tools/list answer has no list of tools")  # noqa: TRY004
        listed += cast("list[object]", tools)
        cursor = following
        if cursor is None or len(listed) > max_tools:
            break
        if cursor in seen or len(seen) >= _MAX_PAGES:
            raise ValueError(f"its tools/list does not end: cursor {cursor[:80]!r} again")
        seen.add(cursor)
    truncated = len(listed) > max_tools or cursor is not None
    valid, rejected = _sort_out(session, listed[:max_tools])
    info = session.server_info
    return ToolListing(
        tools=valid,
        rejected=rejected,
        truncated=truncated,
        protocol_version=session.protocol_version or "",
        server=info.model_dump(by_alias=True, mode="json", exclude_none=True) if info else None,
        instructions=session.instructions,
    )


async def send_call(
    session: ClientSession,
    name: str,
    arguments: Mapping[str, Any] | None,
    *,
    meta: Mapping[str, Any] | None,
    on_progress: ProgressFnT | None,
    input_responses: Mapping[str, Any] | None,
    request_state: str | None,
    timeout_s: float,
) -> CallResult:
    """Call a tool and return its result whole: no second look at the list or the output schema.

    Raises:
        MCPError: the upstream answered with a JSON-RPC error, is gone or took too long.
        ValidationError: its result is not one of the protocol's.
    """
    params: JsonObject = {"name": name, "arguments": arguments, "_meta": meta}
    params |= {"inputResponses": input_responses, "requestState": request_state}
    given = {key: value for key, value in params.items() if value is not None}
    request = types.CallToolRequest(
        params=types.CallToolRequestParams.model_validate(given, by_name=False)
    )

    async def send() -> CallResult:
        return await session.send_request(
            request,
            _CALL_RESULT,
            request_read_timeout_seconds=timeout_s,
            progress_callback=on_progress,
        )

    try:
        return await send()
    except MCPError as error:
        if error.code != types.HEADER_MISMATCH:
            raise
        # Refused before it ran: the tool wants arguments repeated in headers, which the session
        # only knows how to do for tools it has listed.
        await fetch_tools(session)
        return await send()


async def _request(session: ClientSession, method: str, params: JsonObject) -> JsonObject:
    """One request and its result as it came over the wire."""
    data: JsonObject = {"method": method, "params": params}
    options: CallOptions = {}
    session._stamp(data, options)  # pyright: ignore[reportPrivateUsage]
    dispatcher = session._dispatcher  # pyright: ignore[reportPrivateUsage]
    return await dispatcher.send_raw_request(method, data["params"], options)


def _sort_out(
    session: ClientSession, listed: list[object]
) -> tuple[list[JsonObject], list[RejectedTool]]:
    valid: list[JsonObject] = []
    models: list[types.Tool] = []
    rejected: list[RejectedTool] = []
    for position, raw in enumerate(listed):
        try:
            models.append(types.Tool.model_validate(raw, by_name=False))
            valid.append(cast("JsonObject", raw))
        except ValidationError as error:
            rejected.append(RejectedTool(position, _name_of(raw), _reason(error)))
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
                RejectedTool(listed.index(raw), _name_of(raw), "inputSchema: invalid x-mcp-header")
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
