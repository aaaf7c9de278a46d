"""A server answers a call with what cannot be read, or with too much: its caller is told at once.

The connection goes on, and /healthz answers meanwhile. With QM_FULL_SIZE=1 on an idle machine,
there are a million members, the time of /healthz has its limit, and is printed with `-s`.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from typing import Any, Final
from urllib.parse import urlsplit

import pytest

from tests.support.health_watch import Watcher, watcher
from tests.support.instance import Instance, new_instance
from tests.support.upstreams import SUPPORT

IS_FULL: Final = os.environ.get("QM_FULL_SIZE") == "1"
SLOWEST_HEALTH_S: Final = 0.1 if IS_FULL else 10.0
# An answer may have 50,000 values.
_MANY: Final = 10**6 if IS_FULL else 10**5
# Far below the time limit of a call, which is 60 s.
_AT_ONCE_S: Final = 20.0
_MODES: Final = ("stdio", "json", "event", "sse")
_SERVER: Final = [sys.executable, str(SUPPORT / "raw_server.py")]
_META: Final = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "attack", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
_WHOLE: Final = 'line = b\'{"jsonrpc":"2.0","id":\' + id + b\',"result":\' + %s + b\'}\''
_STRUCTURE: Final = 'b\'{"content":[],"structuredContent":{"a":\' + %s + b\'}}\''
_TEXT: Final = 'b\'{"content":[{"type":"text","text":"\' + %s + b\'"}]}\''
_FINE: Final = _WHOLE % (_TEXT % "b'fine'")

UNREADABLE: Final = {
    "nested 100,000 deep": ("too_large", _WHOLE % (_STRUCTURE % "b'['*10**5 + b']'*10**5")),
    "nested 150 deep": ("too_large", _WHOLE % (_STRUCTURE % "b'['*150 + b']'*150")),
    "nested objects": ("too_large", _WHOLE % (_STRUCTURE % "b'{\"a\":'*10**5 + b'1' + b'}'*10**5")),
    "many members": (
        "too_large",
        _WHOLE % (_STRUCTURE % f"b'{{'+b','.join(b'\"%d\":1' % n for n in range({_MANY}))+b'}}'"),
    ),
    "many values": ("too_large", _WHOLE % (_STRUCTURE % f"b'['+b'0,'*{_MANY}+b'0]'")),
    "many blocks": (
        "too_large",
        _WHOLE % 'b\'{"content":[\'+b\'{"type":"text","text":""},\'*6000+b\'{}]}\'',
    ),
    "a text of 20 MB": ("result_too_large", _WHOLE % (_TEXT % "b'x'*20_000_000")),
    "a number of 200,000 digits": ("schema", _WHOLE % (_STRUCTURE % "b'9'*200_000")),
    "a number beyond a float": ("schema", _WHOLE % (_STRUCTURE % "b'1e999999'")),
    "NaN": ("schema", _WHOLE % (_STRUCTURE % "b'NaN'")),
    "no end": ("schema", _WHOLE % (_STRUCTURE % "b'['")),
    "a list as result": ("schema", _WHOLE % "b'[]'"),
    "no result": ("schema", 'line = b\'{"jsonrpc":"2.0","id":\' + id + b\'}\''),
    "an error of another form": (
        "schema",
        'line = b\'{"jsonrpc":"2.0","id":\' + id + b\',"error":7}\'',
    ),
    "the identifier after the result": (
        "too_large",
        "line = b'{\"result\":' + b'['*10**5 + b',\"jsonrpc\":\"2.0\",\"id\":' + id + b'}'",
    ),
}
READABLE: Final = {
    "a text of 15 MB": _WHOLE % (_TEXT % "b'word, '*2_500_000"),
    "half a character": _WHOLE % (_TEXT % r"b'cut \\ud83d'"),
    "no UTF-8": _WHOLE % (_TEXT % r"b'cut \xf0\x9f'"),
    "the same member twice": _WHOLE % (_STRUCTURE % 'b\'{"b":1,"b":2}\''),
    "nested 90 deep": _WHOLE % (_STRUCTURE % "b'['*90 + b']'*90"),
    "40,000 members": (
        _WHOLE % (_STRUCTURE % "b'{'+b','.join(b'\"%d\":1' % n for n in range(40_000))+b'}'")
    ),
}


class Raw:
    """A service with one origin for each transport, which answers with any bytes."""

    def __init__(self, instance: Instance, watcher: Watcher) -> None:
        self.instance = instance
        self.watching = watcher.watching

    def call(self, mode: str, code: str) -> tuple[dict[str, Any], float]:
        """Calls the origin's tool; returns the whole answer, and how many seconds it took."""
        run = self.instance.run_file
        tool = "stdio__answer" if mode == "stdio" else f"{mode}__answer_{mode}"
        params = {"name": tool, "arguments": {"code": code}, "_meta": _META}
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        headers = {
            "authorization": f"Bearer {run.token}",
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": "2026-07-28",
            "mcp-method": "tools/call",
            "mcp-name": tool,
        }
        url = urlsplit(run.url)
        with closing(HTTPConnection(str(url.hostname), url.port, timeout=90)) as client:
            began = time.perf_counter()
            client.request("POST", "/mcp", json.dumps(asked), headers)
            answer = client.getresponse().read()
            took = time.perf_counter() - began
        if not answer.startswith(b"{"):  # It took so long that an event stream was opened.
            # The line: the text of an error may contain "data: ", too.
            answer = answer.rpartition(b"\ndata: ")[2]
        return json.loads(answer)["result"], took

    def is_fine(self, mode: str) -> bool:
        """Returns whether a plain call works."""
        result, _ = self.call(mode, _FINE)
        return result["content"] == [{"type": "text", "text": "fine"}]


