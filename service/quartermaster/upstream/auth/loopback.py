"""The address on this machine to which the browser returns once after a login."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Final

import anyio
import uvicorn
from mcp.shared.auth import AuthorizationCodeResult
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from quartermaster.core.errors import QmError
from quartermaster.core.logs import register_secret

_PATH: Final = "/callback"


class Loopback:
    """One address that is waiting for the browser.

    Attributes:
        url: URL that the browser visits.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._visited = anyio.Event()
        self._answer: AuthorizationCodeResult | None = None
        self._problem = "the browser did not return in time"

    async def result(self) -> AuthorizationCodeResult:
        """Waits for the parameters that the issuer sent with the browser.

        Raises:
            QmError: QM403 login_refused, with the issuer's own error text.
        """
        await self._visited.wait()
        if self._answer is None:
            raise QmError(
                403, "login_refused", f"The login was refused: {self._problem}.", "Log in again."
            )
        return self._answer

    def take(self, answer: dict[str, str]) -> str:
        """Takes the query of a visit and returns the page to show."""
        code = answer.get("code")
        if code:
            register_secret(code)
            self._answer = AuthorizationCodeResult(
                code=code, state=answer.get("state"), iss=answer.get("iss")
            )
        else:
            said = (
                answer.get("error_description") or answer.get("error") or "the issuer sent no code"
            )
            self._problem = said[:200]
        self._visited.set()
        return "Done. You can close this window." if code else f"Refused: {self._problem}"


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leaves the handling of Ctrl-C to the command."""
        yield


@asynccontextmanager
async def open_loopback(port: int = 0) -> AsyncGenerator[Loopback]:
    """Listens on 127.0.0.1 until the context ends.

    Args:
        port: port number; 0 chooses a free port.

    Raises:
        OSError: the port is in use.
    """
    listener = socket.create_server(("127.0.0.1", port))
    loopback = Loopback(f"http://127.0.0.1:{listener.getsockname()[1]}{_PATH}")

    async def visit(request: Request) -> Response:
        return PlainTextResponse(loopback.take(dict(request.query_params)))

    config = uvicorn.Config(
        Starlette(routes=[Route(_PATH, endpoint=visit)]),
        log_level="error",
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=1,
    )
    server = _Server(config)
    # No task group is used here, because it would wrap a login error in an exception group.
    serving = asyncio.create_task(server.serve([listener]))
    try:
        yield loopback
    finally:
        # Wait until the page for the browser has been sent completely.
        server.should_exit = True
        await serving
