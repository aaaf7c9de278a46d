"""Adds the elapsed time to the answers of tools, so that clients notice when a tool becomes
slow.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from time import perf_counter
from typing import Any

import mcp_types as types

from quartermaster.calls.caller import Caller
from quartermaster.core.kind_packages import KindTool
from quartermaster.service import Service

Answer = Callable[[Service, Caller, Mapping[str, Any]], Awaitable[types.CallToolResult]]


def timed(definition: types.Tool, answer: Answer) -> KindTool:
    """Returns a tool whose answers contain the elapsed time in milliseconds."""

    async def timed_answer(
        service: Service, caller: Caller, arguments: Mapping[str, Any]
    ) -> types.CallToolResult:
        begun = perf_counter()
        result = await answer(service, caller, arguments)
        elapsed = round(1000 * (perf_counter() - begun), 1)
        body: dict[str, Any] = {**(result.structured_content or {}), "elapsed_ms": elapsed}
        return result.model_copy(update={"structured_content": body})

    return KindTool(definition, timed_answer)
