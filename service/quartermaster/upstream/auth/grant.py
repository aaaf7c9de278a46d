"""The result of a login in the form that the secret store keeps: the tokens, and the URL at which
they are renewed.
"""

from __future__ import annotations

import base64
import time
from typing import Final, Literal
from urllib.parse import quote
from uuid import uuid4

import httpx2
from mcp.shared.auth import OAuthToken
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from quartermaster.core.logs import register_secret

_EARLY_S: Final = 30.0
"""A token is renewed this many seconds before it expires, because clocks differ."""
_FINAL_ERRORS: Final = frozenset({"invalid_grant"})


class Grant(BaseModel):
    """A login to an upstream.

    Attributes:
        id: identifier of the login; it stays the same when tokens are renewed.
        url: URL of the upstream; tokens are sent to no other address.
        kind: how the tokens are renewed.
        token_endpoint: URL at which the tokens are renewed.
        resource: resource to name in a renewal (RFC 8707); None names none.
        client_id, client_secret, client_auth: our client at the issuer, and how the client
            authenticates.
        scope: scope that was granted.
        access_token: token for requests.
        refresh_token: token with which the next access token is requested; None if there is none.
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
        """Returns whether the access token will probably stay valid for this many more seconds."""
        return self.expires_at is None or time.time() + for_s < self.expires_at

    def renewed(self, tokens: OAuthToken) -> Grant:
        """Returns this login with new tokens; values that the issuer does not repeat stay
        unchanged.
        """
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
        """Registers this login's secrets, so that later log lines do not show them."""
        for secret in (self.access_token, self.refresh_token, self.client_secret):
            if secret:
                register_secret(secret, passing=True)


def expiry(tokens: OAuthToken) -> float | None:
    """Returns the time at which an access token that is issued now will expire, in seconds since
    1970.
    """
    return None if tokens.expires_in is None else time.time() + tokens.expires_in


TIMEOUT: Final = httpx2.Timeout(20.0, connect=10.0)


class RevokedError(Exception):
    """The issuer has ended this login; the message gives the reason."""


class NotNowError(Exception):
    """No new tokens could be obtained, but the login may still be valid; the message gives the
    reason.
    """


class _Refusal(BaseModel):
    error: str


async def renew(grant: Grant, client: httpx2.AsyncClient) -> Grant:
    """Requests new tokens once, and returns the login with the new tokens.

    Only an ``invalid_grant`` answer from the issuer ends a login (RFC 6749, section 5.2). A network
    failure, a server failure or any other refusal leaves the login as it is.

    Raises:
        RevokedError, NotNowError: the login has ended, or cannot be renewed now.
    """
    form = {"grant_type": "client_credentials"}
    if grant.kind == "authorization_code":
        if grant.refresh_token is None:
            raise RevokedError("the token has expired and cannot be renewed")
        form = {"grant_type": "refresh_token", "refresh_token": grant.refresh_token}
    elif grant.scope:
        form["scope"] = grant.scope
    if grant.resource is not None:
        form["resource"] = grant.resource
    try:
        response = await client.post(
            grant.token_endpoint, data={**form, **_proof(grant)}, headers=_basic(grant)
        )
    except (httpx2.HTTPError, httpx2.StreamError) as error:
        raise NotNowError(f"the issuer cannot be reached ({type(error).__name__})") from error
    if response.status_code == 200:
        try:
            return grant.renewed(OAuthToken.model_validate_json(response.content))
        except ValidationError:
            raise NotNowError("the issuer's answer contains no valid token") from None
    code = _code(response)
    if code in _FINAL_ERRORS:
        raise RevokedError(f"the issuer refused to renew the token ({code})")
    raise NotNowError(f"the issuer answered HTTP {response.status_code} {code or ''}".rstrip())


def _proof(grant: Grant) -> dict[str, str]:
    # The client id is sent both in the form and in the header, because some issuers read only the
    # form.
    proof = {"client_id": grant.client_id}
    if grant.client_auth == "client_secret_post" and grant.client_secret:
        proof["client_secret"] = grant.client_secret
    return proof


def _basic(grant: Grant) -> dict[str, str]:
    if grant.client_auth != "client_secret_basic":
        return {}
    pair = f"{quote(grant.client_id, safe='')}:{quote(grant.client_secret or '', safe='')}"
    return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}


def _code(response: httpx2.Response) -> str | None:
    try:
        return _Refusal.model_validate_json(response.content).error[:100]
    except ValidationError:
        return None
