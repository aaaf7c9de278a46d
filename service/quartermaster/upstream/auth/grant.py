"""The result of a login as the secret store keeps it: the tokens and where to renew them."""

from __future__ import annotations

import time
from typing import Final, Literal
from uuid import uuid4

from mcp.shared.auth import OAuthToken
from pydantic import BaseModel, ConfigDict, Field

from quartermaster.core.logs import register_secret

_EARLY_S: Final = 30.0
"""A token is renewed this long before it expires, because clocks differ and requests take time."""


class Grant(BaseModel):
    """One login.

    Attributes:
        id: identifier of the login; it stays the same when tokens are renewed.
        url: URL of the upstream; tokens are sent to no other address.
        kind: how the tokens are renewed.
        token_endpoint: URL at which the tokens are renewed.
        resource: resource to name in a renewal (RFC 8707); None names none.
        client_id, client_secret, client_auth: our client at the issuer and how it authenticates.
        scope: scope that was granted.
        access_token: token for requests.
        refresh_token: token to get the next access token with; None if there is none.
        expires_at: time when the access token expires, in seconds since 1970; None if unknown.
        is_revoked: whether the issuer has said that it will issue no further tokens.
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
        """Returns whether the access token is expected to stay valid for this many more seconds."""
        return self.expires_at is None or time.time() + for_s < self.expires_at

    def renewed(self, tokens: OAuthToken) -> Grant:
        """Returns this login with new tokens; values that the issuer does not repeat stay."""
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
        """Returns this login marked as revoked."""
        return self.model_copy(update={"refresh_token": None, "is_revoked": True})

    def hide(self) -> None:
        """Keeps this login's secrets out of every later log line."""
        for secret in (self.access_token, self.refresh_token, self.client_secret):
            if secret:
                register_secret(secret, passing=True)


def expiry(tokens: OAuthToken) -> float | None:
    """Returns when an access token issued now will expire, in seconds since 1970."""
    return None if tokens.expires_in is None else time.time() + tokens.expires_in
