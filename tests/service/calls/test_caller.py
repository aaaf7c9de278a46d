"""A request that is refused leaves nothing behind."""

from __future__ import annotations

import gc
import weakref
from types import SimpleNamespace
from typing import Any

import pytest
from mcp import MCPError
from mcp_types import CallToolRequestParams

from quartermaster.calls.caller import Callers
from quartermaster.core.errors import QmError
from quartermaster.doors.mcp.handlers import protocol_error

pytestmark = pytest.mark.anyio
STDIO: Any = SimpleNamespace(request=None, method="tools/call", protocol_version="2025-11-25")


class Broken:
    """A database that cannot tell who is calling."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def find_principal(self, name: str) -> None:
        raise self.error


@pytest.mark.parametrize(
    "error", [QmError(403, "principal_unknown", "Nobody.", "Ask."), ValueError("unforeseen")]
)
async def test_the_arguments_of_a_refused_call_are_freed_without_the_garbage_collector(
    error: Exception,
):
    database: Any = Broken(error)
    callers = Callers(database, None)
    answer: Any = None
    handle = callers.handler(answer, protocol_error, "tool_failed")
    params = CallToolRequestParams(name="echo", arguments={"text": "secret"})
    freed = weakref.ref(params)
    gc.disable()
    try:
        with pytest.raises(MCPError):
            await handle(STDIO, params)
        error.__traceback__ = None
        del params
        assert freed() is None
    finally:
        gc.enable()
