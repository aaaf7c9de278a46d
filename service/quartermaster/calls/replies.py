"""Replies to clients: results that are short enough for a model, errors that name the next step."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import mcp_types as types
from mcp_types import methods
from mcp_types.version import LATEST_HANDSHAKE_VERSION, MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from quartermaster.calls.arguments import Problem
from quartermaster.core.errors import QmError

_LONGEST_SCHEMA: Final = 20_000
# The protocol revisions that support all kinds of content.
_COMPLETE_REVISIONS: Final = frozenset({LATEST_HANDSHAKE_VERSION, *MODERN_PROTOCOL_VERSIONS})


def text_result(
    text: str, structured: dict[str, Any] | None, *, is_error: bool = False
) -> types.CallToolResult:
    """Build a result with one text, and the same data for programs."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)],
        structured_content=structured,
        is_error=is_error,
    )


def failure_reply(error: QmError, request_id: str) -> types.CallToolResult:
    """Build an error result that a model can act on."""
    body: dict[str, Any] = error.as_dict(request_id)
    return text_result(_explained(error), body, is_error=True)


def invalid_arguments_reply(
    name: str, schema: object, problems: Sequence[Problem], request_id: str
) -> types.CallToolResult:
    """Build a reply with the argument problems and the schema, so that a model can correct its
    call.
    """
    error = QmError(
        422,
        "arguments_invalid",
        f"The arguments do not match the schema of {name}.",
        "Correct the listed problems, then call the tool again.",
    )
    listed = "\n".join(f"- {problem}" for problem in problems)
    attached = compact_json(schema)
    if len(attached) > _LONGEST_SCHEMA:
        schema = None
        attached = f"too long to be shown here; describe_tool has it ({len(attached):,} characters)"
    text = f"{_explained(error)}\n{listed}\nSchema: {attached}"
    body: dict[str, Any] = error.as_dict(request_id) | {
        "problems": [{"pointer": p.pointer, "message": p.message} for p in problems],
        "inputSchema": schema,
    }
    return text_result(text, body, is_error=True)


def fitted(result: types.CallToolResult, protocol_version: str) -> types.CallToolResult:
    """Convert the result to the client's revision; for the newest revision it is unchanged.

    Handshake revisions allow only objects as structured content, so any other value becomes the
    member ``result`` in an object. If a revision does not support a kind of content, that content
    becomes text that contains it as JSON.
    """
    if protocol_version in MODERN_PROTOCOL_VERSIONS:
        return result
    structured = result.structured_content
    if structured is not None and not isinstance(structured, dict):
        result = result.model_copy(update={"structured_content": {"result": structured}})
    if protocol_version in _COMPLETE_REVISIONS:
        return result
    content = [_known_content(block, protocol_version) for block in result.content]
    return result.model_copy(update={"content": content})


def compact_json(value: object) -> str:
    """Return JSON without spaces, with all characters unescaped."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def _known_content(block: types.ContentBlock, protocol_version: str) -> types.ContentBlock:
    wire = block.model_dump(by_alias=True, mode="json", exclude_none=True)
    try:
        methods.serialize_server_result("tools/call", protocol_version, {"content": [wire]})
    except ValidationError:
        return types.TextContent(type="text", text=compact_json(wire))
    return block


def _explained(error: QmError) -> str:
    detail = f"\n{error.detail}" if error.detail else ""
    hint = f"\nNext: {error.hint}" if error.hint else ""
    return f"Error {error.code} {error.slug}: {error.message}{detail}{hint}"
