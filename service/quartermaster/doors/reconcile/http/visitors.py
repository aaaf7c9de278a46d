"""Decides who may use the API: those with a key, and perhaps everybody, as a principal with few
rights.
"""

from __future__ import annotations

from starlette.authentication import UnauthenticatedUser
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from quartermaster.core.errors import QmError
from quartermaster.db import Database, Principal
from quartermaster.doors.reconcile.http.cors import KEY_IN_URL
from quartermaster.identity.authenticated import AuthenticatedPrincipal
from quartermaster.identity.limits import RateLimit


class Visitors:
    """Admits visitors without a key as the setting says; a key that is shown is always checked.

    Args:
        app: what is protected.
        asked: the same behind the door where keys and tokens are looked at.
        database: where principals are.
        open_as: principal that strangers are; None: they are nobody, and see a manifest only.
        limit: of requests of that principal.
    """

    def __init__(
        self,
        app: ASGIApp,
        asked: ASGIApp,
        database: Database,
        open_as: str | None,
        limit: RateLimit,
    ) -> None:
        self._app = app
        self._asked = asked
        self._database = database
        self._open_as = open_as
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Raises QM403 principal_unknown, principal_too_powerful, QM429 rate_limited, those of
        `BearerAuth`.
        """
        if "authorization" in Headers(scope=scope):
            await self._asked(scope, receive, send)
            return
        scope["user"] = UnauthenticatedUser()
        if self._open_as is not None:
            stranger = await self._database.find_principal(self._open_as)
            if stranger.role != "user":
                raise _too_powerful(stranger, "reconcile.open_as in the settings names")
            self._limit.spend(stranger)
            scope["user"] = AuthenticatedPrincipal(stranger)
        await self._app(scope, receive, send)


def principal_of(request: Request) -> Principal | None:
    """The sender of a request; None for a stranger.

    Raises:
        QmError: QM403 principal_too_powerful: addresses are kept in projects, histories and logs
            of others, so a key in one must not be worth much.
    """
    if not isinstance(request.user, AuthenticatedPrincipal):
        return None
    principal = request.user.principal
    if hasattr(request.state, KEY_IN_URL) and principal.role != "user":
        raise _too_powerful(principal, "The key in the URL is of")
    return principal


def require(principal: Principal | None) -> Principal:
    """The principal, or QM401 token_missing."""
    if principal is None:
        raise QmError(
            401,
            "token_missing",
            "The request has no key.",
            "Send the header `Authorization: Bearer KEY` or, from OpenRefine, put the key of a "
            "user into the service's URL: /reconcile/~KEY/TABLE. qm key create makes one.",
        )
    return principal


def _too_powerful(principal: Principal, what: str) -> QmError:
    return QmError(
        403,
        "principal_too_powerful",
        f"{what} {principal.name}, who may do more than read.",
        "Make a user: qm principal create NAME, then qm key create NAME.",
    )
