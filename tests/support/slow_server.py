"""An MCP server over HTTP with a slow tool and a quick one; it prints its port: see `running`."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import anyio
import mcp_types as types
import uvicorn
from mcp.server import Server, ServerRequestContext

Context = ServerRequestContext[Any, Any]
_SECONDS = {"type": "object", "properties": {"seconds": {"type": "number"}}}
_TOOLS = [
    types.Tool(name="wait", description="Waits some seconds", input_schema=_SECONDS),
    types.Tool(name="echo", description="Answers at once", input_schema={"type": "object"}),
]


@contextmanager
def running() -> Generator[str]:
    """Provides the URL of such a server, which ends with the block."""
    command = [sys.executable, "-m", "tests.support.slow_server"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/mcp"
        finally:
            process.kill()


async def _list_tools(
    _context: Context, _params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    return types.ListToolsResult(tools=_TOOLS)


async def _call_tool(
    _context: Context, params: types.CallToolRequestParams
) -> types.CallToolResult:
    if params.name == "wait":
        await anyio.sleep((params.arguments or {})["seconds"])
    return types.CallToolResult(content=[types.TextContent(type="text", text="done")])


def _serve() -> None:
    server = Server("slow", on_list_tools=_list_tools, on_call_tool=_call_tool)
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)  # noqa: T201 - whoever started it reads the port
    app = server.streamable_http_app()
    # A connection that is closed when it is used again would count as a failure of the server.
    config = uvicorn.Config(app, log_level="error", timeout_keep_alive=600)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    _serve()
