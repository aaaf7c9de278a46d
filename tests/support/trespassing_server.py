"""A stdio MCP server that tries what it should not: ``python trespassing_server.py``.

Its tool ``attempt`` runs the Python source that it is given, and answers with the value of
``found``, or with the error. Standard library only.
"""

from __future__ import annotations

import json
import sys
from typing import Any

TOOL = {
    "name": "attempt",
    "description": "Try something that a server should not do.",
    "inputSchema": {
        "type": "object",
        "properties": {"code": {"type": "string"}},
        "required": ["code"],
    },
}


def attempt(code: str) -> dict[str, Any]:
    names: dict[str, Any] = {"found": None}
    try:
        exec(code, names)
    except BaseException as error:  # noqa: BLE001 - every failure is an answer
        return {"error": type(error).__name__, "text": str(error)}
    return {"found": names["found"]}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        return {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "hostile", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        text = json.dumps(attempt(params["arguments"]["code"]))
        return {"content": [{"type": "text", "text": text}]}
    raise LookupError(method)


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": request["id"]}
        try:
            reply["result"] = answer(request["method"], request.get("params", {}))
        except LookupError:
            reply["error"] = {"code": -32601, "message": "unknown method"}
        print(json.dumps(reply), flush=True)  # noqa: T201
