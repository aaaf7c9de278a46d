"""What clients of the SDKs see of a server: its tools, and the result of a call."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import anyio.to_thread
import fastmcp
import httpx2
import mcp
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from mcp.client.streamable_http import streamable_http_client

from tests.support.node_tools import NODE, asked_of_node

# With uvx and Node of this environment, whatever else the machine has.
ENVIRONMENT: Final = {
    **os.environ,
    "PATH": f"{NODE / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}",
}
_LONGEST_S: Final = 180.0


@dataclass(frozen=True)
class Call:
    """A call of a tool, by its name and arguments."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Program:
    """A server that the client starts itself: the program and its arguments."""

    command: tuple[str, ...]


@dataclass(frozen=True)
class Address:
    """A server that runs already, with the token of the client."""

    url: str
    token: str


@dataclass(frozen=True)
class Seen:
    """What a client saw.

    Attributes:
        tools: the definitions by name, as the protocol writes them.
        result: that of the call, as the protocol writes it; refused, if the client raises.
    """

    tools: dict[str, dict[str, Any]]
    result: dict[str, Any]


async def with_python(server: Program | Address, call: Call) -> Seen:
    """As the client of the Python SDK sees it."""
    if isinstance(server, Program):
        command, *arguments = server.command
        target = mcp.StdioServerParameters(command=command, args=arguments, env=ENVIRONMENT)
        return await _with_client(mcp.Client(target, mode="legacy"), call)
    headers = {"Authorization": f"Bearer {server.token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=_LONGEST_S, trust_env=False) as http:
        transport = streamable_http_client(server.url, http_client=http)
        return await _with_client(mcp.Client(transport), call)


async def with_fastmcp(server: Program | Address, call: Call) -> Seen:
    """As FastMCP's client sees it."""
    if isinstance(server, Program):
        command, *arguments = server.command
        transport = StdioTransport(command, arguments, ENVIRONMENT, keep_alive=False)
    else:
        headers = {"Authorization": f"Bearer {server.token}"}
        transport = StreamableHttpTransport(server.url, headers)
    async with fastmcp.Client(transport, timeout=_LONGEST_S) as client:
        tools = await client.list_tools()
        result = await _result(client.call_tool_mcp(call.name, call.arguments))
        return _seen([_written(tool) for tool in tools], result)


async def with_typescript(version: int, server: Program | Address, call: Call) -> Seen:
    """As a client of the TypeScript SDK sees it.

    Args:
        version: 1 or 2.
        server: whom it asks.
        call: what it calls.

    Raises:
        AssertionError: with the error of the client.
    """
    question = {**vars(server), "version": version, "call": vars(call), "env": ENVIRONMENT}
    [answer] = await anyio.to_thread.run_sync(asked_of_node, "ts_client.mjs", [question])
    assert "error" not in answer, answer["error"]
    return _seen(answer["tools"], answer["result"])


async def _with_typescript_1(server: Program | Address, call: Call) -> Seen:
    return await with_typescript(1, server, call)


async def _with_typescript_2(server: Program | Address, call: Call) -> Seen:
    return await with_typescript(2, server, call)


SDKS: Final[dict[str, Callable[[Program | Address, Call], Awaitable[Seen]]]] = {
    "python": with_python,
    "typescript-1": _with_typescript_1,
    "typescript-2": _with_typescript_2,
    "fastmcp": with_fastmcp,
}


async def _with_client(entered: mcp.Client, call: Call) -> Seen:
    async with entered as client:
        tools: list[dict[str, Any]] = []
        cursor = None
        while True:
            page = await client.list_tools(cursor=cursor)
            tools += [_written(tool) for tool in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                break
        return _seen(tools, await _result(client.call_tool(call.name, call.arguments)))


async def _result(called: Awaitable[Any]) -> dict[str, Any]:
    try:
        return _written(await called)
    except mcp.MCPError as error:
        return {"refused": str(error)}


def _written(value: Any) -> dict[str, Any]:
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


def _seen(tools: list[dict[str, Any]], result: dict[str, Any]) -> Seen:
    return Seen({tool["name"]: tool for tool in tools}, result)
