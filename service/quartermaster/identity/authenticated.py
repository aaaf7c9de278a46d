"""The user of an HTTP request, once the key or token has been checked."""

from __future__ import annotations

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.requests import HTTPConnection

from quartermaster.db import Principal


class AuthenticatedPrincipal(AuthenticatedUser):
    """The user of a request, in the form in which the SDK binds a session to its owner.

    Attributes:
        principal: whose key was shown.
    """

    def __init__(self, principal: Principal) -> None:
        super().__init__(
            # The key itself is of no more use, so it does not travel along.
            AccessToken(
                token="",
                client_id=principal.name,
                scopes=[principal.role],
                # A session belongs to the door it was begun at, too.
                subject=f"{principal.id} {principal.toolset or ''}",
            )
        )
        self.principal = principal


def sender_of(request: HTTPConnection) -> Principal:
    """The user that `BearerAuth` has found for a request."""
    user = request.user
    assert isinstance(user, AuthenticatedPrincipal)
    return user.principal
