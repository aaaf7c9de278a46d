"""Logs in to an upstream: finds its issuer, registers a client there, and gets tokens.

The SDK runs the flow: resource metadata (RFC 9728), issuer metadata (RFC 8414), dynamic
registration (RFC 7591), and an authorization code with PKCE (S256). It checks the issuer's name
(RFC 9207).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import httpx2
from mcp.client.auth import OAuthClientProvider, OAuthFlowError, TokenStorage
from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp_types.version import LATEST_HANDSHAKE_VERSION
from pydantic import AnyUrl

from quartermaster.core.errors import QmError
from quartermaster.core.logs import mask, register_secret
from quartermaster.upstream.auth.grant import TIMEOUT, Grant, expiry
from quartermaster.upstream.auth.settings import OriginAuth
from quartermaster.upstream.egress import CheckedTransport
from quartermaster.upstream.tls import TlsSettings, tls_context

# The method does not matter, because the request has no token and is refused.
_KNOCK: Final = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
_HEADERS: Final = {
    "Accept": "application/json, text/event-stream",
    MCP_PROTOCOL_VERSION_HEADER: LATEST_HANDSHAKE_VERSION,
}

Show = Callable[[str], Awaitable[None]]
Receive = Callable[[], Awaitable[AuthorizationCodeResult]]


class _Memory(TokenStorage):
    """Holds the data of a login while the login is in progress."""

    def __init__(self, client: OAuthClientInformationFull | None) -> None:
        self.client = client
        self.tokens: OAuthToken | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        for secret in (tokens.access_token, tokens.refresh_token):
            if secret:
                register_secret(secret, passing=True)
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        if client_info.client_secret:
            register_secret(client_info.client_secret)
        self.client = client_info


class _Login(OAuthClientProvider):
    """The SDK's login flow, which requests the scope that the origin declares."""

    declared_scope: str | None = None

    async def _perform_authorization(self) -> httpx2.Request:
        if self.declared_scope is not None:
            self.context.client_metadata.scope = self.declared_scope
        return await super()._perform_authorization()


async def log_in(
    url: str,
    auth: OriginAuth,
    client_secret: str | None,
    tls: TlsSettings,
    redirect: str,
    networks: Sequence[str],
    show: Show,
    receive: Receive,
) -> Grant:
    """Lets a person log in with a browser.

    Args:
        url: URL of the upstream.
        auth: authorisation settings of the origin.
        client_secret: secret of a client that was registered by hand.
        tls: TLS settings of the origin.
        redirect: URL to which the browser returns.
        networks: networks to which connections are allowed although they are not public.
        show: function that is awaited with the URL to open in the browser.
        receive: function that is awaited for the parameters that the browser brings back.

    Raises:
        QmError: QM502 login_failed, QM403 login_refused.
    """
    client = None
    if auth.client_id is not None:
        client = OAuthClientInformationFull(
            redirect_uris=[AnyUrl(redirect)],
            client_id=auth.client_id,
            client_secret=client_secret,
            token_endpoint_auth_method="client_secret_basic" if client_secret else "none",
            issuer=auth.issuer,
        )
    metadata = OAuthClientMetadata(
        client_name="Quartermaster",
        redirect_uris=[AnyUrl(redirect)],
        grant_types=["authorization_code", "refresh_token"],
        scope=auth.scope,
    )
    provider = _Login(url, metadata, _Memory(client), show, receive)
    provider.declared_scope = auth.scope
    return await _granted(provider, url, "authorization_code", tls, networks)


async def log_in_by_secret(
    url: str, auth: OriginAuth, client_secret: str, tls: TlsSettings, networks: Sequence[str]
) -> Grant:
    """Logs in as the service, without a person, with the grant client_credentials.

    Raises:
        QmError: QM502 login_failed.
    """
    assert auth.client_id is not None
    provider = ClientCredentialsOAuthProvider(
        url, _Memory(None), auth.client_id, client_secret, scope=auth.scope, issuer=auth.issuer
    )
    return await _granted(provider, url, "client_credentials", tls, networks)


async def _granted(
    provider: OAuthClientProvider, url: str, kind: str, tls: TlsSettings, networks: Sequence[str]
) -> Grant:
    checked = TlsSettings(verify=tls.verify, ca_file=tls.ca_file)
    try:
        # The upstream names the addresses of its issuer, so these are checked like its own.
        transport = CheckedTransport(tls_context(checked), networks)
        async with httpx2.AsyncClient(transport=transport, timeout=TIMEOUT) as client:
            response = await client.post(url, json=_KNOCK, headers=_HEADERS, auth=provider)
    except (OAuthFlowError, httpx2.HTTPError, ValueError) as error:
        raise _failed(mask(str(error)[:300] or type(error).__name__)) from error
    context = provider.context
    tokens, client_info = context.current_tokens, context.client_info
    if tokens is None or client_info is None:
        raise _failed(
            f"the server did not ask for a login; it answered HTTP {response.status_code}"
        )
    endpoint = context.oauth_metadata and context.oauth_metadata.token_endpoint
    sends_resource = context.should_include_resource_param(LATEST_HANDSHAKE_VERSION)
    return Grant.model_validate(
        {
            "url": url,
            "kind": kind,
            "token_endpoint": str(endpoint or httpx2.URL(url).join("/token")),
            "resource": context.get_resource_url() if sends_resource else None,
            "client_id": client_info.client_id,
            "client_secret": client_info.client_secret,
            "client_auth": client_info.token_endpoint_auth_method,
            "scope": tokens.scope,
            "access_token": tokens.access_token,
            "refresh_token": tokens.refresh_token,
            "expires_at": expiry(tokens),
        }
    )


def _failed(why: str) -> QmError:
    return QmError(
        502,
        "login_failed",
        f"The login failed: {why}.",
        "Check the origin's URL and authorisation with `qm origin show NAME`.",
    )
