"""A stdio MCP server that fails where it is told to: ``python fault_server.py EFFECTS_FILE``.

Its calls name their own faults, one for each time that they arrive. What a call has done is a line
in the file, written before anything can go wrong, so it outlives the process.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any


def initialized(params: dict[str, Any]) -> dict[str, Any]:
    return {
        "protocolVersion": params.get("protocolVersion", "2025-11-25"),
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "fault", "version": "1"},
    }


def fault_of(arguments: dict[str, Any], arrived: int) -> str:
    """Returns the fault of this arrival; what has none left succeeds."""
    faults: list[str] = arguments["faults"]
    return faults[arrived] if arrived < len(faults) else "none"


def text(words: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}]}


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def call(effects: Path, request: int, arguments: dict[str, Any]) -> None:
    before = effects.read_text().split() if effects.exists() else []
    with effects.open("a") as file:
        file.write(f"{arguments['id']}\n")
    answer = json.dumps({"jsonrpc": "2.0", "id": request, "result": text("done")})
    match fault_of(arguments, before.count(arguments["id"])):
        case "die":
            os._exit(1)
        case "half":
            sys.stdout.write(answer[:20])
            sys.stdout.flush()
            os._exit(1)
        case "garbage":
            say("{not json")
            os._exit(1)
        case "hang":
            time.sleep(60)
        case _:
            say(answer)


def main(effects: Path) -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        match message["method"]:
            case "initialize":
                result: dict[str, Any] = initialized(message["params"])
            case "tools/list":
                result = {"tools": []}
            case "tools/call":
                call(effects, message["id"], message["params"]["arguments"])
                continue
            case _:
                error = {"code": -32601, "message": "no such method"}
                say(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}))
                continue
        say(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
