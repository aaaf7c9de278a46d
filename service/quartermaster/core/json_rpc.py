"""Reads JSON-RPC messages, including slightly damaged ones."""

from __future__ import annotations

import re
from typing import Final

import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

Inbound = MemoryObjectSendStream[SessionMessage | Exception]
Outbound = MemoryObjectReceiveStream[SessionMessage]

# Matches whole escape sequences, so that the second backslash of an escaped backslash does not
# begin a sequence. The group matches half of a surrogate pair.
_ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)


def read_message(text: bytes | str) -> types.JSONRPCMessage:
    """Reads a message; incomplete characters in it are replaced by U+FFFD.

    Programs that truncate a text may leave half of a character, as an escape sequence or as bytes
    that are not UTF-8. If the message were rejected, its sender would never receive an answer.

    Args:
        text: text of one message.

    Raises:
        ValueError: the text is not a message.
    """
    try:
        return types.jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValueError:
        whole = text if isinstance(text, str) else text.decode(errors="replace")
        mended = _ESCAPE.sub(_mended, whole)
        if mended == whole and "\ufffd" not in whole:
            raise
    return types.jsonrpc_message_adapter.validate_json(mended, by_name=False)


def _mended(escape: re.Match[str]) -> str:
    return r"\ufffd" if escape[1] else escape[0]
