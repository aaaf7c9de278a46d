"""A stdio MCP server that offers what a file says: ``python listing_server.py FILE``.

The file holds ``{"tools": [...], "prompts": [...], "results": {name: result of a call}}``; the
result ``"echo"`` is what the tool was called with. The file is read anew for each request; every
listing is noted in ``FILE.log``. Standard library only, so that definitions go out exactly as they
are written.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

offer = Path(sys.argv[1])


def echo(params: dict[str, Any]) -> dict[str, Any]:
    called = {key: params[key] for key in ("name", "arguments")}
    return {
        "content": [{"type": "text", "text": json.dumps(called)}],
        "structuredContent": params["arguments"],
    }


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        return {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}, "prompts": {}},
            "serverInfo": {"name": offer.stem, "version": "1"},
            "instructions": "Ask\x00 politely.",
        }
    if method == "tools/list":
        with offer.with_suffix(".log").open("a") as log:
            log.write("listed\n")
        return {"tools": json.loads(offer.read_text())["tools"]}
    if method == "prompts/list":
        return {"prompts": json.loads(offer.read_text()).get("prompts", [])}
    if method == "tools/call":
        result = json.loads(offer.read_text())["results"][params["name"]]
        return echo(params) if result == "echo" else result
    raise LookupError(method)


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": request["id"]}
        try:
            reply["result"] = answer(request["method"], request.get("params", {}))
        except LookupError:
            reply["error"] = {"code": -32601, "message": "what?"}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()
