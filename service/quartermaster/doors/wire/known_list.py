"""Refuses addresses that ask for a list of tools that does not exist."""

from __future__ import annotations

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from quartermaster.calls.caller import LIST_ALL, LIST_PARAMETER
from quartermaster.core.errors import argument_invalid


class KnownList:
    """Lets a request through if its address asks for no list, or for one that exists. Without this
    check, a client with a misspelled address would work, but with another list.

    Args:
        app: application to protect.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Checks the address, and passes the request on. Raises QM422 argument_invalid."""
        asked = Request(scope).query_params.getlist(LIST_PARAMETER)
        if asked not in ([], [LIST_ALL]):
            shown = "&".join(f"{LIST_PARAMETER}={value[:40]}" for value in asked[:2])
            raise argument_invalid(
                f"There is no list of tools called {shown!r}.",
                f"Use ?{LIST_PARAMETER}={LIST_ALL}, or leave it out.",
            )
        await self._app(scope, receive, send)
