"""The headers in which MCP over HTTP repeats parts of a message of the revision 2026-07-28."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

_VERSION: Final = "io.modelcontextprotocol/protocolVersion"
# The parameter that names what a method is about.
_NAME_PARAMETERS: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_ENCODED_PREFIX: Final = "=?base64?"

Json = dict[str, Any]


def version_in(message: Json) -> str | None:
    """Returns the revision that a stateless request names; None for a request of a session."""
    meta: object = _object(message.get("params")).get("_meta")
    found: object = _object(meta).get(_VERSION)
    return found if isinstance(found, str) else None


class RepeatedHeaders:
    """Creates the headers of requests, and learns from tool lists which arguments the headers must
    repeat.
    """

    def __init__(self) -> None:
        self._by_tool: dict[str, dict[tuple[str, ...], str]] = {}

    def learn(self, result: object) -> None:
        """Learns from a result of tools/list which arguments the headers must repeat."""
        tools: object = _object(result).get("tools")
        for tool in cast("list[object]", tools) if isinstance(tools, list) else []:
            given = _object(tool)
            self._by_tool[str(given.get("name"))] = dict(_marked(given.get("inputSchema"), ()))

    def of(self, message: Json, version: str) -> dict[str, str]:
        """Returns the headers of a stateless request."""
        method = str(message.get("method"))
        params = _object(message.get("params"))
        headers = {"MCP-Protocol-Version": version, "Mcp-Method": method}
        name: object = params.get(_NAME_PARAMETERS.get(method, ""))
        if isinstance(name, str):
            headers["Mcp-Name"] = _encoded(name)
        if method == "tools/call":
            for path, token in self._by_tool.get(str(name), {}).items():
                value: object = params.get("arguments")
                for key in path:
                    value = _object(value).get(key)
                if isinstance(value, str | int | float):
                    text = str(value).lower() if isinstance(value, bool) else str(value)
                    headers[f"Mcp-Param-{token}"] = _encoded(text)
        return headers


def _marked(schema: object, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    given = _object(schema)
    token = given.get("x-mcp-header")
    if path and isinstance(token, str):
        yield path, token
    for name, property_schema in _object(given.get("properties")).items():
        yield from _marked(property_schema, (*path, name))


def _encoded(value: str) -> str:
    is_plain = value.isascii() and value.isprintable() and value == value.strip()
    if is_plain and not value.startswith(_ENCODED_PREFIX):
        return value
    return f"{_ENCODED_PREFIX}{base64.b64encode(value.encode(errors='replace')).decode()}?="


def _object(value: object) -> Mapping[str, Any]:
    return cast("Json", value) if isinstance(value, dict) else {}
