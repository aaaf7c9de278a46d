"""Sends a request to a connected upstream, and returns the result exactly as it was received.

This is one of two modules that use internals of the SDK's session, because its public methods drop
unknown members or send extra requests. The SDK's minor version is therefore pinned.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

import mcp_types as types
from mcp import MCPError
from mcp.client.session import ClientSession
from mcp.shared.dispatcher import CallOptions, ProgressFnT
from mcp_types import methods
from mcp_types.version import LATEST_HANDSHAKE_VERSION, MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel

from quartermaster.core.large import has_more_values
from quartermaster.core.logs import current_request_id
from quartermaster.upstream.exchange import Requester
from quartermaster.upstream.failure import MOST_PARTS, MOST_VALUES, marked_error

JsonObject = dict[str, Any]

REQUEST_ID: Final = "x-meta-request-id"
"""The name of the header, and of the member of ``_meta``, that contains the id of a request. Our
logs and the upstream's logs both contain this id.
"""

CALLS: Final = frozenset({"tools/call"})
"""Calls may have effects; all other requests may be repeated."""

_PROTOCOL_META: Final = "io.modelcontextprotocol/"
PROGRESS_TOKENS: Final = frozenset({"progressToken", "progress_token"})


async def send_raw(
    session: ClientSession,
    method: str,
    params: Mapping[str, Any],
    *,
    requester: Requester | None = None,
    on_progress: ProgressFnT | None = None,
) -> JsonObject:
    """Sends a request and returns its complete result.

    Args:
        session: session with the upstream.
        method: name of the protocol method.
        params: parameters in wire form. Members of ``_meta`` about the client's own connection are
            not sent.
        requester: client that made the request; a stateless upstream learns which questions that
            client can answer.
        on_progress: awaited with (progress, total, message) for each progress report.

    Raises:
        MCPError: the upstream answered with a JSON-RPC error or is gone.
        ValidationError: the result does not conform to the protocol.
    """
    meta = relayed_meta(params.get("_meta"))
    sent = {key: value for key, value in params.items() if key != "_meta"}
    data: JsonObject = {"method": method, "params": sent | ({"_meta": meta} if meta else {})}
    options: CallOptions = {}
    if (request_id := current_request_id()) is not None:
        # Only HTTP has headers; other transports use `_meta`.
        options["headers"] = {REQUEST_ID: request_id}
    session._stamp(data, options)  # pyright: ignore[reportPrivateUsage]
    if requester is not None and session.protocol_version in MODERN_PROTOCOL_VERSIONS:
        data["params"]["_meta"] |= _identity(requester)
    if on_progress is not None:
        options["on_progress"] = on_progress
    dispatcher = session._dispatcher  # pyright: ignore[reportPrivateUsage]
    return await dispatcher.send_raw_request(method, data["params"], options)


def checked(session: ClientSession, method: str, result: JsonObject) -> JsonObject:
    """Returns the result if the upstream's own revision allows it.

    Raises:
        ValidationError: the revision does not allow the result.
        MCPError: the result contains too many values or parts.
    """
    lists = [cast("list[object]", part) for part in result.values() if isinstance(part, list)]
    if any(len(parts) > MOST_PARTS for parts in lists):
        raise _too_large(f"{MOST_PARTS:,} parts")
    if has_more_values(result, MOST_VALUES):
        raise _too_large(f"{MOST_VALUES:,} values")
    if method in CALLS and result.get("resultType") != "input_required":
        # It has been repaired, and clients get what their own revisions allow.
        return result
    version = session.protocol_version or LATEST_HANDSHAKE_VERSION
    methods.validate_server_result(method, version, result)
    return result


def relayed_meta(meta: Mapping[str, Any] | None) -> JsonObject:
    """Returns the members of a client's ``_meta`` that are passed on to the upstream: all except
    the data about the client's own connection.
    """
    return {
        key: value
        for key, value in (meta or {}).items()
        if key not in PROGRESS_TOKENS and not key.startswith(_PROTOCOL_META)
    }


def _too_large(most: str) -> MCPError:
    what = f"sent an answer that has more than {most}"
    return MCPError(**marked_error("too_large", what, sent=True))


def _identity(requester: Requester) -> JsonObject:
    meta: JsonObject = {types.CLIENT_CAPABILITIES_META_KEY: _wire(requester.capabilities)}
    if requester.client is not None:
        meta[types.CLIENT_INFO_META_KEY] = _wire(requester.client)
    if requester.log_level is not None:
        meta[types.LOG_LEVEL_META_KEY] = requester.log_level
    return meta


def _wire(model: BaseModel) -> JsonObject:
    return model.model_dump(by_alias=True, mode="json", exclude_none=True)
