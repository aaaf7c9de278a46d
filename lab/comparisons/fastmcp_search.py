"""FastMCP's BM25 search transform (PyPI), asked over MCP in memory."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from quartermaster.eval.items import ItemSet

if TYPE_CHECKING:
    from fastmcp import Client

NAME = "FastMCP 4 BM25"
MAX_RESULTS = 10


class FastMcpSearch:
    """Asks a FastMCP server that lists all tools.

    Args:
        client: connected to it.
        positions: of the tools by the name they have there.
    """

    def __init__(self, client: Client[Any], positions: dict[str, int]) -> None:
        self._client = client
        self._positions = positions

    async def search(self, goal: str) -> list[int]:
        """Returns positions of the best ten tools, best first."""
        result = await self._client.call_tool("search_tools", {"query": goal})
        found: Any = result.data
        if found is None:
            found = json.loads(result.content[0].text) if result.content else []
        return [self._positions[tool["name"]] for tool in found]


@asynccontextmanager
async def fastmcp_search(tools: ItemSet) -> AsyncGenerator[FastMcpSearch]:
    """Provides a server with the tools, each under a name of its own; goals get ten of them."""
    # Every process of the tests reads this module, and few of them ask.
    from fastmcp import Client, FastMCP
    from fastmcp.server.transforms.search import BM25SearchTransform
    from fastmcp.tools import Tool

    server = FastMCP("tools")
    positions: dict[str, int] = {}
    for position, tool in enumerate(tools.definitions):
        name = str(tool["name"])
        if name in positions:
            name = f"{name}_{position}"
        positions[name] = position
        schema = tool.get("input_schema") or {"type": "object"}
        server.add_tool(
            Tool(name=name, description=tool.get("description") or "", parameters=schema)
        )
    server.add_transform(BM25SearchTransform(max_results=MAX_RESULTS))
    async with Client(server) as client:
        yield FastMcpSearch(client, positions)
