"""Errors for clients of ``/mcp/reconcile``: a small set of codes, each with a next step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import mcp_types as types
from mcp import MCPError

from quartermaster.calls.caller import Caller
from quartermaster.calls.replies import text_result
from quartermaster.core.errors import QmError
from quartermaster.doors.reconcile.mcp.schemas import SCHEMA_VERSION

Code = Literal[
    "BAD_REQUEST",
    "UNAUTHORIZED",
    "FORBIDDEN",
    "NOT_FOUND",
    "UNSUPPORTED_TABLE",
    "INVALID_PARAM",
    "SERVER_ERROR",
    "TIMEOUT",
]

_OF_SLUG: Final[Mapping[str, Code]] = {
    "unsupported_table": "UNSUPPORTED_TABLE",
    "principal_unknown": "UNAUTHORIZED",
}
_OF_STATUS: Final[Mapping[int, Code]] = {
    400: "BAD_REQUEST",
    401: "UNAUTHORIZED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    409: "INVALID_PARAM",
    413: "INVALID_PARAM",
    422: "INVALID_PARAM",
    429: "BAD_REQUEST",
    504: "TIMEOUT",
}


def code_of(error: QmError) -> Code:
    """The code of an error; SERVER_ERROR for all that the caller cannot correct."""
    return _OF_SLUG.get(error.slug) or _OF_STATUS.get(error.status, "SERVER_ERROR")


def failure(error: QmError, request_id: str) -> types.CallToolResult:
    """The answer of a failed tool."""
    code = code_of(error)
    text = f"{code}: {error.message}" + (f"\nNext: {error.hint}" if error.hint else "")
    body = {"schema_version": SCHEMA_VERSION, "error": _body(error, request_id)}
    return text_result(text, body, is_error=True)


def protocol_error(error: QmError, caller: Caller) -> MCPError:
    """The JSON-RPC error for a resource that cannot be read."""
    code = types.INTERNAL_ERROR if code_of(error) == "SERVER_ERROR" else types.INVALID_PARAMS
    return MCPError(code, error.message, {"error": _body(error, caller.request_id)})


def _body(error: QmError, request_id: str) -> dict[str, object]:
    details = {
        "slug": error.slug,
        "hint": error.hint,
        "detail": error.detail,
        "request_id": request_id,
    }
    return {
        "code": code_of(error),
        "message": error.message,
        "details": {name: value for name, value in details.items() if value},
    }
