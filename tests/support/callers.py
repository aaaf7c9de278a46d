"""Clients of a running service, and what their calls are answered."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from tests.support.instance import Instance


@asynccontextmanager
async def client_of(url: str, key: str) -> AsyncGenerator[Client]:
    """Provides a stateless client with a key; it takes as many connections as it needs."""
    headers = {"authorization": f"Bearer {key}"}
    limits = httpx2.Limits(max_connections=None)
    async with (
        httpx2.AsyncClient(headers=headers, timeout=600, limits=limits, trust_env=False) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode="2026-07-28") as client,
    ):
        yield client


@asynccontextmanager
async def at_the_door(instance: Instance, door: str = "knowledge") -> AsyncGenerator[Client]:
    """Provides the official client at the door."""
    run = instance.run_file
    headers = {"Authorization": f"Bearer {run.token}"}
    url = f"{run.url}/mcp/{door}"
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield client


async def slug_of(client: Client, tool: str, arguments: dict[str, Any]) -> str | None:
    """Makes a call, and returns the slug of its error; None if there is none."""
    try:
        reply = await client.call_tool(tool, arguments)
    except MCPError as error:
        return f"http {error.error.message[:60]}"
    if not reply.is_error:
        return None
    body: dict[str, Any] = reply.structured_content or {}
    return str(body.get("error", {}).get("slug", "error"))
