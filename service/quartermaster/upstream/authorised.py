"""HTTP requests with bearer tokens, which are fetched at the moment of sending."""

from __future__ import annotations

from typing import Protocol

import httpx2


class Authoriser(Protocol):
    """A source of bearer tokens for one upstream. Equal sources return equal tokens."""

    async def token(self, rejected: str | None = None) -> str:
        """A token that is valid now.

        Args:
            rejected: one that the upstream did not take; this is to be another one.

        Raises:
            UpstreamError: QM502 upstream_auth, with what has to be done; QM502 upstream_network
                where it may be had later.
        """
        ...


class Authorised(httpx2.AsyncBaseTransport):
    """Adds the token in the client that sends requests to this upstream only.

    It is put on here, in what sends requests to the upstream and to nobody else.
    """

    def __init__(self, inner: httpx2.AsyncBaseTransport, authoriser: Authoriser) -> None:
        self._inner = inner
        self._authoriser = authoriser

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends a request, and once more if its token has expired.

        Raises:
            UpstreamError: those of `Authoriser.token`.
            httpx2.TransportError: as the transport has it.
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
        """Close the connections."""
        await self._inner.aclose()
