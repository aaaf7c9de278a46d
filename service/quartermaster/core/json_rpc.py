"""JSON-RPC messages as programs write them."""

from __future__ import annotations

import re
from typing import Final

import mcp_types as types

# Matches every escape, so that an escaped backslash is not read as the start of one. The group is
# half of a surrogate pair.
_ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)


def read_message(text: bytes | str) -> types.JSONRPCMessage:
    """A message; half characters in it become U+FFFD.

    Programs that cut a text leave half a character behind, as an escape or as bytes that are no
    UTF-8. Without its message whoever waits for the answer would wait in vain.

    Args:
        text: one message.

    Raises:
        ValueError: it is none.
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
