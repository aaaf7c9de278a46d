"""Reads messages from upstreams, even if they are invalid. An answer that cannot be read becomes an
error for its request. If the answer were dropped, the request would wait until its time limit.
"""

from __future__ import annotations

from typing import Final

import mcp_types as types

from quartermaster.core.json_rpc import MessageError, read_message
from quartermaster.core.large import handled
from quartermaster.upstream.failure import marked_error, marked_reply

MAX_MESSAGE_BYTES: Final = 64 * 2**20
"""Largest size of one message, over every transport."""

# The SDK says with these codes that a connection was lost, or that nothing came in time.
_OF_THE_SDK: Final = frozenset({types.CONNECTION_CLOSED, types.REQUEST_TIMEOUT})


async def read_upstream(text: bytes | str) -> types.JSONRPCMessage:
    """Reads a message; an answer that cannot be read becomes an error for its request.

    The event loop can run while a long text is read.

    Raises:
        MessageError: the text cannot be read, and answers no request.
    """
    try:
        message = await handled(text, read_message, text)
    except MessageError as error:
        if error.request_id is None:
            raise
        return unreadable(error.request_id, error)
    if isinstance(message, types.JSONRPCError) and message.error.code in _OF_THE_SDK:
        message.error = marked_reply(message.error)
    return message


def unreadable(request_id: types.RequestId, error: MessageError) -> types.JSONRPCError:
    """Returns the error for a request whose answer cannot be read."""
    marked = marked_error(
        "too_large" if error.is_too_much else "schema",
        f"sent an answer that {error}",
        sent=True,
    )
    return types.JSONRPCError(jsonrpc="2.0", id=request_id, error=types.ErrorData(**marked))
