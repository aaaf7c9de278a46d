"""HTTP requests with bearer tokens, which are fetched when a request is sent."""

from __future__ import annotations

from typing import Protocol

import httpx2


class Authoriser(Protocol):
    """A source of bearer tokens for one upstream. Equal sources return equal tokens."""

    async def token(self, rejected: str | None = None) -> str:
        """Returns a token that is valid now.

        Args:
            rejected: token that the upstream rejected; the result must be a different token.

        Raises:
            UpstreamError: QM502 upstream_auth, with what the user has to do; QM502 upstream_network
                if a token may be available later.
        """
        ...


class Authorised(httpx2.AsyncBaseTransport):
    """Adds the token in the client that sends requests only to this upstream.

    The token is added here, because this client sends requests to the upstream and to nobody else.
    """

    def __init__(self, inner: httpx2.AsyncBaseTransport, authoriser: Authoriser) -> None:
        self._inner = inner
        self._authoriser = authoriser

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends a request, and sends it once more if its token has expired.

        Raises:
            UpstreamError: the errors of `Authoriser.token`.
            httpx2.TransportError: the transport failed.
        """
        token = await self._authoriser.token()
        response = await self._send(request, token)
        if response.status_code != 401:
            return response
        await response.aclose()
        return await self._send(request, await self._authoriser.token(rejected=token))

    async def _send(self, request: httpx2.Request, token: str) -> httpx2.Response:
        request.headers["Authorization"] = f"Bearer {token}"
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._inner.aclose()
