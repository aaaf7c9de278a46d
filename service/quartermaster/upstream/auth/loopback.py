"""Serves the address on this machine to which the browser returns once after a login."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Final
from urllib.parse import parse_qsl, urlsplit

import anyio
import uvicorn
from mcp.shared.auth import AuthorizationCodeResult
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from quartermaster.core.errors import QmError
from quartermaster.core.logs import register_secret
from quartermaster.upstream.auth.login import Show

_PATH: Final = "/callback"


class Loopback:
    """An address that waits for the browser.

    Attributes:
        url: URL that the browser visits.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._state: str | None = None
        self._visited = anyio.Event()
        self._answer: AuthorizationCodeResult | None = None
        self._problem = "the browser did not return in time"

    def showing(self, show: Show) -> Show:
        """Wraps a function that shows the login address to the user. Answers are accepted only
        after the address was shown.
        """

        async def shown(address: str) -> None:
            self._state = dict(parse_qsl(urlsplit(address).query)).get("state")
            await show(address)

        return shown

    def is_answer(self, host: str, answer: dict[str, str]) -> bool:
        """Returns whether a visit is the answer to the login. The check is needed because any page
        and any program can visit this address.

        Args:
            host: the header Host of the visit.
            answer: query of the visit.
        """
        return (
            self._state is not None
            and answer.get("state") == self._state
            and host == urlsplit(self.url).netloc
        )

    async def result(self) -> AuthorizationCodeResult:
        """Waits for the parameters that the browser brings back from the issuer.

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
        """Stores the answer in the query of a visit, and returns the text of the page to show."""
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


class _LoopbackServer(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leaves signals to the command, so that the command handles Ctrl-C."""
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
        answer = dict(request.query_params)
        if not loopback.is_answer(request.headers.get("host", ""), answer):
            return PlainTextResponse("This is not the answer to the login.", 400)
        return PlainTextResponse(loopback.take(answer))

    config = uvicorn.Config(
        Starlette(routes=[Route(_PATH, endpoint=visit)]),
        log_level="error",
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=1,
    )
    server = _LoopbackServer(config)
    # No task group is used here, because it would wrap a login error in an exception group.
    serving = asyncio.create_task(server.serve([listener]))
    try:
        yield loopback
    finally:
        # Wait until the page for the browser has been sent completely.
        server.should_exit = True
        await serving
