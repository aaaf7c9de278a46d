"""What the catalog of the front's tests holds."""

from __future__ import annotations

import sys
from typing import Any

from quartermaster import api
from quartermaster.service import Service
from tests.support.forks import forked_server
from tests.support.origins import add_origin
from tests.support.upstreams import SUPPORT

OBJECT: dict[str, Any] = {"type": "object"}


def text_schema(*required: str, **optional: str) -> dict[str, Any]:
    """Returns schema of an object with required strings and optional members of given types."""
    properties = {key: {"type": "string"} for key in required}
    properties |= {key: {"type": kind} for key, kind in optional.items()}
    return {"type": "object", "properties": properties, "required": [*required]}


async def offer(
    service: Service, origin: str, tools: list[dict[str, Any]], *command: str, **more: Any
) -> None:
    """Puts an origin with these tools into the catalog; without a command it cannot be called."""
    if command or more:
        transport = more.pop("transport", "stdio")
        await add_origin(service, origin, transport=transport, command=[*command], **more)
    rows = await service.database.call(
        api.import_items(kind="tool", items=[{"origin": origin, **tool} for tool in tools]),
        service.worker,
    )
    assert [row["outcome"] for row in rows] == ["added"] * len(tools), rows


def leaf_tool(name: str, schema: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "name": name,
        "description": f"The {name} tool of the leaf server. It has a second sentence.",
        "input_schema": schema or OBJECT,
    }


async def offer_leaf(service: Service, origin: str = "leaf", *modes: str) -> None:
    """The well-behaved test server."""
    tools = [
        leaf_tool("echo", text_schema("text")),
        leaf_tool("count", {**OBJECT, "properties": {"to": {"type": "integer"}}}),
        *(leaf_tool(name) for name in ("measure", "refuse", "raise", "counters", "hang", "ask")),
    ]
    await offer(service, origin, tools, *forked_server("leaf_server.py", "stdio", *modes))


async def offer_rude(service: Service, *modes: str) -> None:
    """The misbehaving test server."""
    tools = [leaf_tool(name) for name in ("echo", "die", "flood", "bad_result")]
    await offer(service, "rude", tools, sys.executable, str(SUPPORT / "rude_server.py"), *modes)


async def offer_time(service: Service) -> None:
    """Two tools worth finding, known from a file only."""
    zone = {"type": "string", "description": "IANA time zone"}
    await offer(
        service,
        "time",
        [
            {
                "name": "get_current_time",
                "title": "Current time",
                "description": "Get the current time in a timezone.",
                "input_schema": {
                    **OBJECT,
                    "properties": {"timezone": zone},
                    "required": ["timezone"],
                },
                "annotations": {"readOnlyHint": True},
            },
            {
                "name": "convert_time",
                "description": "Convert time between timezones.",
                "input_schema": text_schema("source", "time", "target", strict="boolean"),
            },
        ],
    )
