"""HTTP/1.1 connections that limit the size of a request, and the time that the client has to send
it.

uvicorn's parser accepts a head of any size, sent as slowly as the client likes. This protocol class
limits both size and time before the parser stores anything. Each connection has its own limits, so
a client that reaches a limit does not affect other clients.
"""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import Final, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.settings.sections import ServerSettings

# Fifty is usual at most; every further header costs memory.
_MOST_HEADERS: Final = 100

log = get_logger(part="http")


class LimitedHttp(HttpToolsProtocol):
    """A connection that is closed if the client exceeds a limit of the settings.

    These are the limits:

    - `server.max_header_bytes`: the size of a head.
    - `server.header_timeout_s`: the time from the connection, or from the first byte of a request,
      to the end of its head.
    - `server.body_timeout_s`: the time from the end of the head to the end of the body.
    - `server.write_timeout_s`: the time for which the client may leave an answer unread.
    """

    limits: ServerSettings
    _head_bytes = 0
    _is_reading_head = True
    _is_body_timed = False
    _timer: asyncio.TimerHandle | None = None
    _write_timer: asyncio.TimerHandle | None = None

    @classmethod
    def limited(cls, limits: ServerSettings) -> type[LimitedHttp]:
        """Returns a subclass with these limits. uvicorn needs a class, because it creates the
        protocol objects itself.
        """
        return type(cls.__name__, (cls,), {"limits": limits})

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Starts the time limit for the first head."""
        super().connection_made(cast("asyncio.Transport", transport))
        self._expect("head", self.limits.header_timeout_s)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops all time limits."""
        self._stop_timer()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Gives the parser at most the allowed number of bytes of a head.

        A time limit starts only if a part of the request is still missing afterwards, because most
        requests arrive as a whole.
        """
        if self._is_reading_head:
            allowed = self.limits.max_header_bytes - self._head_bytes
            self._head_bytes += len(data)
            super().data_received(data[:allowed])
            data = data[allowed:]
            if self._is_reading_head and data:
                self._refuse_head()
        if data and not self.transport.is_closing():
            super().data_received(data)
        if self._timer is None and not self.transport.is_closing():
            if self._is_body_timed:
                self._expect("body", self.limits.body_timeout_s)
            elif self._is_reading_head and not self._is_answering:
                self._expect("head", self.limits.header_timeout_s)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Counts the headers, and refuses a head with too many."""
        if len(self.headers) < _MOST_HEADERS:
            super().on_header(name, value)
        elif not self.transport.is_closing():
            self._refuse_head()

    def on_headers_complete(self) -> None:
        """Sets a time limit for the body, unless the head was refused. uvicorn does not read the
        body while it answers an earlier request of the connection. In this case, the time limit
        starts when that answer is complete.
        """
        self._is_reading_head = False
        self._stop_timer()
        if self.transport.is_closing():
            return
        self._is_body_timed = not self._is_answering
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Stops the time limit, because the next bytes belong to another request."""
        self._stop_timer()
        self._is_reading_head = True
        self._is_body_timed = False
        self._head_bytes = 0
        if not self.transport.is_closing():
            super().on_message_complete()

    def on_body(self, body: bytes) -> None:
        """Passes the body on, unless the head of the request was refused."""
        if not self.transport.is_closing():
            super().on_body(body)

    def on_response_complete(self) -> None:
        """Starts the time limit for the body of the next request, if its head has already
        arrived.
        """
        if not self._is_reading_head and self._timer is None:
            self._expect("body", self.limits.body_timeout_s)
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Starts the time limit for a client that does not read its answer."""
        super().pause_writing()
        self._write_timer = self.loop.call_later(self.limits.write_timeout_s, self.transport.abort)

    def resume_writing(self) -> None:
        """Stops the time limit for a client that reads its answer again."""
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None
        super().resume_writing()

    @property
    def _is_answering(self) -> bool:
        return bool(self.cycle) and not self.cycle.response_complete

    def _expect(self, part: str, limit_s: float) -> None:
        self._timer = self.loop.call_later(limit_s, partial(self._refuse_slow, part, limit_s))

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _may_answer(self) -> bool:
        """Returns whether an answer can be sent now. It can be sent only if the client can match it
        to the refused request.
        """
        is_reading_body = not self._is_reading_head and not self.pipeline
        if self._is_answering and is_reading_body and not self.cycle.response_started:
            self.cycle.disconnected = True  # otherwise the app would answer, too
            self.cycle.message_event.set()
            return True
        return not self._is_answering

    def _refuse_head(self) -> None:
        self._refuse(
            QmError(
                431,
                "headers_too_large",
                f"The head of the request has more than {self.limits.max_header_bytes} bytes or"
                f" {_MOST_HEADERS} headers.",
                "Send less, or raise server.max_header_bytes in the settings.",
            )
        )

    def _refuse_slow(self, part: str, limit_s: float) -> None:
        self._refuse(
            QmError(
                408,
                "request_too_slow",
                f"The {part} of the request did not arrive within {limit_s:g} seconds.",
                f"Send it faster, or raise server.{'header' if part == 'head' else 'body'}"
                "_timeout_s in the settings.",
            )
        )

    def _refuse(self, error: QmError) -> None:
        self._stop_timer()
        log.info("connection_refused", slug=error.slug, client=self.client and self.client[0])
        if self._may_answer():
            content = json.dumps(error.as_dict(None)).encode()
            self.transport.write(
                STATUS_LINE[error.status]
                + b"content-type: application/json\r\nconnection: close\r\ncontent-length: "
                + str(len(content)).encode()
                + b"\r\n\r\n"
                + content
            )
        self.transport.close()
