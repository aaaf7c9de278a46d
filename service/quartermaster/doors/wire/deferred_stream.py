"""Sends a JSON answer instead of an event stream that would contain only the result."""

from __future__ import annotations

import re
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Matches one event whose data is one line with the result of a request. Errors are still sent as
# events, because the SDK's clients fail on JSON that arrives while they are closing, such as the
# answer to a cancelled request.
_ANSWER: Final = re.compile(
    rb'event: message\r\ndata: (\{"jsonrpc":"2\.0","id":(?:"(?:[^"\\]|\\.)*"|-?\d+),'
    rb'"result":[^\r\n]*)\r\n\r\n'
)
_OF_STREAMS: Final = ("cache-control", "connection", "x-accel-buffering")


class DeferredStream:
    """Begins an event stream only if the service must send something other than the answer.

    The SDK's server answers each request in a session with a stream. The SDK's client closes the
    connection of a stream after the answer, but keeps the connection after a JSON answer. If no
    answer comes for some time, a ping from the SDK starts the stream.

    Args:
        app: endpoint of the SDK.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Defers only answers to POST, because a GET request asks for a stream."""
        if scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        deferring = _Deferring(send)
        await self._app(scope, receive, deferring.send)
        await deferring.flush()


class _Deferring:
    """Holds back the start of a stream and its first answer. If this answer is the only event,
    sends it as JSON instead of the stream.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self._answer: Message | None = None
        self._json = b""

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_stream(message):
            self._start = message
        elif self._start is None:
            await self._send(message)
        elif self._answer is None and (found := _ANSWER.fullmatch(message["body"])):
            self._answer, self._json = message, found[1]
        elif self._answer is not None and not message["body"] and not message["more_body"]:
            await self._send_json(self._start)
        else:
            await self.flush()
            await self._send(message)

    async def flush(self) -> None:
        """Sends the parts that were held back, unchanged."""
        waiting = [one for one in (self._start, self._answer) if one is not None]
        self._start = self._answer = None
        for one in waiting:
            await self._send(one)

    async def _send_json(self, start: Message) -> None:
        self._start = self._answer = None
        headers = MutableHeaders(scope=start)
        for name in _OF_STREAMS:
            del headers[name]
        headers["content-type"] = "application/json"
        headers["content-length"] = str(len(self._json))
        await self._send(start)
        await self._send({"type": "http.response.body", "body": self._json})


def _is_stream(start: Message) -> bool:
    return MutableHeaders(scope=start).get("content-type", "").startswith("text/event-stream")
