"""How tests read results."""

from __future__ import annotations

from typing import Any

from mcp_types import CallToolResult, TextContent


def text_of(result: CallToolResult) -> str:
    """Returns all text of a result."""
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


def error_of(result: CallToolResult) -> dict[str, Any]:
    """Returns the error of a result that must be one."""
    assert result.is_error, text_of(result)
    error = result.structured_content["error"]
    # One shape, and never without the caller's next step.
    assert error.keys() >= {"code", "slug", "message", "hint", "request_id"}
    assert error["hint"]
    assert error["slug"] in text_of(result)
    return error


def names_of(result: CallToolResult) -> list[str]:
    """Callable names a search found, best first."""
    return [tool["name"] for tool in result.structured_content["tools"]]
