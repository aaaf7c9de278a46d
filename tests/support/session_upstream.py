"""A streamable HTTP MCP server within the test that loses its sessions, or refuses to speak HTTP as
it is spoken today, in the words of servers that people run.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from typing import Any
from uuid import uuid4

from quartermaster.upstream.spec import OriginSpec
from tests.support.origins import LOOPBACK

OBJECT = {"type": "object"}


@dataclass(frozen=True)
class Refusing:
    """How a request is refused. With a status below 400, ``body`` is the ``error`` of an answer."""

    status: int
    body: str | dict[str, Any] = ""
    headers: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(eq=False)
class SessionUpstream:
    """Counts what it has done, and so outlives every connection.

    Attributes:
        port: port at 127.0.0.1.
        of_unknown: how a request of a session that it does not know is refused.
        of_handshakes: how each handshake is refused; None if it begins a session.
        of_posts: how each POST is refused to the address at which it speaks HTTP+SSE; None if it
            speaks streamable HTTP.
        has_sse: whether it speaks HTTP+SSE there.
        refusals: how the next calls are refused, whatever their session.
        sessions: the sessions that it knows.
        begun: number of sessions that have begun.
        calls: number of calls that were executed.
    """

    port: int = 0
    of_unknown: Refusing = field(default_factory=lambda: Refusing(404))
    of_handshakes: Refusing | None = None
    of_posts: Refusing | None = None
    has_sse: bool = False
    refusals: list[Refusing] = field(default_factory=list[Refusing])
    sessions: set[str] = field(default_factory=set[str])
    begun: int = 0
    calls: int = 0
    streams: dict[str, Queue[str]] = field(default_factory=dict[str, "Queue[str]"])

    def spec(self, name: str = "sessions", **changes: Any) -> OriginSpec:
        """Returns how to reach it over streamable HTTP."""
        url = f"http://127.0.0.1:{self.port}/mcp"
        return OriginSpec(
            id=4, name=name, transport="http", url=url, networks=(LOOPBACK,), **changes
        )

    def result(self, method: str) -> dict[str, Any] | None:
        """Returns the result of a request; None if it does not know the method."""
        match method:
            case "initialize":
                return {
                    "protocolVersion": "2025-06-18",
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "sessions", "version": "1"},
                }
            case "tools/list":
                return {"tools": [{"name": "bake", "inputSchema": OBJECT}]}
            case "tools/call":
                self.calls += 1
                return {"content": [{"type": "text", "text": "baked"}]}
            case "ping":
                return {}
            case _:
                return None

    def answer(self, message: dict[str, Any]) -> dict[str, Any]:
        """Returns the answer to a request."""
        result = self.result(message["method"])
        report: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        if result is None:
            return report | {"error": {"code": -32601, "message": "Method not found"}}
        return report | {"result": result}


@contextmanager
def session_upstream(**given: Any) -> Generator[SessionUpstream]:
    """Runs the server at a free port."""
    upstream = SessionUpstream(**given)

    class Handler(_Handler):
        known = upstream

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        upstream.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield upstream
        finally:
            for stream in upstream.streams.values():
                stream.put("")
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    known: SessionUpstream
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        del format, args

    def do_GET(self) -> None:
        if not self.known.has_sse:
            self._respond(405, b"")
            return
        name = uuid4().hex
        stream = self.known.streams[name] = Queue()
        self.known.sessions.add(name)
        self.known.begun += 1
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        event = f"event: endpoint\ndata: /messages?session_id={name}\n\n"
        while event:
            self.wfile.write(event.encode())
            self.wfile.flush()
            event = stream.get()
        self.close_connection = True

    def do_DELETE(self) -> None:
        self._respond(200, b"")

    def do_POST(self) -> None:
        known = self.known
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path.startswith("/messages"):
            self._answer_on_stream(message)
            return
        if known.of_posts is not None:
            self._refuse(known.of_posts, message)
            return
        if message["method"] == "initialize" and known.of_handshakes is not None:
            self._refuse(known.of_handshakes, message)
        elif message["method"] == "initialize":
            session = uuid4().hex
            known.sessions.add(session)
            known.begun += 1
            self._respond(200, json.dumps(known.answer(message)).encode(), session)
        elif message["method"] == "tools/call" and known.refusals:
            self._refuse(known.refusals.pop(0), message)
        elif message["method"] == "server/discover":
            self._respond(200, json.dumps(known.answer(message)).encode())
        elif self.headers["mcp-session-id"] not in known.sessions:
            self._refuse(known.of_unknown, message)
        elif "id" not in message:
            self._respond(202, b"")
        else:
            self._respond(200, json.dumps(known.answer(message)).encode())

    def _answer_on_stream(self, message: dict[str, Any]) -> None:
        known, name = self.known, self.path.rpartition("=")[2]
        if name not in known.sessions:
            self._refuse(known.of_unknown, message)
            return
        self._respond(202, b"")
        if "id" in message:
            answer = json.dumps(known.answer(message))
            known.streams[name].put(f"event: message\ndata: {answer}\n\n")

    def _refuse(self, refusing: Refusing, message: dict[str, Any]) -> None:
        body = refusing.body
        if isinstance(body, str):
            self._respond(
                refusing.status, body.encode(), kind="text/plain", headers=refusing.headers
            )
            return
        number = message.get("id") if refusing.status < 400 else None
        report = {"jsonrpc": "2.0", "id": number, "error": body}
        self._respond(refusing.status, json.dumps(report).encode(), headers=refusing.headers)

    def _respond(
        self,
        status: int,
        body: bytes,
        session: str | None = None,
        kind: str = "application/json",
        headers: dict[str, str] | None = None,
    ) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        if session is not None:
            self.send_header("mcp-session-id", session)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
