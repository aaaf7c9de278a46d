"""An MCP client for the running Quartermaster, used by the command line."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Final, cast

import httpx2
import mcp_types as types
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from quartermaster.core.errors import QmError
from quartermaster.core.paths import RunFile
from quartermaster.core.trust import context_for
from quartermaster.doors.mcp.bridge_tools import CALL_TOOL

_CONNECT_S: Final = 10.0
# The limit is long, because the service itself limits the duration of a call and reports it.
_ANSWER_S: Final = 3600.0
_MAX_EVENT_BYTES: Final = 64 * 1024 * 1024


@asynccontextmanager
async def connect(run: RunFile) -> AsyncGenerator[Client]:
    """Connects to the running Quartermaster over HTTP, as any other client does.

    Raises:
        QmError: QM401 key_invalid, QM503 not_reachable.
    """
    refused: list[int] = []

    async def note(response: httpx2.Response) -> None:
        # The SDK's own error does not contain the status.
        if response.status_code in {401, 403}:
            refused.append(response.status_code)

    timeout = httpx2.Timeout(_CONNECT_S, read=_ANSWER_S)
    headers = {"Authorization": f"Bearer {run.token}"}
    try:
        async with (
            # Connections within one machine must not use the proxy of the environment.
            httpx2.AsyncClient(
                headers=headers,
                timeout=timeout,
                trust_env=False,
                verify=context_for(run),
                event_hooks={"response": [note]},
            ) as http,
            Client(
                streamable_http_client(
                    f"{run.url}/mcp", http_client=http, max_sse_event_size=_MAX_EVENT_BYTES
                ),
                mode="2026-07-28",
            ) as client,
        ):
            yield client
    except (MCPError, httpx2.HTTPError, ExceptionGroup) as error:
        if refused:
            raise QmError(
                401,
                "key_invalid",
                f"Quartermaster at {run.url} refuses the key (HTTP {refused[0]}).",
                "Use a valid key; administrators create one with: qm key create NAME. The key of"
                " the data directory changes whenever qm up starts.",
            ) from error
        raise QmError(
            503,
            "not_reachable",
            f"Quartermaster at {run.url} does not answer: {_reason(error)}",
            "Read its log, or start it again with: qm up.",
        ) from error


async def call_tool(run: RunFile, name: str, arguments: dict[str, Any]) -> types.CallToolResult:
    """Calls a tool through the bridge tool call_tool.

    Args:
        run: run file of the running Quartermaster.
        name: callable name of the tool.
        arguments: arguments for the tool.

    Raises:
        QmError: see `connect`.
    """
    async with connect(run) as client:
        return await client.call_tool(CALL_TOOL, {"name": name, "arguments": arguments})


def _reason(error: Exception) -> str:
    if isinstance(error, ExceptionGroup):
        return _reason(cast("ExceptionGroup[Exception]", error).exceptions[0])
    return str(error) or type(error).__name__
