"""Decides who may use the API: callers with a key and, if the settings allow it, visitors without a
key. The visitors act as a principal with few rights.
"""

from __future__ import annotations

from dataclasses import dataclass

from starlette.authentication import UnauthenticatedUser
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from quartermaster.core.errors import QmError
from quartermaster.db import Database, Principal
from quartermaster.identity.authenticated import AuthenticatedPrincipal
from quartermaster.identity.limits import RateLimit
from quartermaster_lookup.reconcile.http.cors import KEY_IN_URL


@dataclass(frozen=True)
class Visitors:
    """Admits visitors without a key, if the settings allow it. If a request has a key, the key is
    always checked.

    Attributes:
        app: the application to protect.
        asked: the same application, protected by the check of keys and tokens.
        database: the database that contains the principals.
        open_as: name of the principal for visitors without a key. None if they may see only the
            manifest.
        limit: limit for the requests from that principal.
    """

    app: ASGIApp
    asked: ASGIApp
    database: Database
    open_as: str | None
    limit: RateLimit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, together with the principal on whose behalf it is made.

        Raises QM403 principal_unknown or principal_too_powerful, QM429 rate_limited, and the errors
        of `BearerAuth`.
        """
        if "authorization" in Headers(scope=scope):
            await self.asked(scope, receive, send)
            return
        scope["user"] = UnauthenticatedUser()
        if self.open_as is not None:
            stranger = await self.database.find_principal(self.open_as)
            if stranger.role != "user":
                raise _too_powerful(stranger, "The setting reconcile.open_as names {}")
            self.limit.spend(stranger)
            scope["user"] = AuthenticatedPrincipal(stranger)
        await self.app(scope, receive, send)


def principal_of(request: Request) -> Principal | None:
    """Returns the sender of a request. Returns None for a visitor without a key.

    Raises:
        QmError: QM403 principal_too_powerful. A key in a URL must have few rights, because other
            people's projects, histories and logs contain URLs.
    """
    if not isinstance(request.user, AuthenticatedPrincipal):
        return None
    principal = request.user.principal
    if hasattr(request.state, KEY_IN_URL) and principal.role != "user":
        raise _too_powerful(principal, "The key in the URL belongs to {}")
    return principal


def require(principal: Principal | None) -> Principal:
    """Returns the principal of a request. Raises QM401 token_missing if there is none."""
    if principal is None:
        raise QmError(
            401,
            "token_missing",
            "The request has no key.",
            "Send the header `Authorization: Bearer KEY` or, from OpenRefine, put a user's"
            " key into the service URL: /reconcile/~KEY/TABLE. `qm key create` makes a key.",
        )
    return principal


def _too_powerful(principal: Principal, what: str) -> QmError:
    return QmError(
        403,
        "principal_too_powerful",
        f"{what.format(principal.name)}, but this principal may do more than read.",
        "Create a principal with the role user: `qm principal create NAME`. Then create its key:"
        " `qm key create NAME`.",
    )
