"""The result of a login, as the secret store keeps it: tokens, and where to renew them."""

from __future__ import annotations

import time
from typing import Final, Literal
from uuid import uuid4

from mcp.shared.auth import OAuthToken
from pydantic import BaseModel, ConfigDict, Field

from quartermaster.core.logs import register_secret

_EARLY_S: Final = 30.0
"""A token is renewed that long before it ends: clocks differ, and requests take time."""


class Grant(BaseModel):
    """One login.

    Attributes:
        id: of the login; renewed tokens keep it.
        url: of the upstream; tokens are sent to no other.
        kind: how they are renewed.
        token_endpoint: where.
        resource: named there, as RFC 8707 says; None: not.
        client_id, client_secret, client_auth: of our client there, and how it proves itself.
        scope: that was granted.
        access_token: for requests.
        refresh_token: for the next access token, if there is one.
        expires_at: seconds since 1970 at which the access token ends; None: nobody said.
        is_revoked: whether the issuer has said that no further token is to be had.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(default_factory=lambda: uuid4().hex)
    url: str
    kind: Literal["authorization_code", "client_credentials"]
    token_endpoint: str
    resource: str | None
    client_id: str
    client_secret: str | None = Field(repr=False)
    client_auth: str | None
    scope: str | None
    access_token: str = Field(repr=False)
    refresh_token: str | None = Field(repr=False)
    expires_at: float | None
    is_revoked: bool = False

    def lasts(self, for_s: float = _EARLY_S) -> bool:
        """Whether the access token is good for so many more seconds, as far as anybody knows."""
        return self.expires_at is None or time.time() + for_s < self.expires_at

    def renewed(self, tokens: OAuthToken) -> Grant:
        """The same with new tokens; whatever the issuer does not repeat stays."""
        return self.model_copy(
            update={
                "access_token": tokens.access_token,
                "refresh_token": tokens.refresh_token or self.refresh_token,
                "scope": tokens.scope or self.scope,
                "expires_at": expiry(tokens),
                "is_revoked": False,
            }
        )

    def revoked(self) -> Grant:
        """Of no more use."""
        return self.model_copy(update={"refresh_token": None, "is_revoked": True})

    def hide(self) -> None:
        """Keeps its secrets out of every later log line."""
        for secret in (self.access_token, self.refresh_token, self.client_secret):
            if secret:
                register_secret(secret, passing=True)


def expiry(tokens: OAuthToken) -> float | None:
    """When an access token ends that was given now, in seconds since 1970."""
    return None if tokens.expires_in is None else time.time() + tokens.expires_in
