"""Checks whether a read-only tool keeps its promises when it is called with its own example."""

from __future__ import annotations

import re
from typing import Any, Final

import mcp_types as types

from quartermaster.calls.arguments import find_problems

_MOST_TEXT: Final = 20_000
# Words at the beginning of a result that report a change, such as "Created 3 rows".
_REPORTS_CHANGE: Final = re.compile(
    r"^\W*(?:(?:the|your|a|an|all|\d+)\s+(?:\w+\s+){1,3}(?:was|were|has been|have been)\s+)?"
    r"(?:successfully\s+)?"
    r"(?:created|deleted|removed|updated|inserted|wrote|written|saved|overwrote|sent|posted|moved|"
    r"renamed|dropped|uploaded|committed|installed)\b"
    r"(?:\s+successfully|\s+(?:to|the|a|an|your|all|\d+)\b|\s*[.!:]|$)",
    re.IGNORECASE,
)

Result = types.CallToolResult | types.InputRequiredResult


def broken_promise(result: Result, output_schema: dict[str, Any] | None) -> str:
    """Return the promises that a result breaks; empty if it keeps all of them.

    Args:
        result: result of a call with the tool's own example.
        output_schema: JSON Schema for its structured content, if the tool has one.
    """
    if isinstance(result, types.InputRequiredResult):
        return "it asks for more input than its own example gives"
    text = _text(result)
    if result.is_error:
        return f"it refuses its own example: {text[:300]}"
    if output_schema is not None:
        if result.structured_content is None:
            return "its result lacks the structured content that its schema describes"
        problems = find_problems(output_schema, result.structured_content)
        if problems:
            return f"its result does not match its schema: {problems[0]}"
    if reported := _REPORTS_CHANGE.match(text):
        return f"it claims to be read-only, but reports a change: {reported[0].strip()[:200]}"
    return ""


def _text(result: types.CallToolResult) -> str:
    texts = [block.text for block in result.content if block.type == "text"]
    return "\n".join(texts)[:_MOST_TEXT]
