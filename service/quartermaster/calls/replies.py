"""Replies to clients: results that are short enough for a model, errors that name the next step."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, cast

import jsonschema_rs
import mcp_types as types
from cachetools import LRUCache
from mcp_types import methods
from mcp_types.version import LATEST_HANDSHAKE_VERSION, MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from quartermaster.calls.arguments import ArgumentProblem
from quartermaster.core.errors import QmError
from quartermaster.core.json_schema import Schema
from quartermaster.core.json_text import is_json_of

Reply = types.CallToolResult | types.InputRequiredResult

ERROR_KEY: Final = "quartermaster/error"
"""Member of ``_meta`` in Quartermaster's own errors, for programs. Structured content would not
always work: a client refuses it if it does not match the tool's output schema.
"""

_SCHEMA_MISMATCH_NOTE: Final = (
    "The call was made, and this is its answer. It is marked as an error only because it does not"
    " match the output schema that its server published. Do not call again for this reason."
)
_LONGEST_SCHEMA: Final = 20_000
_output_validators: LRUCache[str, jsonschema_rs.Validator] = LRUCache(1_000)
# The protocol revisions that support all kinds of content.
_COMPLETE_REVISIONS: Final = frozenset({LATEST_HANDSHAKE_VERSION, *MODERN_PROTOCOL_VERSIONS})


def text_result(
    text: str, structured: dict[str, Any] | None, *, is_error: bool = False
) -> types.CallToolResult:
    """Builds a result with one text, and the same data for programs."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)],
        structured_content=structured,
        is_error=is_error,
    )


def failure_reply(error: QmError, request_id: str) -> types.CallToolResult:
    """Builds an error result that a model can act on."""
    body: dict[str, Any] = error.as_dict(request_id)
    reply = text_result(_explained(error), body, is_error=True)
    reply.meta = {ERROR_KEY: body["error"]}
    return reply


def invalid_arguments_reply(
    name: str, schema: object, problems: Sequence[ArgumentProblem], request_id: str
) -> types.CallToolResult:
    """Builds a reply that lists the problems with the arguments and contains the schema, so that a
    model can correct its call.
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
    reply = text_result(text, body, is_error=True)
    reply.meta = {ERROR_KEY: body["error"] | {"problems": body["problems"]}}
    return reply


def fitted(result: types.CallToolResult, protocol_version: str) -> types.CallToolResult:
    """Converts the result to the client's revision; for the newest revision it is unchanged.

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


def agreeing(reply: Reply, output_schema: Schema | None) -> Reply:
    """Returns a form of the reply that clients accept when they check it against an output schema.
    Such a client refuses a whole answer if its structured content is missing or contradicts the
    schema. The model then does not learn the result of the call. So if the text of the reply is
    JSON that fits the schema, it becomes the structured content. Otherwise, the answer becomes an
    error that contains everything as text.

    Args:
        reply: reply to a tool call.
        output_schema: output schema of the tool in the client's list; None if there is none.
    """
    if output_schema is None or not isinstance(reply, types.CallToolResult):
        return reply
    structured: Any = reply.structured_content
    if structured is None and reply.is_error:
        return reply
    if _fits(output_schema, structured):
        return reply
    texts = [block.text for block in reply.content if block.type == "text"]
    found = _object_in(texts[0]) if structured is None and len(texts) == 1 else None
    if found is not None and _fits(output_schema, found):
        return reply.model_copy(update={"structured_content": found})
    content = list(reply.content)
    # Our own errors say everything in their text and in `_meta`.
    is_reported = structured is None or ERROR_KEY in (reply.meta or {})
    if not is_reported and not any(is_json_of(text, structured) for text in texts):
        content.append(types.TextContent(type="text", text=compact_json(structured)))
    if not reply.is_error:
        content.insert(0, types.TextContent(type="text", text=_SCHEMA_MISMATCH_NOTE))
    changes = {"content": content, "structured_content": None, "is_error": True}
    return reply.model_copy(update=changes)


def _fits(schema: Schema, structured: Any) -> bool:
    if not isinstance(structured, dict):
        return False
    written = json.dumps(schema)
    validator = _output_validators.get(written)
    if validator is None:
        # Clients check formats, too.
        validator = jsonschema_rs.validator_for(schema, offline=True, validate_formats=True)
        _output_validators[written] = validator
    return validator.is_valid(cast("dict[str, Any]", structured))


def _object_in(text: str) -> dict[str, Any] | None:
    if not text.lstrip().startswith("{"):
        return None
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def noted(reply: Reply, key: str, value: object) -> Reply:
    """Returns the reply with a member added to its ``_meta``. If the value of the member is empty,
    returns the reply unchanged.
    """
    if not value:
        return reply
    return reply.model_copy(update={"meta": {**(reply.meta or {}), key: value}})


def compact_json(value: object) -> str:
    """Returns a value as JSON without spaces, in which characters outside ASCII are not escaped."""
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
