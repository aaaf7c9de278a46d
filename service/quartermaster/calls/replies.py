"""What clients read: results short enough for a model, errors that say the next step."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import mcp_types as types
from mcp_types import methods
from mcp_types.version import LATEST_HANDSHAKE_VERSION, MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from quartermaster.calls.arguments import Problem
from quartermaster.core.errors import QmError
from quartermaster.doors.mcp.definitions import Row, found_tool
from quartermaster.doors.mcp.signature import signature

_LONGEST_SCHEMA: Final = 20_000
# These revisions know every kind of content there is.
_COMPLETE_REVISIONS: Final = frozenset({LATEST_HANDSHAKE_VERSION, *MODERN_PROTOCOL_VERSIONS})


def text_result(
    text: str, structured: dict[str, Any] | None, *, is_error: bool = False
) -> types.CallToolResult:
    """A result with one text, and the same for programs."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)],
        structured_content=structured,
        is_error=is_error,
    )


def search_reply(
    goal: str,
    rows: Sequence[Row],
    receipt: int | None,
    *,
    full: bool,
    listed: bool,
    arrivals: Row | None = None,
) -> types.CallToolResult:
    """Tools found, best first: one line each for the model, all scores for programs.

    Args:
        goal: what was asked.
        rows: of api.search_tools.
        receipt: of the search.
        full: whether the structured answer holds whole definitions.
        listed: whether the tools are part of the client's own list now.
        arrivals: of api.count_arrivals, where nothing was found; None: nobody was asked.
    """
    also = " They are in your tool list now, too." if listed else ""
    # Without the database there is none.
    by = f", receipt {receipt}" if receipt is not None else ""
    first = f"{len(rows)} tools, best first. Run one with call_tool{by}.{also}"
    facts: dict[str, Any] = {"receipt": receipt}
    if arrivals and arrivals["hint"]:
        facts["onTheirWay"] = {"installing": arrivals["installing"], "listing": arrivals["listing"]}
    hint = arrivals["hint"] if arrivals else None
    return _found_reply(goal, first, rows, facts, full=full, hint=hint)


def past_reply(
    goal: str, rows: Sequence[Row], as_of: datetime, *, full: bool
) -> types.CallToolResult:
    """Tools as they were offered at a moment, best first.

    Args:
        goal: what was asked.
        rows: of api.search_tools.
        as_of: the moment.
        full: whether the structured answer holds whole definitions.
    """
    first = f"{len(rows)} tools as of {as_of.isoformat()}, best first. call_tool runs today's."
    return _found_reply(goal, first, rows, {"asOf": as_of.isoformat()}, full=full)


def failure_reply(error: QmError, request_id: str) -> types.CallToolResult:
    """An error the model can act on."""
    body: dict[str, Any] = error.as_dict(request_id)
    return text_result(_explained(error), body, is_error=True)


def invalid_arguments_reply(
    name: str, schema: object, problems: Sequence[Problem], request_id: str
) -> types.CallToolResult:
    """What is wrong with arguments, and the schema, so that the model can mend its call."""
    error = QmError(
        422,
        "arguments_invalid",
        f"The arguments do not fit the schema of {name}.",
        "Correct them as the list of problems says and call again.",
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
    """The result in a form that the client's revision can carry; the newest takes it as it is.

    Handshake revisions allow only objects as structured content; another value becomes the
    member ``result`` of one. A kind of content that a revision does not know becomes its JSON
    as text.
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
    """JSON without spaces, any character as it is."""
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


def _found_reply(
    goal: str,
    first: str,
    rows: Sequence[Row],
    facts: dict[str, Any],
    *,
    full: bool,
    hint: str | None = None,
) -> types.CallToolResult:
    if not rows:
        lines = [
            f"No tool was found for: {_shortened(goal)}",
            "Say it in other words, name the thing to act on, or use mode thorough.",
        ]
        return text_result("\n".join([*lines, hint] if hint else lines), facts | {"tools": []})
    lines = [first]
    for row in rows:
        call = signature(row["name"], row["input_schema"])
        lines.append(f"{row['rank']}. {call} {row['brief']}{_unavailable(row)}".rstrip())
    return text_result(
        "\n".join(lines), facts | {"tools": [found_tool(row, full=full) for row in rows]}
    )


def _unavailable(row: Row) -> str:
    until = row.get("unavailable_until")
    if until is None:
        return ""
    return f" [its server is in trouble: not called until {until:%H:%M:%S} UTC]"


def _shortened(goal: str, longest: int = 100) -> str:
    return goal if len(goal) <= longest else goal[: longest - 1] + "…"
