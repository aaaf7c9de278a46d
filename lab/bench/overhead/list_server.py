"""A bare server that lists fixed tools: ``python list_server.py PORT FILE`` (a JSON array)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server import Server


async def main_list(_context: Any, _params: Any) -> types.ListToolsResult:
    """Answers tools/list with what was read once."""
    return types.ListToolsResult(tools=_tools)


if __name__ == "__main__":
    _tools = [
        types.Tool.model_validate(one, by_name=False)
        for one in json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    ]
    app = Server[Any]("bare", on_list_tools=main_list).streamable_http_app()
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error")
