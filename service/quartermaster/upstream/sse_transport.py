"""The HTTP+SSE transport of revision 2024-11-05: an event stream for answers and POST for messages.

The SDK's own transport has a fixed limit of 1 MiB per event and stops sending forever when one POST
fails.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

import anyio
import httpx2
import mcp_types as types
from mcp.client._transport import TransportStreams
from mcp.shared.message import SessionMessage

from quartermaster.core.json_rpc import Inbound, MessageError, Outbound, read_message
from quartermaster.core.logs import get_logger
from quartermaster.upstream.failure import UpstreamError, marked_error
from quartermaster.upstream.http_transport import http_client
from quartermaster.upstream.messages import MAX_MESSAGE_BYTES, read_upstream
from quartermaster.upstream.spec import OriginSpec

_ENDPOINT_WITHIN_S: Final = 10.0


class SseTransport:
    """A connection over HTTP+SSE: the event stream, and the endpoint that the upstream named in the
    stream.
    """

    def __init__(self, spec: OriginSpec, on_end: Callable[[], None]) -> None:
        """Prepares the transport; ``on_end`` is called when no further message can arrive."""
        assert spec.url is not None
        self._spec = spec
        self._url = httpx2.URL(spec.url)
        self._on_end = on_end
        self._endpoint: httpx2.URL | None = None
        self._named = anyio.Event()

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[TransportStreams]:
        """Opens the stream, waits for the endpoint, and exchanges messages until the context ends.

        Raises:
            httpx2.HTTPError: the stream cannot be opened.
            UpstreamError: QM502 ``upstream_protocol`` if the upstream names no endpoint, or names
                an endpoint on another web origin.
        """
        headers = {"accept": "text/event-stream", "cache-control": "no-store"}
        async with (
            http_client(self._spec) as client,
            client.stream("GET", self._url, headers=headers) as response,
        ):
            response.raise_for_status()
            inbound, inbound_read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
            outbound_write, outbound = anyio.create_memory_object_stream[SessionMessage](0)
            with inbound, inbound_read, outbound_write, outbound:
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(self._read, response, inbound)
                    with anyio.move_on_after(_ENDPOINT_WITHIN_S):
                        await self._named.wait()
                    endpoint = self._checked_endpoint()
                    tasks.start_soon(self._write, client, endpoint, outbound, inbound)
                    yield inbound_read, outbound_write
                    tasks.cancel_scope.cancel()

    def _checked_endpoint(self) -> httpx2.URL:
        endpoint = self._endpoint
        if endpoint is None:
            raise UpstreamError("protocol", self._spec.name, "named no message endpoint.")
        ours = (self._url.scheme, self._url.host, self._url.port)
        if (endpoint.scheme, endpoint.host, endpoint.port) != ours:
            # Our headers, which include credentials, are only for the configured server.
            what = f"named an endpoint on another origin: {endpoint.scheme}://{endpoint.host}."
            raise UpstreamError("protocol", self._spec.name, what)
        return endpoint

    async def _read(self, response: httpx2.Response, inbound: Inbound) -> None:
        try:
            async for event in httpx2.EventSource(response, max_event_size=MAX_MESSAGE_BYTES):
                if event.event == "endpoint" and not self._named.is_set():
                    self._endpoint = self._url.join(event.data)
                    self._named.set()
                elif event.event == "message" and event.data:
                    await self._deliver(event.data, inbound)
        except (httpx2.HTTPError, httpx2.SSEError, httpx2.StreamError) as error:
            get_logger().info("upstream_stream_ended", origin=self._spec.name, error=repr(error))
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass  # The session is gone.
        finally:
            inbound.close()
            self._named.set()
            self._on_end()

    async def _deliver(self, text: str, inbound: Inbound) -> None:
        try:
            message = await read_upstream(text)
        except MessageError:
            name = self._spec.name
            get_logger().warning("upstream_stream_garbage", origin=name, text=text[:200])
            return
        await inbound.send(SessionMessage(message))

    async def _write(
        self, client: httpx2.AsyncClient, endpoint: httpx2.URL, outbound: Outbound, inbound: Inbound
    ) -> None:
        async with anyio.create_task_group() as posts:
            async for session_message in outbound:
                message = session_message.message
                if isinstance(message, types.JSONRPCRequest):
                    # A server may delay the answer to this POST until it has answered on the
                    # stream.
                    posts.start_soon(self._post, client, endpoint, message, inbound)
                else:
                    await self._post(client, endpoint, message, inbound)

    async def _post(
        self,
        client: httpx2.AsyncClient,
        endpoint: httpx2.URL,
        message: types.JSONRPCMessage,
        inbound: Inbound,
    ) -> None:
        body = message.model_dump_json(by_alias=True, exclude_unset=True)
        headers = {"content-type": "application/json"}
        try:
            response = await client.post(endpoint, content=body, headers=headers)
        except httpx2.StreamError:
            return  # It arrived; what counts is the answer on the event stream.
        if response.status_code < 300 or not isinstance(message, types.JSONRPCRequest):
            return
        refusal = types.JSONRPCError(jsonrpc="2.0", id=message.id, error=_error_in(response))
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await inbound.send(SessionMessage(refusal))


def _error_in(response: httpx2.Response) -> types.ErrorData:
    with suppress(MessageError):
        refusal = read_message(response.content)
        if isinstance(refusal, types.JSONRPCError):
            return refusal.error
    what = f"answered HTTP {response.status_code}"
    return types.ErrorData(**marked_error("protocol", what, sent=True))
