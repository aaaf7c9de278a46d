"""An MCP server that wants to know who asks: an OAuth issuer in front of it, TLS under it.

Issuer and server are the SDK's, which checks PKCE, clients and tokens; what it grants is kept in
memory here, and a test can make it fail. Everything runs in a thread of the test.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import anyio.to_thread
import mcp_types as types
import uvicorn
from mcp.server import Server, ServerRequestContext
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    OAuthAuthorizationServerProvider,
    ProviderTokenVerifier,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyHttpUrl
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.support.canary import canary

SCOPE = "tools"
MACHINE = "machine"


@dataclass
class GuardedUpstream(
    OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]
):
    """What a test does with it, and what it saw.

    Attributes:
        url: of the MCP endpoint.
        lifetime_s: of the access tokens it grants from now on.
        token_answers: the next answers of the token endpoint, instead of its own: a status and
            an error code.
        answering: cleared, the token endpoint does what it is asked to, but answers nobody.
        machine_secret: of the client that may log in by itself.
        requests: headers of each request to the MCP endpoint.
        token_requests: forms that the token endpoint was sent.
        registered: clients, by id.
    """

    url: str
    lifetime_s: int = 3600
    token_answers: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    answering: threading.Event = field(default_factory=threading.Event)
    machine_secret: str = field(default_factory=lambda: canary("client"))
    requests: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    token_requests: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    registered: dict[str, OAuthClientInformationFull] = field(
        default_factory=dict[str, OAuthClientInformationFull]
    )
    _codes: dict[str, AuthorizationCode] = field(default_factory=dict[str, AuthorizationCode])
    _access: dict[str, AccessToken] = field(default_factory=dict[str, AccessToken])
    _refresh: dict[str, RefreshToken] = field(default_factory=dict[str, RefreshToken])

    def __post_init__(self) -> None:
        self.answering.set()

    @property
    def tokens_seen(self) -> list[str]:
        """The bearer tokens of all requests."""
        given = (headers.get("authorization", "") for headers in self.requests)
        return [text.removeprefix("Bearer ") for text in given if text]

    @property
    def renewals(self) -> int:
        """How often a refresh token was sent."""
        return sum(form["grant_type"] == "refresh_token" for form in self.token_requests)

    def end_access(self) -> None:
        """No access token is taken any longer; refresh tokens are."""
        self._access.clear()

    def revoke(self) -> None:
        """No token is taken any longer."""
        self._access.clear()
        self._refresh.clear()

    # What the SDK asks of an issuer.

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self.registered.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        self.registered[client_info.client_id] = client_info

    async def authorize(
        self, client: OAuthClientInformationFull, params: AuthorizationParams
    ) -> str:
        code = canary("code")
        self._codes[code] = AuthorizationCode(
            code=code,
            scopes=params.scopes or [],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        return construct_redirect_uri(str(params.redirect_uri), code=code, state=params.state)

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        return self._codes.pop(authorization_code, None)

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        return self.grant(client.client_id, authorization_code.scopes, authorization_code.resource)

    async def load_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: str
    ) -> RefreshToken | None:
        return self._refresh.get(refresh_token)

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        # Each is good for one renewal.
        del self._refresh[refresh_token.token]
        return self.grant(client.client_id, scopes, refresh_token.resource)

    async def load_access_token(self, token: str) -> AccessToken | None:
        return self._access.get(token)

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        self.revoke()

    def grant(self, client_id: str, scopes: list[str], resource: str | None) -> OAuthToken:
        """Returns new tokens."""
        access, refresh = canary("access"), canary("refresh")
        self._access[access] = AccessToken(
            token=access,
            client_id=client_id,
            scopes=scopes,
            expires_at=int(time.time()) + self.lifetime_s,
            resource=resource,
        )
        self._refresh[refresh] = RefreshToken(
            token=refresh, client_id=client_id, scopes=scopes, resource=resource
        )
        return OAuthToken(
            access_token=access,
            refresh_token=refresh,
            expires_in=self.lifetime_s,
            scope=" ".join(scopes),
        )


@dataclass(frozen=True)
class TlsFiles:
    """Files of a server that speaks TLS.

    Attributes:
        certificate, key: of the server.
        client_authority: of clients, which then have to show a certificate.
    """

    certificate: Path
    key: Path
    client_authority: Path | None = None


@contextmanager
def guarded_upstream(
    *, oauth: bool = True, tls: TlsFiles | None = None
) -> Generator[GuardedUpstream]:
    """Runs one at a free loopback port.

    Args:
        oauth: whether tokens of its issuer are needed.
        tls: None: plain HTTP.
    """
    listener = socket.create_server(("127.0.0.1", 0))
    base = f"http{'s' if tls else ''}://127.0.0.1:{listener.getsockname()[1]}"
    upstream = GuardedUpstream(f"{base}/mcp")
    app = _app(upstream, base) if oauth else _server().streamable_http_app()
    options: dict[str, Any] = {}
    if tls is not None:
        options = {"ssl_certfile": tls.certificate, "ssl_keyfile": tls.key}
        if tls.client_authority is not None:
            options |= {"ssl_ca_certs": str(tls.client_authority), "ssl_cert_reqs": 2}
    config = uvicorn.Config(
        _Recorder(app, upstream),
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=1,
        **options,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        yield upstream
    finally:
        # Event streams that clients left open are cut.
        server.should_exit = server.force_exit = True
        thread.join(10)
        listener.close()


def _server() -> Server[Any]:
    async def list_tools(
        _context: ServerRequestContext[Any, Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        tool = types.Tool(name="ask", description="Asks.", input_schema={"type": "object"})
        return types.ListToolsResult(tools=[tool])

    async def call_tool(
        _context: ServerRequestContext[Any, Any], _params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        return types.CallToolResult(content=[types.TextContent(type="text", text="answered")])

    return Server("guarded", on_list_tools=list_tools, on_call_tool=call_tool)


def _app(upstream: GuardedUpstream, base: str) -> ASGIApp:
    options = ClientRegistrationOptions(enabled=True, valid_scopes=[SCOPE], default_scopes=[SCOPE])
    settings = AuthSettings(
        issuer_url=AnyHttpUrl(base),
        client_registration_options=options,
        required_scopes=[SCOPE],
        resource_server_url=AnyHttpUrl(upstream.url),
        validate_token_resource=True,
    )
    app = _server().streamable_http_app(
        auth=settings,
        auth_server_provider=upstream,
        token_verifier=ProviderTokenVerifier(upstream),
    )
    [issuing] = [route for route in app.routes if getattr(route, "path", "") == "/token"]
    assert isinstance(issuing, Route)

    async def token(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        body = await request.body()
        form = {key: values[0] for key, values in parse_qs(body.decode()).items()}
        upstream.token_requests.append(form)
        answer = _answer(upstream, form)
        if answer is not None:
            await answer(scope, receive, send)
            return

        async def again() -> Message:
            return {"type": "http.request", "body": body}

        async def later(message: Message) -> None:
            await anyio.to_thread.run_sync(upstream.answering.wait)
            await send(message)

        await issuing.endpoint(scope, again, later)

    app.router.routes.insert(0, Route("/token", endpoint=_Asgi(token), methods=["POST"]))
    return app


def _answer(upstream: GuardedUpstream, form: dict[str, str]) -> Response | None:
    if upstream.token_answers:
        status, code = upstream.token_answers.pop(0)
        return JSONResponse({"error": code}, status_code=status)
    if form["grant_type"] != "client_credentials":
        return None
    if form.get("client_secret") not in {None, upstream.machine_secret}:
        return JSONResponse({"error": "invalid_client"}, status_code=401)
    granted = upstream.grant(MACHINE, [SCOPE], form.get("resource"))
    return JSONResponse(granted.model_dump(exclude={"refresh_token"}, exclude_none=True))


class _Asgi:
    """An application; a plain function would be taken for an endpoint of Starlette's."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


class _Recorder:
    def __init__(self, app: ASGIApp, upstream: GuardedUpstream) -> None:
        self._app = app
        self._upstream = upstream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == "/mcp":
            headers = {name.decode(): value.decode() for name, value in scope["headers"]}
            self._upstream.requests.append(headers)
        await self._app(scope, receive, send)
