"""Searches and calls over HTTP, for programs with and without asyncio."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Self, Unpack

import httpx2

from quartermaster_client.wire import (
    Outgoing,
    SearchAnswer,
    SearchOptions,
    ToolReply,
    call_answer,
    call_request,
    headers_with,
    search_answer,
    search_request,
    service_url,
)

# The service itself limits the duration of a call, and says so.
_TIMEOUT: Final = httpx2.Timeout(10.0, read=3600.0)


class Quartermaster:
    """A running Quartermaster, with the rights of a key.

    No request is sent twice. Errors of the connection are those of httpx2.

    Args:
        url: address of the service, such as https://qm.example; its MCP endpoint does, too.
        key: key of the principal (`qm key create`).
        http: client to send with, such as one with an authority of your own; the caller closes it.

    Raises:
        ValueError: the key is empty, or contains characters that no key has.
    """

    def __init__(self, url: str, key: str, http: httpx2.Client | None = None) -> None:
        self._url, self._headers = service_url(url), headers_with(key)
        self._is_own = http is None
        self._http = http or httpx2.Client(timeout=_TIMEOUT)

    def search(self, goal: str, **options: Unpack[SearchOptions]) -> SearchAnswer:
        """Returns the few tools that fit a goal, best first.

        Raises:
            QuartermasterError: the service refused the search.
        """
        return search_answer(*self._send(search_request(goal, options)))

    def call(
        self, name: str, arguments: Mapping[str, Any], receipt: int | None = None
    ) -> ToolReply:
        """Calls a tool. A call that failed is a reply with isError.

        Args:
            name: name of the tool, as the search returned it.
            arguments: arguments for the tool.
            receipt: number of the receipt of the search that found the tool.

        Raises:
            QuartermasterError: the service refused the request.
        """
        return call_answer(*self._send(call_request(name, arguments, receipt)))

    def _send(self, outgoing: Outgoing) -> tuple[int, str]:
        headers = {**self._headers, **outgoing.headers}
        url, body = f"{self._url}{outgoing.path}", outgoing.content
        answer = self._http.post(url, content=body, headers=headers)
        return answer.status_code, answer.text

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections, unless they are those of a client that was given."""
        if self._is_own:
            self._http.close()


class AsyncQuartermaster:
    """The same as `Quartermaster`, for programs with asyncio."""

    def __init__(self, url: str, key: str, http: httpx2.AsyncClient | None = None) -> None:
        self._url, self._headers = service_url(url), headers_with(key)
        self._is_own = http is None
        self._http = http or httpx2.AsyncClient(timeout=_TIMEOUT)

    async def search(self, goal: str, **options: Unpack[SearchOptions]) -> SearchAnswer:
        """See `Quartermaster.search`."""
        return search_answer(*await self._send(search_request(goal, options)))

    async def call(
        self, name: str, arguments: Mapping[str, Any], receipt: int | None = None
    ) -> ToolReply:
        """See `Quartermaster.call`."""
        return call_answer(*await self._send(call_request(name, arguments, receipt)))

    async def _send(self, outgoing: Outgoing) -> tuple[int, str]:
        headers = {**self._headers, **outgoing.headers}
        url, body = f"{self._url}{outgoing.path}", outgoing.content
        answer = await self._http.post(url, content=body, headers=headers)
        return answer.status_code, answer.text

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_raised: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections, unless they are those of a client that was given."""
        if self._is_own:
            await self._http.aclose()
