"""Sends HTTP requests to the service. Connections are reused, and events are yielded as they
arrive.
"""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from quartermaster.core.paths import RunFile

EVENTS: Final = "text/event-stream"
_CONNECT_S: Final = 10.0
# The service closes a connection that was idle for 5 s. A request on a connection that
# is being closed would be lost.
_IDLE_S: Final = 3.0


@dataclass
class StreamedResponse:
    """An answer whose headers have arrived, but perhaps not its body.

    Attributes:
        status: HTTP status.
        kind: media type of the body.
        session: id of the session that the answer begins; None if it begins none.
    """

    status: int
    kind: str
    session: str | None
    _response: http.client.HTTPResponse

    def body(self) -> bytes:
        """Returns the whole body."""
        return self._response.read()

    def events(self) -> Iterator[bytes]:
        """Yields the data of each message, as soon as it has arrived."""
        data: list[bytes] = []
        for line in self._response:
            field, _, value = line.rstrip(b"\r\n").partition(b":")
            if field == b"data":
                data.append(value.removeprefix(b" "))
            elif not field and not value:
                # An event without data only tells where a stream could be resumed.
                if text := b" ".join(data).strip():
                    yield text
                data = []


class HttpExchange:
    """One request and its answer. Another thread may end the request."""

    def __init__(self, link: ServiceLink) -> None:
        self._link = link
        self._connection = link.take()

    def ask(self, method: str, body: bytes | None, headers: Mapping[str, str]) -> StreamedResponse:
        """Sends the request, and returns the head of the answer.

        Raises:
            OSError, http.client.HTTPException: the service does not answer.
        """
        given = {**self._link.headers, **headers}
        self._connection.request(method, self._link.path, body, given)
        # The limit was for connecting. A call may take as long as the service lets it, and the head
        # of an answer that is no stream comes when the answer is complete.
        if self._connection.sock is not None:
            self._connection.sock.settimeout(None)
        response = self._connection.getresponse()
        return StreamedResponse(
            response.status,
            response.getheader("content-type", "").partition(";")[0].strip().lower(),
            response.getheader("mcp-session-id"),
            response,
        )

    def end(self) -> None:
        """Closes the connection immediately, which tells the service that nobody waits for the
        answer any more.
        """
        if self._connection.sock is not None:
            with suppress(OSError):
                self._connection.sock.shutdown(socket.SHUT_RDWR)

    def close(self, *, is_whole: bool) -> None:
        """Keeps the connection for the next request if this answer was read to its end."""
        if is_whole:
            self._link.keep(self._connection)
        else:
            self._connection.close()


class ServiceLink:
    """Connections to the service at one address.

    Args:
        run: the address of the service, and the certificate authorities to trust.
        path: path of the MCP door.
        key: bearer key.

    Attributes:
        headers: headers of every request.
        path: path of the MCP door.
    """

    def __init__(self, run: RunFile, path: str, key: str) -> None:
        self.path = path
        self.headers = {
            "Authorization": f"Bearer {key}",
            "Accept": f"application/json, {EVENTS}",
            "Content-Type": "application/json",
        }
        self._run = run
        self._idle: list[tuple[float, http.client.HTTPConnection]] = []
        self._lock = threading.Lock()

    def take(self) -> http.client.HTTPConnection:
        """Returns a connection for the caller alone. It may not be open yet."""
        with self._lock:
            while self._idle:
                since, connection = self._idle.pop()
                if time.monotonic() - since < _IDLE_S:
                    return connection
                connection.close()
        return self._new()

    def keep(self, connection: http.client.HTTPConnection) -> None:
        """Makes a connection available to the next caller."""
        with self._lock:
            self._idle.append((time.monotonic(), connection))

    def _new(self) -> http.client.HTTPConnection:
        place = urlsplit(self._run.url)
        assert place.hostname is not None
        if place.scheme == "http":
            return http.client.HTTPConnection(place.hostname, place.port, timeout=_CONNECT_S)
        # It is imported only here, because it takes 2 MB.
        from quartermaster.core.trust import context_for

        return http.client.HTTPSConnection(
            place.hostname, place.port, timeout=_CONNECT_S, context=context_for(self._run)
        )
