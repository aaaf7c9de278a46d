"""A small MCP server to test against: ``python leaf_server.py stdio|http|sse [MODE ...]``.

For http and sse the first line of stdout is the port. Modes:

- ``legacy``: the handshake protocol revisions only.
- ``token``: HTTP requests need ``Authorization: Bearer cnryQm7x-let-me-in``.
- a number: listen at this port.
- ``moody=FILE``: calls of tools are answered as the file says at that moment: ``ok``, ``500``, or
  ``slow SECONDS``.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import uvicorn
from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.lowlevel import NotificationOptions
from mcp.server.sse import SseServerTransport
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp.shared.message import SessionMessage
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

Context = ServerRequestContext[Any, Any]
MODES = frozenset(sys.argv[2:])
MOOD = next((Path(mode[6:]) for mode in MODES if mode.startswith("moody=")), None)
counters = {"pid": os.getpid(), "lists": 0, "calls": 0, "completed": 0, "cancelled": 0}
bus = InMemorySubscriptionBus()


def tool(name: str, **properties: str) -> types.Tool:
    schema = {"type": "object", "properties": {key: {"type": t} for key, t in properties.items()}}
    return types.Tool(name=name, description=f"The {name} tool", input_schema=schema)


TOOLS = [
    tool("echo", text="string"),
    tool("count", to="integer"),
    tool("measure"),
    tool("refuse"),
    tool("raise"),
    tool("counters"),
    tool("hang"),
    tool("change_tools"),
    tool("ask"),
    tool("big", size="integer"),
]


def text(value: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=value)])


async def list_tools(
    ctx: Context, params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    counters["lists"] += 1
    return types.ListToolsResult(tools=TOOLS)


async def call_tool(
    ctx: Context, params: types.CallToolRequestParams
) -> types.CallToolResult | types.InputRequiredResult:
    given = params.arguments or {}
    counters["calls"] += 1
    match params.name:
        case "echo":
            result = text(given["text"])
            result.meta = {"seen": {k: v for k, v in (ctx.meta or {}).items() if "/" not in k}}
            return result
        case "count":
            for number in range(1, int(given["to"]) + 1):
                await ctx.session.report_progress(number, given["to"], f"step {number}")
            return text("counted")
        case "measure":
            result = text('{"value": 7}')
            result.structured_content = {"value": 7}
            result.meta = {"unit": "m"}
            return result
        case "refuse":
            result = text("not today")
            result.is_error = True
            return result
        case "counters":
            return types.CallToolResult(content=[], structured_content=dict(counters))
        case "hang":
            await ctx.session.report_progress(1, None, "hanging")
            return await hang()
        case "change_tools":
            TOOLS.append(tool(f"newcomer_{len(TOOLS)}"))
            await ctx.session.send_notification(
                types.ToolListChangedNotification(), related_request_id=ctx.request_id
            )
            await bus.publish(ToolsListChanged())
            return text("changed")
        case "ask":
            return ask(params)
        case "big":
            return text("x" * int(given["size"]))
        case _:
            raise MCPError(types.INVALID_PARAMS, f"no tool {params.name}", {"why": "a test"})


def ask(params: types.CallToolRequestParams) -> types.CallToolResult | types.InputRequiredResult:
    if params.input_responses:
        answer = params.input_responses["who"]
        assert isinstance(answer, types.ElicitResult)
        return text(f"hello {(answer.content or {})['name']}, {params.request_state}")
    schema: dict[str, Any] = {"type": "object", "properties": {"name": {"type": "string"}}}
    form = types.ElicitRequestFormParams(message="who?", requested_schema=schema)
    question = types.ElicitRequest(params=form)
    return types.InputRequiredResult(request_state="kept", input_requests={"who": question})


async def hang() -> types.CallToolResult:
    try:
        await anyio.sleep_forever()
    except anyio.get_cancelled_exc_class():
        counters["cancelled"] += 1
        raise
    return text("unreachable")


class LeafServer(Server[Any]):
    # Without this, streamable HTTP tells session clients that the list never changes.
    def create_initialization_options(
        self, notification_options: NotificationOptions | None = None, *args: Any, **kwargs: Any
    ) -> Any:
        options = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(options, *args, **kwargs)


class Gate:
    """Refuses requests without the token, and in ``legacy`` mode those of the newest revision."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope.get("headers", []))
        version = headers.get(b"mcp-protocol-version", b"").decode()
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif "token" in MODES and headers.get(b"authorization") != b"Bearer cnryQm7x-let-me-in":
            await Response("no", status_code=401)(scope, receive, send)
        elif MOOD is not None and headers.get(b"mcp-method") == b"tools/call":
            await self.moody(scope, receive, send)
        elif "legacy" in MODES and version in MODERN_PROTOCOL_VERSIONS:
            await Response("what?", status_code=400)(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def moody(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert MOOD is not None
        mood, *more = MOOD.read_text().split()
        if mood == "500":
            await Response("no", status_code=500)(scope, receive, send)
            return
        if mood == "slow":
            await anyio.sleep(float(more[0]))
        await self.app(scope, receive, send)


@asynccontextmanager
async def without_discovery(read: Any, write: Any) -> AsyncGenerator[Any]:
    """Provides the read stream of a server that has never heard of ``server/discover``."""
    forward, retained = anyio.create_memory_object_stream[Any](0)

    async def sift() -> None:
        async with forward:
            async for item in read:
                message = getattr(item, "message", None)
                if isinstance(message, types.JSONRPCRequest) and "discover" in message.method:
                    error = types.ErrorData(code=types.METHOD_NOT_FOUND, message="what?")
                    refusal = types.JSONRPCError(jsonrpc="2.0", id=message.id, error=error)
                    await write.send(SessionMessage(refusal))
                else:
                    await forward.send(item)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(sift)
        yield retained
        tasks.cancel_scope.cancel()


async def serve_streams(server: Server[Any], read: Any, write: Any) -> None:
    options = server.create_initialization_options()
    if "legacy" in MODES:
        async with without_discovery(read, write) as sifted:
            await server.run(sifted, write, options)
    else:
        await server.run(read, write, options)


async def serve_stdio(server: Server[Any]) -> None:
    async with stdio_server() as (read, write):
        await serve_streams(server, read, write)


def sse_app(server: Server[Any]) -> Starlette:
    transport = SseServerTransport("/messages/")

    async def connect(request: Request) -> Response:
        streams = transport.connect_sse(request.scope, request.receive, request._send)
        async with streams as (read, write):
            await serve_streams(server, read, write)
        return Response()

    post = Mount("/messages/", app=transport.handle_post_message)
    return Starlette(routes=[Route("/sse", endpoint=connect), post])


def serve_http(app: Starlette) -> None:
    app.add_middleware(Gate)
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", next((int(mode) for mode in MODES if mode.isdecimal()), 0)))
    listener.listen()
    sys.stdout.write(f"{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    config = uvicorn.Config(app, log_level="error", access_log=False, timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    leaf = LeafServer(
        "leaf",
        version="1.2",
        instructions="Use echo.",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_subscriptions_listen=ListenHandler(bus),
    )
    if sys.argv[1] == "stdio":
        anyio.run(serve_stdio, leaf)
    else:
        serve_http(leaf.streamable_http_app() if sys.argv[1] == "http" else sse_app(leaf))
