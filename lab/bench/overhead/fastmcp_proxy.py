"""FastMCP's proxy: ``python fastmcp_proxy.py stdio|http PORT URL|stdio [--connected]``.

By default it opens a client for every request; ``--connected`` shares one.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from fastmcp.server import create_proxy

LEAF = Path(__file__).parents[3] / "tests" / "support" / "leaf_server.py"


def transport(address: str) -> Any:
    """To the upstream."""
    if address == "stdio":
        return StdioTransport(command=sys.executable, args=[str(LEAF), "stdio"])
    return StreamableHttpTransport(address)


async def serve(proxy: Any, front: str, port: int) -> None:
    """Until it is ended."""
    if front == "stdio":
        await proxy.run_async("stdio", show_banner=False)
        return
    await proxy.run_http_async(
        transport="http",
        host="127.0.0.1",
        port=port,
        path="/mcp",
        show_banner=False,
        log_level="warning",
        uvicorn_config={"access_log": False},
    )


async def main() -> None:
    """As asked."""
    front, port, address = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    if "--connected" in sys.argv:
        async with Client(transport(address)) as client:
            await serve(create_proxy(client, name="proxy"), front, port)
    else:
        await serve(create_proxy(transport(address), name="proxy"), front, port)


if __name__ == "__main__":
    asyncio.run(main())
