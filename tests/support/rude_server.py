"""A stdio MCP server that misbehaves as asked: ``python rude_server.py [MODE ...]``.

Standard library only, protocol revision 2025-06-18. Modes: ``hang-at-start``, ``exit-at-start``,
``hang-at-list``, ``banner`` (lines that are not JSON-RPC first), ``many`` (5,000 tools on ten
pages), ``endless`` (the same page for ever), ``malformed`` (three definitions that are none),
``deaf`` (does not notice the end of its input), ``stubborn`` (ignores SIGTERM too).

How it starts: ``asks`` (for input), ``works`` (uses the processor for half a second), ``downloads``
(says so, and takes four seconds), ``handshake-first`` (ends if the first request is another).
Its cursors: ``cursor-empty``, ``cursor-null``, ``cursor-number`` (two pages), ``cursor-strict``
(refuses the text of its number), ``cursor-object``, ``cursor-growing`` (the same page for ever),
``cursor-without-end`` (empty pages for ever).
How it writes: ``utf16``, ``crlf``, ``pretty`` (several lines), ``framed`` (behind a length).
How it lives: ``once`` (ends after the answer to a call), ``at-end`` (answers when its input has
ended), ``no-handshake``, ``announces`` (a change after each listing), ``storm`` (500 of them during
a call).

Tools: ``echo``, ``pid``, ``die``, ``flood``, ``long_line``, ``spawn_strays``, ``whisper``,
``bad_result``, ``half`` (of a character), ``calls``, ``eat`` (memory), ``sleep``, ``refuse`` (with
a code that the SDK uses), ``large`` (a result).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

MODES = frozenset(sys.argv[1:])
STRAY = (
    "import signal, sys, time\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "print('up', flush=True)\n"
    "while True: time.sleep(60)\n"
)
calls: list[str] = []
retained: list[bytes] = []


def definition(name: str) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"type": "object"}, "x-unknown": {"kept": True}}


def cursor_after(cursor: str | None) -> object:
    """Returns what follows a page, by the mode."""
    if "cursor-growing" in MODES or "cursor-without-end" in MODES:
        return str(int(cursor or 0) + 1)
    if "cursor-strict" in MODES or "cursor-number" in MODES:
        return 8 if cursor is None else None
    return {"cursor-empty": "", "cursor-null": None, "cursor-object": {"page": 2}}[
        next(mode for mode in MODES if mode.startswith("cursor-"))
    ]


def list_tools(cursor: str | None) -> dict[str, Any]:
    if any(mode.startswith("cursor-") for mode in MODES):
        if cursor is not None and "cursor-strict" in MODES:
            raise ValueError("the cursor is not a number")
        name = "second" if cursor == "8" and "cursor-number" in MODES else "first"
        tools = [] if cursor is not None and "cursor-without-end" in MODES else [definition(name)]
        return {"tools": tools, "nextCursor": cursor_after(cursor)}
    if "many" in MODES:
        start = int(cursor or 0)
        page = [definition(f"tool_{number:04}") for number in range(start, start + 500)]
        return {"tools": page} | ({"nextCursor": str(start + 500)} if start < 4500 else {})
    if "endless" in MODES:
        return {"tools": [definition("again")], "nextCursor": "again"}
    broken: list[Any] = [{"name": "no_schema"}, {"inputSchema": {"type": "object"}}, "a string"]
    names = ["echo", "pid", "die", "flood", "long_line", "spawn_strays", "whisper", "calls"]
    tools = [definition(name) for name in names]
    return {"tools": tools[:2] + broken + tools[2:] if "malformed" in MODES else tools}


def spawn_strays() -> dict[str, Any]:
    """Returns a child in this process group and a grandchild that left it; both ignore SIGTERM."""
    near = subprocess.Popen([sys.executable, "-c", STRAY], stdout=subprocess.PIPE)
    launch = (
        "import subprocess, sys\n"
        "far = subprocess.Popen([sys.executable, '-c', sys.argv[1]], start_new_session=True,"
        " stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)\n"
        "far.stdout.readline()\n"
        "print(far.pid)\n"
    )
    command = [sys.executable, "-c", launch, STRAY]
    far = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
    assert near.stdout is not None
    near.stdout.readline()
    return {"near": near.pid, "far": int(far.stdout)}


def call(name: str, arguments: dict[str, Any]) -> dict[str, Any] | str:
    calls.append(name)
    facts: dict[str, Any] = {}
    match name:
        case "pid":
            facts = {"pid": os.getpid(), "env": dict(os.environ)}
        case "calls":
            facts = {"calls": calls}
        case "die":
            sys.stderr.write("last words\n")
            sys.stderr.flush()
            os.kill(os.getpid(), signal.SIGKILL)
        case "flood":
            while True:
                os.write(1, b"this is not JSON-RPC\n" * 1000)
        case "eat":
            retained.append(b"x" * int(arguments["bytes"]))
            time.sleep(float(arguments.get("then_s", 0)))
        case "sleep":
            time.sleep(float(arguments["s"]))
        case "long_line":
            while True:
                os.write(1, b"x" * 2**20)
        case "spawn_strays":
            facts = spawn_strays()
        case "whisper":
            sys.stderr.write(arguments["text"])
            sys.stderr.flush()
        case "half":
            facts = {"cut": "\ud83d"}
        case "refuse":
            raise PermissionError("not today")
        case "large":
            facts = {"text": "x" * int(arguments["bytes"])}
        case "bad_result":
            return "no object"
        case _:
            pass
    content = [{"type": "text", "text": json.dumps(arguments)}]
    return {"content": content, "structuredContent": facts, "x-unknown": 1}


def answer(request: dict[str, Any]) -> dict[str, Any] | str:
    params = request.get("params") or {}
    match request["method"]:
        case "initialize":
            if "no-handshake" in MODES:
                raise LookupError("initialize")
            return {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "rude", "version": "0"},
            }
        case "tools/list":
            if "hang-at-list" in MODES:
                time.sleep(3600)
            return list_tools(params.get("cursor"))
        case "tools/call":
            return call(params["name"], params.get("arguments") or {})
        case _:
            raise LookupError(request["method"])


def write(message: dict[str, Any]) -> None:
    """Writes a message, by the mode."""
    text = json.dumps(message, indent=2 if "pretty" in MODES else None)
    if "framed" in MODES:
        text = f"Content-Length: {len(text)}\r\n\r\n{text}"
    else:
        text += "\r\n" if "crlf" in MODES else "\n"
    sys.stdout.buffer.write(text.encode("utf-16" if "utf16" in MODES else "utf-8"))
    sys.stdout.buffer.flush()


def announce() -> None:
    """Says that the list of tools has changed."""
    write({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})


def start() -> None:
    """Starts, by the mode."""
    if "asks" in MODES:
        sys.stderr.write("Open https://login.example and enter ABCD, then press Enter: ")
        sys.stderr.flush()
        time.sleep(3600)
    if "downloads" in MODES:
        sys.stderr.write("Downloading packages ...\n")
        sys.stderr.flush()
        time.sleep(4)
    if "works" in MODES:
        while time.process_time() < 0.5:
            sum(range(1000))


def main() -> None:
    start()
    if "stubborn" in MODES:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "hang-at-start" in MODES:
        time.sleep(3600)
    if "exit-at-start" in MODES:
        sys.exit("no configuration found")
    if "banner" in MODES:
        os.write(1, b'Welcome!\n\n{"not": "rpc"}\n\xff\xfe\n')
    is_first = True
    for line in sys.stdin.readlines() if "at-end" in MODES else sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        if "handshake-first" in MODES and is_first and request["method"] != "initialize":
            sys.exit("expected an initialize request")
        is_first = False
        if request["method"] == "tools/call" and "storm" in MODES:
            for _ in range(500):
                announce()
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": request["id"]}
        try:
            reply["result"] = answer(request)
        except LookupError as error:
            reply["error"] = {"code": -32601, "message": f"what is {error}?"}
        except ValueError as error:
            reply["error"] = {"code": -32602, "message": str(error)}
        except PermissionError as error:
            reply["error"] = {"code": -32000, "message": str(error)}
        write(reply)
        if request["method"] == "tools/list" and "announces" in MODES:
            announce()
        if request["method"] == "tools/call" and "once" in MODES:
            return
    while MODES & {"deaf", "stubborn"}:
        time.sleep(60)


if __name__ == "__main__":
    main()
