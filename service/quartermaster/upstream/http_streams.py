"""The SDK's streamable HTTP transport, changed so that answers are read within limits.

The SDK would parse every answer on the event loop, regardless of its format. If the SDK cannot read
an answer, it logs a traceback. This is one of the modules that use internals of the SDK, whose
minor version is pinned.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

import anyio
import httpx2
import mcp_types as types
from mcp.client._transport import TransportStreams
from mcp.client.streamable_http import StreamableHTTPTransport, StreamWriter
from mcp.shared._context_streams import create_context_streams
from mcp.shared.message import SessionMessage

from quartermaster.core.json_rpc import MessageError
from quartermaster.core.logs import get_logger
from quartermaster.upstream.failure import marked_error
from quartermaster.upstream.http_transport import http_client
from quartermaster.upstream.messages import MAX_MESSAGE_BYTES, read_upstream, unreadable
from quartermaster.upstream.spec import OriginSpec

_CLOSED_STREAM_ERRORS: Final = (anyio.BrokenResourceError, anyio.ClosedResourceError)
# How the SDK begins its words about a stream with an event that is too large.
_STREAM_FAILURE_PREFIX: Final = "SSE stream failed"
_ANSWERS: Final = (types.JSONRPCResponse, types.JSONRPCError)


@asynccontextmanager
async def http_streams(spec: OriginSpec) -> AsyncGenerator[TransportStreams]:
    """Exchanges messages with an upstream over a client from `http_client`."""
    assert spec.url is not None
    transport = _Transport(spec.url, max_sse_event_size=MAX_MESSAGE_BYTES)
    inbound, inbound_read = create_context_streams[SessionMessage | Exception](0)
    outbound_write, outbound = create_context_streams[SessionMessage](0)
    async with (
        http_client(spec) as client,
        inbound,
        inbound_read,
        outbound_write,
        outbound,
        anyio.create_task_group() as tasks,
    ):

        def listen() -> None:
            tasks.start_soon(transport.handle_get_stream, client, inbound)

        tasks.start_soon(
            transport.post_writer, client, outbound, inbound, outbound_write, listen, tasks
        )
        try:
            yield inbound_read, outbound_write
        finally:
            if transport.session_id:
                await transport.terminate_session(client)
            tasks.cancel_scope.cancel()


class _Transport(StreamableHTTPTransport):
    """The SDK's transport, changed only in how it reads messages."""

    async def _handle_json_response(
        self,
        response: httpx2.Response,
        read_stream_writer: StreamWriter,
        *,
        request_id: types.RequestId,
    ) -> None:
        try:
            message = await _read(await response.aread(), request_id)
        except httpx2.StreamError as error:
            message = _failed(request_id, f"sent no whole answer ({error})")
        if not isinstance(message, _ANSWERS):
            message = _failed(request_id, "sent no answer, but a message of another kind")
        await read_stream_writer.send(SessionMessage(message))

    async def _handle_sse_event(
        self,
        sse: httpx2.ServerSentEvent,
        read_stream_writer: StreamWriter,
        original_request_id: types.RequestId | None = None,
        resumption_callback: Callable[[str], Awaitable[None]] | None = None,
    ) -> bool:
        del resumption_callback  # No request of ours has one.
        if sse.event != "message" or not sse.data:
            return False
        try:
            message = await _read(sse.data, original_request_id)
        except MessageError as error:
            get_logger().warning("upstream_stream_garbage", url=self.url, error=str(error))
            return False
        await read_stream_writer.send(SessionMessage(message))
        return isinstance(message, _ANSWERS)

    async def _resolve_abandoned_request(
        self,
        read_stream_writer: StreamWriter,
        request_id: types.RequestId,
        message: str,
        *,
        code: int = types.CONNECTION_CLOSED,
    ) -> None:
        if not message.startswith(_STREAM_FAILURE_PREFIX):
            await super()._resolve_abandoned_request(
                read_stream_writer, request_id, message, code=code
            )
            return
        # Only this stream is useless, not the connection with its other requests.
        failed = _failed(request_id, f"sent an invalid event stream ({message})")
        with suppress(*_CLOSED_STREAM_ERRORS):
            await read_stream_writer.send(SessionMessage(failed))


async def _read(text: bytes | str, request_id: types.RequestId | None) -> types.JSONRPCMessage:
    """Reads a message from the response to a request. If the message is an answer, it gets the id
    of this request.

    Raises:
        MessageError: the text cannot be read, and answers no request.
    """
    try:
        message = await read_upstream(text)
    except MessageError as error:
        if request_id is None:
            raise
        message = unreadable(request_id, error)
    if request_id is not None and isinstance(message, _ANSWERS):
        message.id = request_id
    return message


def _failed(request_id: types.RequestId, what: str) -> types.JSONRPCError:
    error = types.ErrorData(**marked_error("protocol", what, sent=True))
    return types.JSONRPCError(jsonrpc="2.0", id=request_id, error=error)
