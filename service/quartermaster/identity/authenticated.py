"""The user who sent an HTTP request. The user is known as soon as the key or token has been
checked.
"""

from __future__ import annotations

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.requests import HTTPConnection

from quartermaster.db import Principal


class AuthenticatedPrincipal(AuthenticatedUser):
    """The user who sent a request, in the form that the SDK needs to bind a session to its owner.

    Attributes:
        principal: principal that the key or token belongs to.
    """

    def __init__(self, principal: Principal) -> None:
        super().__init__(
            # The key itself is no longer needed, so it is left out.
            AccessToken(
                token="",
                client_id=principal.name,
                scopes=[principal.role],
                # A session also belongs to the door at which it was opened.
                subject=f"{principal.id} {principal.toolset or ''}",
            )
        )
        self.principal = principal


def sender_of(request: HTTPConnection) -> Principal:
    """Returns the principal that `BearerAuth` found for a request."""
    user = request.user
    assert isinstance(user, AuthenticatedPrincipal)
    return user.principal
