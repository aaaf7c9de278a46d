"""Lets web pages from any origin use the API and read its errors (CORS)."""

from __future__ import annotations

import re
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ROOT: Final = "/reconcile"
"""Path of the API; programs that cannot send headers use ``/reconcile/~KEY`` instead."""

KEY_IN_URL: Final = "key_in_url"
"""Name of a member of a request's state. If the path contained a key, this member contains the
start of the path with the key."""

_KEYED_PATTERN: Final = re.compile(r"/reconcile/~([A-Za-z0-9._~+=-]+)(/.*)?")
_HEADERS: Final = {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "x-request-id, retry-after",
}
_PREFLIGHT: Final = {
    "access-control-allow-methods": "GET, HEAD, POST, OPTIONS",
    "access-control-allow-headers": "authorization, content-type, accept-language, x-request-id",
    "access-control-max-age": "86400",
}


class OpenToPages:
    """The outermost layer of the paths under `ROOT`. It lets every web page read the answers,
    including errors.

    The API does not use cookies. So a page has only the rights of the key that the user has entered
    in the page. A key in the path is moved to the header Authorization before anything is logged.

    Args:
        app: application with all inner layers. Requests to other paths pass through unchanged.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers OPTIONS requests itself. Adds the CORS headers to all other answers."""
        path: str = scope["path"] if scope["type"] == "http" else ""
        if path != ROOT and not path.startswith(f"{ROOT}/"):
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        if scope["method"] == "OPTIONS":
            await Response(status_code=204, headers=_PREFLIGHT)(scope, receive, send_with_headers)
            return
        await self._app(_without_key(scope), receive, send_with_headers)


def _without_key(scope: Scope) -> Scope:
    path: str = scope["path"].rstrip("/")
    changed: Scope = {
        **scope,
        "path": path,
        "raw_path": path.encode(),
        "state": {**scope.get("state", {})},
    }
    if (keyed := _KEYED_PATTERN.fullmatch(path)) is None:
        return changed
    key, rest = keyed.groups()
    changed["path"] = ROOT + (rest or "")
    changed["raw_path"] = changed["path"].encode()
    changed["state"][KEY_IN_URL] = f"{ROOT}/~{key}"
    others = [pair for pair in scope["headers"] if pair[0] != b"authorization"]
    changed["headers"] = [*others, (b"authorization", f"Bearer {key}".encode())]
    return changed
