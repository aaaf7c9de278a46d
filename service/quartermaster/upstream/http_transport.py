"""HTTP connections to upstreams, in which a failed request does not affect other requests.

If a POST raises an exception, the SDK's whole client ends, with every call in flight. The SDK's own
text for a refused request does not contain the status. This module therefore turns a failed POST
into a response with a JSON-RPC error. A mark in the error tells `failure.classify` the cause.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

import anyio
import httpx2
import mcp_types as types

from quartermaster.core.errors import QmError
from quartermaster.core.json_rpc import MessageError, read_message
from quartermaster.upstream.egress import ALLOW_ADDRESS, CheckedTransport, refused_address
from quartermaster.upstream.failure import (
    HttpRefusal,
    UpstreamError,
    describe,
    marked_error,
    marked_reply,
)
from quartermaster.upstream.messages import MAX_MESSAGE_BYTES
from quartermaster.upstream.spec import Authorised, OriginSpec
from quartermaster.upstream.tls import tls_context, untrusted_key

MAX_REFUSAL_BYTES: Final = 2**18
_REFUSAL_WITHIN_S: Final = 10.0
_CONNECT_TIMEOUT_S: Final = 10.0
_WRITE_TIMEOUT_S: Final = 30.0
# Long enough for event streams, which servers keep alive with a comment every few seconds.
_READ_TIMEOUT_S: Final = 300.0
# Maximum time to wait after an answer until the server ends its stream.
_END_WITHIN_S: Final = 0.05
_COMPRESSED_REASON: Final = "sent a compressed answer, although it was asked not to"
_AGAIN_LATER: Final = "Call again later: the server takes no more requests for now."
_MOST_WORDS: Final = 2_000
_LOST_SESSION_WORDS: Final = (
    r"no|not|without|invalid|unknown|missing|expired|terminated|closed|ended|gone|lost|stale|bad"
    r"|inactive|unrecogni[sz]ed|nonexistent|required?|cannot|couldn't|doesn't|isn't"
)
# Servers have many words for a session that they do not know, or for a client that has none.
_LOST_SESSION: Final = re.compile(
    rf"\b(?:{_LOST_SESSION_WORDS})\b[^.;\n]{{0,40}}session|session[^.;\n]{{0,60}}\b(?:{_LOST_SESSION_WORDS})\b"
    r"|not (?:been |yet )?initiali[sz]ed|expect(?:s|ed|ing)? initiali[sz]|before initiali[sz]",
    re.IGNORECASE,
)
_NEVER_SENT: Final = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)


def http_client(spec: OriginSpec) -> httpx2.AsyncClient:
    """Returns an HTTP client for an upstream, with the upstream's headers, certificate checks and
    time limits.

    Redirects are not followed here; the SDK follows redirects within the same origin.

    Raises:
        OSError: the authorities' file is missing or is not a PEM file.
    """
    limits = httpx2.Limits(
        # Besides the connections for calls, there are eight more: for the event stream, a listing
        # and cancellations.
        max_connections=spec.max_concurrency + 8,
        max_keepalive_connections=spec.max_concurrency,
    )
    inner: httpx2.AsyncBaseTransport = CheckedTransport(
        tls_context(spec.tls), spec.networks, limits
    )
    if spec.authoriser is not None:
        inner = Authorised(inner, spec.authoriser)
    return httpx2.AsyncClient(
        transport=PerRequestErrors(inner),
        # A compressed answer could be a thousand times as large as the limits on its bytes.
        headers={**spec.headers, "accept-encoding": "identity"},
        timeout=httpx2.Timeout(
            connect=min(_CONNECT_TIMEOUT_S, spec.connect_timeout_s),
            read=max(_READ_TIMEOUT_S, spec.call_timeout_s + 30),
            write=_WRITE_TIMEOUT_S,
            pool=_CONNECT_TIMEOUT_S,
        ),
    )


class PerRequestErrors(httpx2.AsyncBaseTransport):
    """Sends requests. Returns a marked JSON-RPC error for a POST that fails or is refused."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends a request. Failures of methods other than POST are passed on unchanged."""
        if request.method != "POST":
            response = await self._inner.handle_async_request(request)
            if _is_compressed(response):
                await response.aclose()
                raise httpx2.RemoteProtocolError(f"the server {_COMPRESSED_REASON}")
            return response
        try:
            response = await self._inner.handle_async_request(request)
        except httpx2.TransportError as error:
            return _transport_failed(error)
        except QmError as error:
            return _json_rpc_error(error.status, _unauthorised(error))
        if _is_compressed(response):
            await response.aclose()
            # The SDK assigns an error without an id to its request only if the status is an error.
            status = 502 if response.is_success else response.status_code
            return _json_rpc_error(status, marked_error("protocol", _COMPRESSED_REASON, sent=True))
        if response.status_code >= 400:
            return await _refused(request, response)
        stream = response.stream
        assert isinstance(stream, httpx2.AsyncByteStream)
        limit = MAX_MESSAGE_BYTES if _is_json(response) else None
        response.stream = _ContainedStream(stream, limit)
        return response

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._inner.aclose()


