"""A small MCP server for these tests: ``python shop_server.py``, over stdio."""

from __future__ import annotations

import anyio
import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server

LONG = "All of it. " * 20_000
# Both vendors refuse alternatives at the root of a schema, Anthropic refuses names with brackets,
# and OpenAI arrays without items.
_TEXTS = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "also[]": {"type": "array"}},
    "anyOf": [{"required": ["text"]}, {"properties": {"words": {"type": "array"}}}],
}
_NOTHING = {"type": "object"}
_TOOLS = [
    types.Tool(name="echo", description="Echoes a text", input_schema=_TEXTS),
    types.Tool(name="draw", description="Draws a picture of a cat", input_schema=_NOTHING),
    types.Tool(name="tell", description="Tells a long story", input_schema=_NOTHING),
    types.Tool(name="fail", description="Breaks a vase", input_schema=_NOTHING),
    types.Tool(name="weigh", description="Weighs a parcel", input_schema=_NOTHING),
]


async def _list(_context: ServerRequestContext, _params: object) -> types.ListToolsResult:
    return types.ListToolsResult(tools=_TOOLS)


async def _call(
    _context: ServerRequestContext, params: types.CallToolRequestParams
) -> types.CallToolResult:
    match params.name:
        case "echo":
            return _said(str((params.arguments or {})["text"]))
        case "draw":
            picture = types.ImageContent(type="image", data="iVBORw0=", mime_type="image/png")
            sound = types.AudioContent(type="audio", data="UklGRg==", mime_type="audio/wav")
            return types.CallToolResult(content=[*_said("A cat").content, picture, sound])
        case "tell":
            return _said(LONG)
        case "fail":
            return types.CallToolResult(content=_said("The vase is broken").content, is_error=True)
        case _:
            return types.CallToolResult(content=[], structured_content={"kilos": 3})


def _said(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)])


async def main() -> None:
    server = Server("shop", on_list_tools=_list, on_call_tool=_call)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
