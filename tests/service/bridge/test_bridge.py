"""What the bridge tells its client when the service refuses it, and which request it cancels."""

from __future__ import annotations

import json
import os
import socket
from typing import Any

from quartermaster.bridge.bridge import Bridge
from quartermaster.bridge.link import ServiceLink
from quartermaster.core.paths import RunFile
from tests.support.session_upstream import Refusing, session_upstream


def test_a_key_that_is_revoked_while_the_session_is_lost_is_no_outage() -> None:
    error = {"code": "QM401", "slug": "key_invalid", "message": "The key is revoked.", "hint": "x"}
    source, sink = os.pipe()
    with session_upstream() as upstream, os.fdopen(source) as answers:
        run = RunFile(f"http://127.0.0.1:{upstream.port}", "key", 0)
        link = ServiceLink(run, "/mcp", "key")
        bridge = Bridge(lambda: link, sink, lambda: None)

        def asked(number: int, method: str) -> dict[str, Any]:
            message = {"jsonrpc": "2.0", "id": number, "method": method, "params": {}}
            bridge.receive(json.dumps(message).encode())
            return json.loads(answers.readline())

        assert asked(1, "initialize")["result"]["serverInfo"]["name"] == "sessions"
        assert asked(2, "tools/list")["result"]["tools"]
        upstream.sessions.clear()
        upstream.of_handshakes = Refusing(401, json.dumps({"error": error}))

        refused = asked(3, "tools/list")["error"]

        assert refused["data"]["slug"] == "key_invalid"
        assert "The key is revoked." in refused["message"]
        assert "lost" not in refused["message"]
        # At most one connection for each request was kept.
        for _ in range(10):
            link.take().close()
    os.close(sink)


def test_a_number_and_the_same_digits_as_a_text_are_two_requests() -> None:
    source, sink = os.pipe()
    with socket.create_server(("127.0.0.1", 0)) as service, os.fdopen(source) as answers:
        run = RunFile(f"http://127.0.0.1:{service.getsockname()[1]}", "key", 0)
        link = ServiceLink(run, "/mcp", "key")
        bridge = Bridge(lambda: link, sink, lambda: None)

        def ask(number: int | str) -> socket.socket:
            message = {"jsonrpc": "2.0", "id": number, "method": "tools/list"}
            bridge.receive(json.dumps(message).encode())
            connection, _ = service.accept()
            connection.settimeout(10)
            asked = b""
            while not asked.endswith(json.dumps(message).encode()):
                asked += connection.recv(4096)
            return connection

        with ask(1) as first, ask("1") as second:
            cancelled = {"method": "notifications/cancelled", "params": {"requestId": 1}}
            bridge.receive(json.dumps({"jsonrpc": "2.0", **cancelled}).encode())
            assert first.recv(1) == b""
            answer = b'{"jsonrpc": "2.0", "id": "1", "result": {}}'
            head = [b"HTTP/1.0 200 OK", b"Content-Length: %d" % len(answer)]
            second.sendall(b"\r\n".join([*head, b"", answer]))
            assert json.loads(answers.readline()) == json.loads(answer)
            bridge.finish()
    os.close(sink)
