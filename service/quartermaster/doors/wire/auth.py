"""Authentication over HTTP: a bearer token with every request, and only known hosts and origins."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from starlette.authentication import AuthCredentials
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quartermaster.core.errors import QmError
from quartermaster.doors.wire.guests import Guests
from quartermaster.doors.wire.http_resource import ProtectedResource
from quartermaster.identity.authenticated import AuthenticatedPrincipal
from quartermaster.settings import Server

LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_ANY_ADDRESS: Final = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - compared, not bound
_LONGEST_TOKEN: Final = 16_384


class BearerAuth:
    """Lets a request through once its key or token is known, also on loopback.

    Args:
        app: what is protected.
        guests: says who comes in, and shows out.
        resource: tells those who have none where to get one.
    """

    def __init__(self, app: ASGIApp, guests: Guests, resource: ProtectedResource) -> None:
        self._app = app
        self._guests = guests
        self._resource = resource

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Raises QM401 token_missing, those of `Guests.let_in`, QM503 database_unavailable."""
        toolset: str | None = scope.get("path_params", {}).get("toolset")
        scope["state"]["challenge"] = self._resource.challenge(scope, toolset)
        bearer = _bearer_token(Headers(scope=scope).getlist("authorization"))
        async with self._guests.let_in(bearer, toolset) as guest:

            async def send_checked(message: Message) -> None:
                if message["type"] == "http.response.start":
                    await self._guests.check(guest)
                await send(message)

            scope["user"] = AuthenticatedPrincipal(guest.principal)
            scope["auth"] = AuthCredentials([guest.principal.role])
            await self._app(scope, receive, send_checked)


class HostGuard:
    """Refuses requests that a web page made behind its user's back.

    A page whose name was rebound to a loopback address still sends its own name as Host, and any
    page that calls from a browser sends its Origin. The port does not matter to the former, so
    that a mapped port works; an origin has to match with its port.

    Args:
        app: what is protected.
        settings: allowed_hosts and allowed_origins beside the loopback names and the service's
            own origin.
        any_origin: whether pages of all origins may call, for what is made for them.
    """

    def __init__(self, app: ASGIApp, settings: Server, *, any_origin: bool = False) -> None:
        self._app = app
        self._any_origin = any_origin
        bound = {settings.host} - _ANY_ADDRESS
        self._hosts = {host.lower() for host in {*settings.allowed_hosts, *LOOPBACK_NAMES, *bound}}
        self._origins = {origin.lower().rstrip("/") for origin in settings.allowed_origins}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Raises QM421 host_not_allowed, QM403 origin_not_allowed."""
        headers = Headers(scope=scope)
        host = headers.get("host", "").lower()
        if host not in self._hosts and _hostname(host) not in self._hosts:
            raise QmError(
                421,
                "host_not_allowed",
                f"The host {host[:200]!r} is not one of this server's names.",
                "Use a loopback name, or add the name to server.allowed_hosts in the settings.",
            )
        origin = headers.get("origin")
        if origin is not None and not self._any_origin:
            own = f"{scope['scheme']}://{host}"
            if origin.lower() not in {own, *self._origins}:
                raise QmError(
                    403,
                    "origin_not_allowed",
                    f"Pages of the web origin {origin[:200]!r} may not call this server.",
                    "Add the origin to server.allowed_origins in the settings.",
                )
        await self._app(scope, receive, send)


def _bearer_token(values: list[str]) -> str:
    kind, _, token = values[0].partition(" ") if len(values) == 1 else ("", "", "")
    token = token.strip()
    if kind.lower() != "bearer" or not 0 < len(token) <= _LONGEST_TOKEN:
        raise QmError(
            401,
            "token_missing",
            "The request has no bearer token.",
            "Send the header `Authorization: Bearer TOKEN` with a key of `qm key create`; that of "
            "this machine is in run.json of the data directory.",
        )
    return token


def _hostname(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None
