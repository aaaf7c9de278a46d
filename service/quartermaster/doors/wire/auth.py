"""Authentication over HTTP. Each request needs a bearer token, a known host and a known
web origin.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final, NoReturn
from urllib.parse import urlsplit

import anyio
import anyio.lowlevel
from starlette.authentication import AuthCredentials
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.db import Principal
from quartermaster.doors.wire.http_resource import ProtectedResource
from quartermaster.identity.authenticated import AuthenticatedPrincipal
from quartermaster.identity.bearers import Bearers
from quartermaster.identity.limits import RateLimit
from quartermaster.settings.sections import LOOPBACK_NAMES, ServerSettings

_log = get_logger(part="guests")
_ANY_ADDRESS: Final = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - compared, not bound
_LONGEST_TOKEN: Final = 16_384
# A name or an IPv4 address, or an IPv6 address in brackets; then perhaps a port.
_HOST: Final = re.compile(r"([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")


@dataclass(eq=False)
class Guest:
    """The sender of an open request.

    Attributes:
        principal: principal that sent the request.
        bearer: key or token that was sent.
        scope: cancel scope of the request.
        refusal: why the request was ended; None if it was not ended.
    """

    principal: Principal
    bearer: str = field(repr=False)
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    refusal: QmError | None = None

    def end(self, refusal: QmError) -> None:
        """Ends the request for the given reason."""
        _log.info("request_ended", principal=self.principal.name, error=refusal.slug)
        self.refusal = refusal
        self.scope.cancel()


class Guests:
    """The senders of all open requests. Most requests are short, but streams can stay open for
    days.

    Args:
        bearers: object that finds the principal for a key or token.
        limit: limit for the requests from one principal; None means no limit.
    """

    def __init__(self, bearers: Bearers, limit: RateLimit | None = None) -> None:
        self._bearers = bearers
        self._limit = limit
        self._inside: set[Guest] = set()
        self._changed = anyio.Event()

    def principals_changed(self) -> None:
        """Makes `run` check all senders again. Must be called after a key was revoked or a
        principal was disabled; never blocks.
        """
        self._bearers.forget_all()
        self._changed.set()

    @asynccontextmanager
    async def let_in(self, bearer: str, toolset: str | None) -> AsyncGenerator[Guest]:
        """Tracks the sender of a request while the request is running. Call `check` before the
        first answer.

        Raises:
            QmError: QM429 rate_limited, and the errors of `Bearers.find`, at the start of the
                request or later.
        """
        guest = Guest(await self._bearers.find(bearer, toolset), bearer)
        if self._limit is not None:
            self._limit.spend(guest.principal)
        self._inside.add(guest)
        try:
            with guest.scope:
                yield guest
        finally:
            self._inside.remove(guest)
            if guest.principal.unchecked_key is not None:
                self._bearers.forget(bearer)
        if guest.refusal is not None:
            raise guest.refusal

    async def check(self, guest: Guest) -> None:
        """Ends the request if its key is no longer valid.

        Raises:
            QmError: the errors of `Bearers.check`, if the caller is not one of the request's own
                tasks.
        """
        try:
            await self._bearers.check(guest.principal)
        except QmError as error:
            guest.end(error)
            await anyio.lowlevel.checkpoint()
            raise

    async def run(self) -> NoReturn:
        """Checks all senders again after each change to principals, until cancelled."""
        while True:
            await self._changed.wait()
            self._changed = anyio.Event()
            for guest in list(self._inside):
                await self._ask_again(guest)

    async def _ask_again(self, guest: Guest) -> None:
        try:
            found = await self._bearers.find(guest.bearer, guest.principal.toolset)
            await self._bearers.check(found)
        except QmError as error:
            # While the database does not answer, access cannot be checked.
            if error.status in {401, 403, 404}:
                guest.end(error)


class BearerAuth:
    """Lets a request through once its key or token has been verified, even on loopback.

    Args:
        app: application to protect.
        guests: object that admits senders, and ends requests whose sender has lost access.
        resource: object that tells senders without a token where to get one.
    """

    def __init__(self, app: ASGIApp, guests: Guests, resource: ProtectedResource) -> None:
        self._app = app
        self._guests = guests
        self._resource = resource

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Finds the sender, and passes the request on. Raises QM401 token_missing, QM503
        database_unavailable, and the errors of `Guests.let_in`.
        """
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
    """Refuses requests that a web page made without its user's knowledge.

    If the name of a page was rebound to a loopback address, the browser still sends that name as
    Host. For every page, it also sends the page's Origin. The port of a host is ignored, so that
    mapped ports work; the port of an origin must match.

    Args:
        app: application to protect.
        settings: server settings with allowed_hosts and allowed_origins, which are added to the
            loopback names and the service's own origin.
        any_origin: whether pages from all origins may call, for APIs that are made for web pages.
    """

    def __init__(self, app: ASGIApp, settings: ServerSettings, *, any_origin: bool = False) -> None:
        self._app = app
        self._any_origin = any_origin
        bound = {settings.host} - _ANY_ADDRESS
        self._hosts = {host.lower() for host in {*settings.allowed_hosts, *LOOPBACK_NAMES, *bound}}
        self._origins = {origin.lower().rstrip("/") for origin in settings.allowed_origins}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Checks the host and the origin, and passes the request on. Raises QM400 host_malformed,
        QM421 host_not_allowed, QM403 origin_not_allowed.
        """
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        host = hosts[0].lower() if len(hosts) == 1 else ""
        if not _HOST.fullmatch(host):
            raise QmError(
                400,
                "host_malformed",
                "The request needs exactly one Host header, with a host name and optionally a"
                " port.",
                "Send Host: NAME or Host: NAME:PORT.",
            )
        if host not in self._hosts and urlsplit(f"//{host}").hostname not in self._hosts:
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
            "Send the header `Authorization: Bearer TOKEN` with a key from `qm key create`;"
            " this machine's key is in run.json in the data directory.",
        )
    return token