@pytest.fixture(scope="module")
def raw(stopped_data_dir: Any) -> Generator[Raw]:
    with new_instance(copy_of=stopped_data_dir) as instance, ExitStack() as servers:
        instance.start()
        for mode in _MODES:
            given = ["--command", shlex.join(_SERVER)]
            if mode != "stdio":
                server = servers.enter_context(
                    subprocess.Popen([*_SERVER, mode], stdout=subprocess.PIPE, text=True)
                )
                servers.callback(server.kill)
                assert server.stdout is not None
                url = f"http://127.0.0.1:{server.stdout.readline().strip()}/mcp"
                given = ["--url", url, *(["--sse"] if mode == "sse" else [])]
            done = instance.qm("origin", "add", mode, *given, "--yes")
            assert done.returncode == 0, done.stdout + done.stderr
        yield Raw(instance, servers.enter_context(watcher(instance.run_file)))
        assert instance.stop() == 0


@pytest.mark.parametrize("mode", _MODES)
@pytest.mark.parametrize("what", UNREADABLE)
def test_the_caller_of_an_unreadable_answer_is_told_at_once(raw: Raw, what: str, mode: str) -> None:
    slug, code = UNREADABLE[what]
    with raw.watching() as watched:
        result, took = raw.call(mode, code)
    assert result["isError"]
    error = result["structuredContent"]["error"]
    assert (error["code"], error["slug"].removeprefix("upstream_")) == ("QM502", slug)
    assert took < _AT_ONCE_S
    slowest = max(watched.health_s)
    sys.stdout.write(f"{mode}, {what}: {took:.2f} s, /healthz {slowest:.3f} s\n")
    assert not watched.failed
    assert slowest <= SLOWEST_HEALTH_S
    # The same connection goes on, and the breaker is not tried here.
    assert raw.is_fine(mode)
    assert raw.is_fine(mode)


@pytest.mark.parametrize("mode", _MODES)
@pytest.mark.parametrize("what", READABLE)
def test_the_caller_of_an_unusual_answer_gets_it(raw: Raw, what: str, mode: str) -> None:
    with raw.watching() as watched:
        result, took = raw.call(mode, READABLE[what])
    assert not result.get("isError")
    slowest = max(watched.health_s)
    sys.stdout.write(f"{mode}, {what}: {took:.2f} s, /healthz {slowest:.3f} s\n")
    assert not watched.failed
    assert slowest <= SLOWEST_HEALTH_S


def test_the_process_is_never_restarted(raw: Raw) -> None:
    its_pid = f"import os\n{_WHOLE % (_TEXT % 'str(os.getpid()).encode()')}"
    before, _ = raw.call("stdio", its_pid)
    raw.call("stdio", UNREADABLE["nested 100,000 deep"][1])
    after, _ = raw.call("stdio", its_pid)
    assert after["content"] == before["content"]
