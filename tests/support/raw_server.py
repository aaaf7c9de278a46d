"""An MCP server that answers with any bytes: ``python raw_server.py [json|event|sse]``.

Its tool ``answer`` (``answer_MODE``) runs the Python source that it is given, which knows the
identifier of the request as ``id`` (bytes) and sets ``line`` (bytes): the whole JSON-RPC message,
right or wrong.
Without a mode, it speaks over stdio; ``json`` and ``event`` say how streamable HTTP answers, and
``sse`` is the transport with an event stream of its own. With a mode, it prints its port. Standard
library only.
"""

from __future__ import annotations

import json
import queue
import sys
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODE = sys.argv[1] if len(sys.argv) > 1 else ""
TOOL = {
    "name": f"answer_{MODE}" if MODE else "answer",
    "description": f"Answer with any bytes {MODE}.",
    "inputSchema": {
        "type": "object",
        "properties": {"code": {"type": "string"}},
        "required": ["code"],
    },
}
RESULTS: dict[str, dict[str, Any]] = {
    "initialize": {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "raw", "version": "1"},
    },
    "tools/list": {"tools": [TOOL]},
    "ping": {},
}


def answer(request: dict[str, Any]) -> bytes:
    if request["method"] == "tools/call":
        names: dict[str, Any] = {"id": json.dumps(request["id"]).encode()}
        exec(request["params"]["arguments"]["code"], names)
        return names["line"]
    reply: dict[str, Any] = {"jsonrpc": "2.0", "id": request["id"]}
    if request["method"] in RESULTS:
        reply["result"] = RESULTS[request["method"]]
    else:
        reply["error"] = {"code": -32601, "message": "unknown method"}
    return json.dumps(reply).encode()


def event(message: bytes) -> bytes:
    return b"event: message\ndata: " + message + b"\n\n"


class Handler(BaseHTTPRequestHandler):
    events: queue.Queue[bytes] = queue.Queue()

    def do_GET(self) -> None:
        if MODE != "sse":
            self.send_error(405)
            return
        self._begin(200, "text/event-stream")
        self.wfile.write(b"event: endpoint\ndata: /messages\n\n")
        # The client has gone.
        with suppress(OSError):
            while True:
                self.wfile.write(event(Handler.events.get()))

    def do_DELETE(self) -> None:
        self._begin(200, "text/plain")

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if "id" not in request or MODE == "sse":
            self._begin(202, "text/plain")
            if "id" in request:
                Handler.events.put(answer(request))
            return
        message = answer(request)
        self._begin(200, "application/json" if MODE == "json" else "text/event-stream")
        # The client has seen enough.
        with suppress(OSError):
            self.wfile.write(message if MODE == "json" else event(message))

    def _begin(self, status: int, kind: str) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name there
        pass


if MODE:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_port, flush=True)  # noqa: T201
    server.serve_forever()
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        sys.stdout.buffer.write(answer(asked) + b"\n")
        sys.stdout.buffer.flush()
