"""One request to a connected upstream, and its result as it came over the wire.

One of two modules that reach into the SDK's session, whose public methods drop what they do not
know or ask for more than was wanted; hence the pin on its minor version.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import mcp_types as types
from mcp.client.session import ClientSession
from mcp.shared.dispatcher import CallOptions, ProgressFnT
from mcp_types import methods
from mcp_types.version import LATEST_HANDSHAKE_VERSION, MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel

from quartermaster.core.logs import current_request_id
from quartermaster.upstream.exchange import Requester

JsonObject = dict[str, Any]

REQUEST_ID: Final = "x-meta-request-id"
"""By which our logs and the upstream's speak of the same request."""

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
    """Sends a request and returns its result whole.

    Args:
        session: of the upstream.
        method: of the protocol.
        params: in wire form. Of their ``_meta`` nothing is sent that is about the client's own
            connection.
        requester: the client it is for; a stateless upstream hears what that one can be asked.
        on_progress: awaited with (progress, total, message) of each progress report.

    Raises:
        MCPError: the upstream answered with a JSON-RPC error or is gone.
        ValidationError: its result is not one of the protocol's.
    """
    meta = relayed_meta(params.get("_meta"))
    sent = {key: value for key, value in params.items() if key != "_meta"}
    data: JsonObject = {"method": method, "params": sent | ({"_meta": meta} if meta else {})}
    options: CallOptions = {}
    if (request_id := current_request_id()) is not None:
        # Only HTTP has headers; `_meta` is for the others.
        options["headers"] = {REQUEST_ID: request_id}
    session._stamp(data, options)  # pyright: ignore[reportPrivateUsage]
    if requester is not None and session.protocol_version in MODERN_PROTOCOL_VERSIONS:
        data["params"]["_meta"] |= _identity(requester)
    if on_progress is not None:
        options["on_progress"] = on_progress
    dispatcher = session._dispatcher  # pyright: ignore[reportPrivateUsage]
    return await dispatcher.send_raw_request(method, data["params"], options)


def checked(session: ClientSession, method: str, result: JsonObject) -> JsonObject:
    """Returns the result, if the upstream's own revision allows it.

    Raises:
        ValidationError: it is not.
    """
    version = session.protocol_version or LATEST_HANDSHAKE_VERSION
    methods.validate_server_result(method, version, result)
    return result


def relayed_meta(meta: Mapping[str, Any] | None) -> JsonObject:
    """The part of a client's ``_meta`` for the upstream, without the data of its own connection."""
    return {
        key: value
        for key, value in (meta or {}).items()
        if key not in PROGRESS_TOKENS and not key.startswith(_PROTOCOL_META)
    }


def _identity(requester: Requester) -> JsonObject:
    meta: JsonObject = {types.CLIENT_CAPABILITIES_META_KEY: _wire(requester.capabilities)}
    if requester.client is not None:
        meta[types.CLIENT_INFO_META_KEY] = _wire(requester.client)
    if requester.log_level is not None:
        meta[types.LOG_LEVEL_META_KEY] = requester.log_level
    return meta


def _wire(model: BaseModel) -> JsonObject:
    return model.model_dump(by_alias=True, mode="json", exclude_none=True)