class _ContainedStream(httpx2.AsyncByteStream):
    """A response body. If reading it fails, the SDK fails only the request that the response
    answers.
    """

    def __init__(self, inner: httpx2.AsyncByteStream, limit: int | None) -> None:
        self._inner = inner
        self._chunks = aiter(inner)
        self._limit = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        try:
            async for chunk in self._chunks:
                size += len(chunk)
                if self._limit is not None and size > self._limit:
                    raise httpx2.StreamError(f"the answer is larger than {self._limit} bytes")
                yield chunk
        except httpx2.TransportError as error:
            raise httpx2.StreamError(f"the answer was cut off: {describe(error)}") from error

    async def aclose(self) -> None:
        """Reads the rest of the stream, and closes it. The SDK stops reading after the answer, but
        only a connection whose stream was read to its end can be used again.
        """
        try:
            with anyio.move_on_after(_END_WITHIN_S), suppress(httpx2.TransportError):
                async for _ in self._chunks:
                    pass
        finally:
            await self._inner.aclose()


def _is_compressed(response: httpx2.Response) -> bool:
    encoding = response.headers.get("content-encoding", "").strip().lower()
    return encoding not in {"", "identity"}


def _is_json(response: httpx2.Response) -> bool:
    return response.headers.get("content-type", "").lower().startswith("application/json")


def _unauthorised(error: QmError) -> dict[str, Any]:
    if isinstance(error, UpstreamError):
        what = error.what.removesuffix(".")
        return marked_error(error.kind, what, sent=False, hint=error.hint)
    # The error comes from the secret store, which should contain the token.
    return marked_error("auth", f"has no token: {error.message}", sent=False, hint=error.hint)


def _transport_failed(error: httpx2.TransportError) -> httpx2.Response:
    if untrusted := untrusted_key(error):
        hint = (
            "If the server's key was changed on purpose, pin the new key. Otherwise, someone may be"
            " intercepting the connection."
        )
        what = f"has an unexpected key: {untrusted}"
        return _json_rpc_error(502, marked_error("auth", what, sent=False, hint=hint))
    if refused := refused_address(error):
        what = f"is not reached, because {refused}, which is not public"
        return _json_rpc_error(502, marked_error("network", what, sent=False, hint=ALLOW_ADDRESS))
    sent = not isinstance(error, _NEVER_SENT)
    if isinstance(error, httpx2.TimeoutException):
        what = f"took too long ({type(error).__name__})"
        return _json_rpc_error(504, marked_error("timeout", what, sent=sent, lost=not sent))
    what = f"is not reachable ({describe(error)})"
    return _json_rpc_error(502, marked_error("network", what, sent=sent, lost=not sent))


async def _refused(request: httpx2.Request, response: httpx2.Response) -> httpx2.Response:
    """Replaces an HTTP response that refuses a request with a response that contains the JSON-RPC
    error, marked for `classify`.
    """
    body = await _beginning(response)
    # The SDK's authentication flow reads most headers.
    retained = [
        (name, value)
        for name, value in response.headers.multi_items()
        if name.lower() not in {"content-type", "content-length", "content-encoding"}
    ]
    return _json_rpc_error(response.status_code, _meaning(request, response, body), retained)


