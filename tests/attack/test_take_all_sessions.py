"""One principal opens sessions without end: it is told when to come back, and others are let in."""

from __future__ import annotations

import httpx2
from mcp_types.version import LATEST_HANDSHAKE_VERSION

from tests.attack.conftest import Crowd

ALLOWED = 200
_OPEN = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": LATEST_HANDSHAKE_VERSION,
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
_ACCEPT = {"accept": "application/json, text/event-stream"}


def open_session(http: httpx2.Client, door: str = "/mcp") -> httpx2.Response:
    return http.post(door, json=_OPEN, headers=_ACCEPT)


def test_sessions(crowd: Crowd) -> None:
    mallory, alice = crowd.key("mallory-sessions"), crowd.key("alice-sessions")
    with crowd.instance.http(mallory) as bad, crowd.instance.http(alice) as good:
        opened = [open_session(bad) for _ in range(ALLOWED)]
        assert {reply.status_code for reply in opened} == {200}
        for door in ("/mcp", "/mcp/reconcile", "/mcp/transparent/slow"):
            refused = open_session(bad, door)
            assert refused.status_code == 429, door
            assert refused.json()["error"]["slug"] == "too_many_sessions"
            assert 1000 < int(refused.headers["retry-after"]) <= 1800
        assert open_session(good).status_code == 200
        session = {"mcp-session-id": opened[0].headers["mcp-session-id"]}
        assert bad.delete("/mcp", headers=session).status_code == 200
        assert open_session(bad).status_code == 200
