"""A request for new tokens and its outcome: granted, login ended, or failed for now."""

from __future__ import annotations

import base64
from typing import Final
from urllib.parse import quote

import httpx2
from mcp.shared.auth import OAuthToken
from pydantic import BaseModel, ValidationError

from quartermaster.upstream.auth.grant import Grant

TIMEOUT: Final = httpx2.Timeout(20.0, connect=10.0)
_OVER: Final = frozenset({"invalid_grant"})


class RevokedError(Exception):
    """The issuer has ended this login; the message gives the reason."""


class NotNowError(Exception):
    """No tokens were obtained, but the login may still be valid; the message gives the reason."""


class _Refusal(BaseModel):
    error: str


async def renew(grant: Grant, client: httpx2.AsyncClient) -> Grant:
    """Requests new tokens once, and returns the grant with them.

    Only an ``invalid_grant`` answer from the issuer ends a login (RFC 6749, section 5.2). A network
    failure, a server failure or any other refusal leaves the login as it is.

    Raises:
        RevokedError, NotNowError: the login has ended, or cannot be renewed now.
    """
    form = {"grant_type": "client_credentials"}
    if grant.kind == "authorization_code":
        if grant.refresh_token is None:
            raise RevokedError("its token has expired and cannot be renewed")
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
    if code in _OVER:
        raise RevokedError(f"the issuer refused to renew it ({code})")
    raise NotNowError(f"the issuer answered HTTP {response.status_code} {code or ''}".rstrip())


def _proof(grant: Grant) -> dict[str, str]:
    # The client id is sent in the form as well as in the header, because some issuers look for it
    # only there.
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