async def _beginning(response: httpx2.Response) -> bytes:
    """Reads the body of a response that refuses a request, and closes the response. Returns nothing
    if the body is larger than the limit.
    """
    body = b""
    stream = response.stream
    assert isinstance(stream, httpx2.AsyncByteStream)
    try:
        with anyio.move_on_after(_REFUSAL_WITHIN_S), suppress(httpx2.TransportError):
            async for chunk in stream:
                body += chunk
                if len(body) > MAX_REFUSAL_BYTES:
                    return b""
    finally:
        await response.aclose()
    return body


def _error_in(body: bytes) -> types.ErrorData | None:
    """Returns the JSON-RPC error in a body; None if there is none."""
    with suppress(MessageError):
        message = read_message(body)
        if isinstance(message, types.JSONRPCError):
            return message.error
    return None


def _meaning(
    request: httpx2.Request, response: httpx2.Response, body: bytes
) -> dict[str, Any] | types.ErrorData:
    """Returns the marked error for an HTTP response that refuses a request."""
    status, error = response.status_code, _error_in(body)
    may_pass = status == 429 or status >= 500
    refusal = HttpRefusal(status, _retry_after_s(response) if may_pass else None)
    what = f"answered HTTP {status}"
    if has_session(request) and _refuses_session(status, body, error):
        # Nothing was executed, because the server no longer has the session. A new session works.
        ended = f"ended the session (HTTP {status})"
        return marked_error("died", ended, sent=False, lost=True, refusal=refusal)
    names_session = error is not None and names_lost_session(error.message)
    if status in {401, 403} and not names_session:
        return marked_error("auth", what, sent=False, refusal=refusal)
    if error is not None:
        # The upstream's own words say more than the status.
        return marked_reply(error, refusal)
    if status == 404:
        # So a gateway says that it does not know the method.
        marked = marked_error("protocol", what, sent=True, refusal=refusal)
        return marked | {"code": types.METHOD_NOT_FOUND}
    if status == 429:
        return marked_error("busy", what, sent=False, hint=_AGAIN_LATER, refusal=refusal)
    if status in {408, 504}:
        return marked_error("timeout", what, sent=True, refusal=refusal)
    kind = "network" if status >= 500 else "protocol"
    return marked_error(kind, what, sent=True, refusal=refusal)


def _refuses_session(status: int, body: bytes, error: types.ErrorData | None) -> bool:
    """Returns whether a response certainly refuses the MCP session. The text of a JSON-RPC error
    alone does not prove this: it may mean a session of the tool (`UpstreamLink.has_lost_session`).
    """
    if error is not None:
        return status == 404 and error.code != types.METHOD_NOT_FOUND
    return status == 404 or (status < 500 and names_lost_session(body.decode(errors="replace")))


def has_session(request: httpx2.Request) -> bool:
    """Returns whether a request names a session, in its headers or, with HTTP+SSE, in its URL."""
    named = {name.lower().replace("_", "") for name in request.url.params}
    return "mcp-session-id" in request.headers or bool(named & {"sessionid", "session"})


def names_lost_session(text: str) -> bool:
    """Returns whether the text of an error says that the server does not know the session."""
    return _LOST_SESSION.search(text[:_MOST_WORDS]) is not None


def _retry_after_s(response: httpx2.Response) -> float:
    """Returns the number of seconds that the server asks to wait; 0 if it names no valid number."""
    text = response.headers.get("retry-after", "").strip()
    if text.isascii() and text.isdecimal() and len(text) < 10:
        return float(text)
    with suppress(ValueError, TypeError, OverflowError):
        left = parsedate_to_datetime(text) - datetime.now(UTC)
        return max(left.total_seconds(), 0.0)
    return 0.0


def _json_rpc_error(
    status: int,
    error: dict[str, Any] | types.ErrorData,
    headers: list[tuple[str, str]] | None = None,
) -> httpx2.Response:
    if isinstance(error, types.ErrorData):
        error = error.model_dump(by_alias=True, mode="json", exclude_unset=True)
    content = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
    return httpx2.Response(
        status, headers=[*(headers or []), ("content-type", "application/json")], content=content
    )
