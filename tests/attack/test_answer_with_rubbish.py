"""A local server writes what it likes to its client: the service and other servers go on."""

from __future__ import annotations

import json
import zlib

import pytest

from tests.attack.conftest import Hostile
from tests.support.confined import needs_bubblewrap

_DEEP = "[" * 100_000 + "]" * 100_000
_NESTED = '{"a":' * 50_000 + "1" + "}" * 50_000
_NUMBER = "9" * 100_000


def rpc(**members: object) -> str:
    return json.dumps({"jsonrpc": "2.0", **members})


LINES = {
    "no JSON": "\x00\x01\x02 garbage",
    "half a message": '{"jsonrpc": "2.0", "id":',
    "a deep list": f'{{"jsonrpc": "2.0", "id": 1, "result": {_DEEP}}}',
    "a deep object": f'{{"jsonrpc": "2.0", "id": 1, "result": {_NESTED}}}',
    "a long number": f'{{"jsonrpc": "2.0", "id": {_NUMBER}, "result": {{}}}}',
    "no number": '{"jsonrpc": "2.0", "id": NaN, "result": {"content": Infinity}}',
    "a lone surrogate": '{"jsonrpc": "2.0", "id": 1, "result": {"a": "\\ud800"}}',
    "an empty list": "[]",
    "a list of messages": json.dumps([{"jsonrpc": "2.0", "id": n, "result": {}} for n in range(9)]),
    "answers to requests of nobody": "\n".join(rpc(id=n, result={}) for n in range(1000, 1200)),
    "answers to all requests": "\n".join(
        rpc(id=n, result={"content": [{"type": "text", "text": "forged"}]}) for n in range(200)
    ),
    "an error without a code": rpc(id=1, error="none"),
    "an error with a list": rpc(id=2, error={"code": [], "message": {}}),
    "result and error": rpc(id=1, result={}, error={"code": 1, "message": "x"}),
    "a question about nothing": rpc(id="q", method="sampling/createMessage", params={}),
    "a question with garbage": rpc(id="q", method="elicitation/create", params=["x"]),
    "an unknown question": rpc(id={}, method="evil/method"),
    "roots": rpc(id="r", method="roots/list"),
    "a flood of changes": "\n".join(
        rpc(method="notifications/tools/list_changed") for _ in range(2_000)
    ),
    "progress of nobody": rpc(
        method="notifications/progress", params={"progressToken": [], "progress": "much"}
    ),
    "a cancellation": rpc(method="notifications/cancelled", params={"requestId": 1}),
    "a log of a megabyte": rpc(
        method="notifications/message", params={"level": "emergency", "data": "x" * 1_000_000}
    ),
    "a second greeting": rpc(id=0, result={"protocolVersion": "9999", "capabilities": 1}),
}
# An argument of a command must not be long.
_WRITE = """
import os, zlib
data = zlib.decompress(bytes.fromhex(TEXT)) + b"\\n"
while data:
    data = data[os.write(1, data):]
found = "written"
"""


@needs_bubblewrap
@pytest.mark.parametrize("what", LINES)
def test_it_writes(hostile: Hostile, what: str) -> None:
    pid = hostile.instance.run_file.pid
    code = f"TEXT = {zlib.compress(LINES[what].encode()).hex()!r}\n{_WRITE}"
    done = hostile.instance.qm("call", "hostile__attempt", json.dumps({"code": code}), "--json")
    # It may have broken its own call, or its own connection; a forged answer is its own answer.
    assert "QM500" not in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert hostile.attempt("found = 'alive'") == {"found": "alive"}
    assert hostile.instance.run_file.pid == pid
    with hostile.instance.http() as http:
        assert http.get("/readyz").status_code == 200
