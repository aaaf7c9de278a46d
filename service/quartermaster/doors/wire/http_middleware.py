"""Handles the parts that all HTTP requests share: an id, a log line, a size limit, and one form for
errors.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quartermaster.core.errors import QmError, WaitError
from quartermaster.core.logs import get_logger, request_scope
from quartermaster.core.meters import Meters

_HEADER: Final = "x-request-id"
_OAUTH_ERRORS: Final = {
    "key_invalid": "invalid_token",
    "token_invalid": "invalid_token",
    "scope_missing": "insufficient_scope",
}
_GIVEN_ID: Final = re.compile(r"[A-Za-z0-9._:/+=-]{1,128}")


class RequestFrame:
    """The outermost layer. It ensures that the client gets an explanation for every failure.

    Args:
        app: application with all inner layers.
        meters: meters that count requests.
    """

    def __init__(self, app: ASGIApp, meters: Meters) -> None:
        self._app = app
        self._meters = meters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a QmError or any other exception with ``{"error": ...}``."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(_HEADER, "")
        request_id = given if _GIVEN_ID.fullmatch(given) else uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id
        started = time.perf_counter()
        status: int | None = None

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = int(message["status"])
                self._meters.request(_door(scope), status, time.perf_counter() - started)
                MutableHeaders(scope=message)[_HEADER] = request_id
            await send(message)

        with request_scope(request_id):
            log = get_logger(method=scope["method"], path=scope["path"])
            try:
                await self._app(scope, receive, send_with_id)
            except Exception as error:
                if status is not None and isinstance(error, QmError):
                    # The client of this stream has lost access. The stream ends, but the data that
                    # was already sent is still valid.
                    await send({"type": "http.response.body"})
                    return
                if status is not None:
                    # Part of an answer has been sent; closing the connection shows that the answer
                    # is incomplete.
                    log.exception("response_broken")
                    raise
                failure = error if isinstance(error, QmError) else QmError.internal()
                if failure is not error:
                    log.exception("request_failed")
                elif failure.status >= 500:
                    log.warning("request_failed", error=str(failure))
                challenge = scope["state"].get("challenge", {})
                answer = error_response(failure, request_id, challenge)
                await answer(scope, receive, send_with_id)
            duration_ms = round((time.perf_counter() - started) * 1000, 1)
            log.debug("request_answered", status=status, duration_ms=duration_ms)


class BodyLimit:
    """Refuses a request whose body is too large, even if its size was not announced.

    Args:
        app: application to protect.
        max_bytes: largest allowed size of a body.
    """

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, and counts the bytes of its body. Raises QM413 body_too_large."""
        announced = Headers(scope=scope).get("content-length", "")
        if announced.isdecimal() and int(announced) > self._max_bytes:
            raise self._too_large()
        received = 0

        async def receive_counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._max_bytes:
                raise self._too_large()
            return message

        await self._app(scope, receive_counted, send)

    def _too_large(self) -> QmError:
        return QmError(
            413,
            "body_too_large",
            f"The request is larger than {self._max_bytes} bytes.",
            "Send less, or raise server.max_body_bytes in the settings.",
        )


def error_response(
    error: QmError, request_id: str | None, challenge: Mapping[str, str] = MappingProxyType({})
) -> JSONResponse:
    """Renders an error in the one form that is used over HTTP.

    Args:
        error: error to render.
        request_id: id of the request.
        challenge: parameters for WWW-Authenticate that say which token is needed and where to get
            it.
    """
    headers: dict[str, str] = {}
    if error.status == 401 or error.slug == "scope_missing":
        known = {"error": kind} if (kind := _OAUTH_ERRORS.get(error.slug)) else {}
        parameters = {"realm": "quartermaster", **known, **challenge}
        listed = ", ".join(f'{name}="{value}"' for name, value in parameters.items())
        headers["www-authenticate"] = f"Bearer {listed}"
    elif isinstance(error, WaitError):
        headers["retry-after"] = error.header
    elif error.status == 503:
        headers["retry-after"] = "1"
    return JSONResponse(error.as_dict(request_id), error.status, headers)


def route_error(error: HTTPException) -> QmError:
    """Returns the error for a path without a route."""
    if error.status_code == 405:
        return QmError(
            405,
            "method_not_allowed",
            "This path does not accept this method.",
            f"Use {(error.headers or {}).get('Allow', 'GET')}.",
        )
    return QmError(
        404,
        "path_not_found",
        "This path does not exist.",
        "MCP is at /mcp and /mcp/TOOLSET; further paths are /healthz, /readyz and /status.",
    )


def _door(scope: Scope) -> str:
    """Returns the first part of the path, for metrics. All unknown paths are counted as one door,
    because clients may request any path.
    """
    return scope["path"].split("/")[1] if "endpoint" in scope else "none"
