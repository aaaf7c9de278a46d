"""Tells clients where to get a token, with OAuth 2.0 Protected Resource Metadata (RFC 9728)."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from mcp.shared.auth import ProtectedResourceMetadata
from pydantic import AnyHttpUrl
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from quartermaster.core.errors import QmError
from quartermaster.settings.settings import Settings

METADATA_PATH: Final = "/.well-known/oauth-protected-resource"


class ProtectedResource:
    """Describes the MCP endpoints in the form that the authorization part of the protocol defines.

    Args:
        settings: settings; only server.public_url and auth.oidc are used.
    """

    def __init__(self, settings: Settings) -> None:
        self._public_url = settings.server.public_url
        self._oidc = settings.auth.oidc

    def challenge(self, scope: Scope, toolset: str | None) -> dict[str, str]:
        """Returns the parameters for WWW-Authenticate; empty if this server has no token issuer.

        Args:
            scope: ASGI scope of the refused request.
            toolset: toolset whose endpoint was requested; None for the endpoint to the whole
                catalog.
        """
        if self._oidc.issuer is None:
            return {}
        path = f"{METADATA_PATH}{_endpoint(toolset)}"
        parameters = {"resource_metadata": f"{self._base(scope)}{path}"}
        if self._oidc.required_scopes:
            parameters["scope"] = " ".join(self._oidc.required_scopes)
        return parameters

    async def metadata(self, request: Request) -> Response:
        """Returns the document for an endpoint; it does not reveal whether a toolset exists.

        Raises:
            QmError: QM404 path_not_found if this server has no token issuer.
        """
        if self._oidc.issuer is None:
            raise QmError(
                404,
                "path_not_found",
                "This server has no token issuer.",
                "Use a key from `qm key create`, or set auth.oidc in the settings.",
            )
        endpoint = _endpoint(request.path_params.get("toolset"))
        document = ProtectedResourceMetadata(
            resource=AnyHttpUrl(f"{self._base(request.scope)}{endpoint}"),
            authorization_servers=[AnyHttpUrl(self._oidc.issuer)],
            scopes_supported=[*self._oidc.required_scopes] or None,
            resource_name="Quartermaster",
        )
        return Response(
            document.model_dump_json(exclude_none=True),
            media_type="application/json",
            # A client in a browser must be able to read this document before it has any rights.
            headers={"access-control-allow-origin": "*", "cache-control": "max-age=3600"},
        )

    def _base(self, scope: Scope) -> str:
        if self._public_url is not None:
            return self._public_url.rstrip("/")
        return f"{scope['scheme']}://{Headers(scope=scope).get('host', '')}"


def _endpoint(toolset: str | None) -> str:
    return "/mcp" if toolset is None else f"/mcp/{quote(toolset, safe='')}"
