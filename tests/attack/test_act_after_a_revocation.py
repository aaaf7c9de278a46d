"""Somebody who has lost his rights goes on calling: what begins afterwards is refused.

Calls run without pause in several threads. As soon as the change of an administrator is committed,
no call that begins later may succeed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from threading import Event
from time import monotonic
from urllib.parse import urlsplit

import pytest

from tests.attack.conftest import Crowd
from tests.support.waiting import wait_until

_THREADS = 6
_ROUNDS = 3
_CALL = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {
            "name": "call_tool",
            "arguments": {"name": "slow__echo", "arguments": {}},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    }
)
_HEADERS = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "call_tool",
}


class Caller:
    """Calls without pause with one key.

    Attributes:
        begun: when each call that succeeded has begun.
        broken: what went wrong with the first request of a connection.
        refused: set when a call was refused.
    """

    def __init__(self, url: str, key: str) -> None:
        self.begun: list[float] = []
        self.broken: list[str] = []
        self.refused = Event()
        self._place = urlsplit(url)
        self._headers = _HEADERS | {"authorization": f"Bearer {key}"}
        self._stop = Event()

    def run(self) -> None:
        """Calls until it is stopped."""
        with closing(HTTPConnection(str(self._place.hostname), self._place.port)) as connection:
            is_new = True  # Any server may end a connection between two requests.
            while not self._stop.is_set():
                began = monotonic()
                try:
                    connection.request("POST", "/mcp", _CALL, self._headers)
                    answer = connection.getresponse()
                    text = answer.read().decode()
                except (HTTPException, OSError) as error:
                    if is_new:
                        self.broken.append(repr(error))
                    connection.close()
                    is_new = True
                    continue
                is_new = False
                if answer.status == 200 and '"done"' in text:
                    self.begun.append(began)
                else:
                    self.refused.set()

    def stop(self) -> None:
        self._stop.set()


def revoke(crowd: Crowd, name: str) -> None:
    [key] = crowd.instance.qm_json("key", "list", name)
    crowd.instance.rows("select api.revoke_key(%s)", key["id"])


def disable(crowd: Crowd, name: str) -> None:
    crowd.succeed("principal", "disable", name, "--yes")


def deny(crowd: Crowd, name: str) -> None:
    rule = {"effect": "deny", "subject": f"principal:{name}", "tools": "slow__echo"}
    crowd.instance.rows("select api.apply_rules(%s::jsonb)", json.dumps({"rules": [rule]}))


def quarantine(crowd: Crowd, _name: str) -> None:
    crowd.instance.rows("select api.decide_item('{tool}', 'slow__echo', 'quarantined')")


def approve(crowd: Crowd) -> None:
    crowd.instance.rows("select api.decide_item('{tool}', 'slow__echo', 'approved')")
    crowd.instance.rows("""select api.apply_rules('{"rules": []}')""")


@pytest.mark.parametrize("take_away", [revoke, disable, deny, quarantine])
def test_no_call_begins_after_it(crowd: Crowd, take_away: Callable[[Crowd, str], None]) -> None:
    for number in range(_ROUNDS):
        name = f"loser-{take_away.__name__}-{number}"
        key = crowd.key(name)
        callers = [Caller(crowd.url, key) for _ in range(_THREADS)]
        assert late_calls(crowd, callers, lambda name=name: take_away(crowd, name)) == []
        assert [caller.broken for caller in callers if caller.broken] == []


def late_calls(crowd: Crowd, callers: list[Caller], take_away: Callable[[], None]) -> list[float]:
    """When those calls began that succeeded although their right was already taken away."""
    with ThreadPoolExecutor(_THREADS) as pool:
        running = [pool.submit(caller.run) for caller in callers]
        try:
            assert wait_until(lambda: all(caller.begun for caller in callers), 60)
            take_away()
            committed = monotonic()
            assert wait_until(lambda: all(c.refused.is_set() for c in callers), 60)
        finally:
            for caller in callers:
                caller.stop()
            for each in running:
                each.result()
            approve(crowd)
    return [began for caller in callers for began in caller.begun if began > committed]
