"""Sends requests to an upstream over its connection: listings, calls and all other requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import anyio
import mcp_types as types
from mcp import MCPError
from mcp.client.session import ClientSession
from mcp.shared.dispatcher import ProgressFnT
from pydantic import TypeAdapter, ValidationError

from quartermaster.core.large import handled
from quartermaster.core.logs import current_request_id
from quartermaster.upstream.answer_repair import repaired_answer
from quartermaster.upstream.connection import UpstreamConnection
from quartermaster.upstream.exchange import LEVELS, NO_REQUESTER, Requester
from quartermaster.upstream.failure import classify
from quartermaster.upstream.link import UpstreamLink
from quartermaster.upstream.listing import JsonObject, ToolListing, fetch_tools
from quartermaster.upstream.request import CALLS, REQUEST_ID, checked, send_raw

CallResult = types.CallToolResult | types.InputRequiredResult

_CALL_RESULT: Final[TypeAdapter[CallResult]] = TypeAdapter(CallResult)


async def list_tools(connection: UpstreamConnection, max_tools: int) -> ToolListing:
    """Lists everything that the upstream offers; see `listing.fetch_tools`.

    Raises:
        UpstreamError: the listing failed.
    """

    async def fetch(link: UpstreamLink) -> ToolListing:
        with anyio.fail_after(connection.spec.list_timeout_s):
            return await fetch_tools(link.session, max_tools)

    return await connection.use(fetch, "listing its tools", is_call=False, waits_for_start=True)


def parsed_call(origin: str, result: JsonObject) -> CallResult:
    """Returns the typed result of a call.

    Raises:
        UpstreamError: QM502 ``upstream_schema``.
    """
    try:
        return _CALL_RESULT.validate_python(result, by_name=False)
    except ValidationError as error:
        raise classify(error, origin, "calling a tool", sent=True) from error


async def request(
    connection: UpstreamConnection,
    method: str,
    params: Mapping[str, Any],
    *,
    requester: Requester | None = None,
    on_progress: ProgressFnT | None = None,
    timeout_s: float | None = None,
) -> JsonObject:
    """Sends a request of any method on behalf of a client, and returns the result unchanged.

    Does not check whether the upstream lists the tool, or whether the result conforms to the output
    schema. A call is sent a second time only if the first attempt cannot have reached the upstream.
    Cancelling the caller also cancels the request upstream.

    Args:
        connection: connection to the upstream.
        method, params: method and parameters of the request, in wire form.
        requester: client to which the upstream may send questions and log messages during the
            request; None if there is no client.
        on_progress: awaited with (progress, total, message) for each progress report.
        timeout_s: time limit instead of the spec's ``call_timeout_s``. It also applies to the wait
            for a free slot; connecting has a separate limit.

    Raises:
        UpstreamError: QM504 ``upstream_timeout``, QM429 ``upstream_busy``, or otherwise QM502
            ``upstream_KIND``. The kind is ``tool_error``, with the reply, if the upstream answered
            with a JSON-RPC error.
    """
    limit_s = timeout_s or connection.spec.call_timeout_s
    whose = requester or NO_REQUESTER
    request_id = current_request_id()
    if request_id is not None and connection.spec.transport != "http":
        # Over HTTP, the id is sent as a header.
        params = {**params, "_meta": {**(params.get("_meta") or {}), REQUEST_ID: request_id}}

    async def send(link: UpstreamLink) -> JsonObject:
        await _set_log_level(link, whose.log_level)
        with link.exchanges.open(whose, limit_s):
            return await _send(link.session, method, params, requester, on_progress)

    doing = f"calling {params.get('name')!r}" if method in CALLS else f"answering {method}"
    async with connection.admission.slot(whose.principal, limit_s):
        return await connection.use(send, doing, is_call=method in CALLS)


async def _send(
    session: ClientSession,
    method: str,
    params: Mapping[str, Any],
    requester: Requester | None,
    on_progress: ProgressFnT | None,
) -> JsonObject:
    async def send() -> JsonObject:
        result = await send_raw(
            session, method, params, requester=requester, on_progress=on_progress
        )
        if method in CALLS:
            result = await handled(result, repaired_answer, result)
        return await handled(result, checked, session, method, result)

    try:
        return await send()
    except MCPError as error:
        if error.code != types.HEADER_MISMATCH:
            raise
        # The call was refused before it ran, because the tool requires arguments repeated in
        # headers. The session can send these headers only for tools that it has listed.
        await fetch_tools(session)
        return await send()


async def _set_log_level(link: UpstreamLink, level: types.LoggingLevel | None) -> None:
    """Sets the log level of a handshake upstream. A connection has only one level, so it gets the
    most verbose level that any client wants.
    """
    if level is None or link.is_stateless or link.capabilities.logging is None:
        return
    if link.log_level is None or LEVELS.index(level) < LEVELS.index(link.log_level):
        link.log_level = level
        await send_raw(link.session, "logging/setLevel", {"level": level})
