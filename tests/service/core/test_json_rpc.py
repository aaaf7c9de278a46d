"""Half characters in a message are replaced, and what is no message is refused."""

from __future__ import annotations

import mcp_types as types
import pytest

from quartermaster.core.json_rpc import read_message

MESSAGE = b'{"jsonrpc":"2.0","id":1,"result":{"text":"%s"}}'


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (rb"caf\u00e9 \ud83d\ude00", "café \U0001f600"),
        (rb"cut \ud83d", "cut \ufffd"),
        (rb"\ude00 cut", "\ufffd cut"),
        (rb"\ud83d\ud83d\ude00", "\ufffd\U0001f600"),
        (rb"\\ud83d stays \\\ud83d", r"\ud83d stays " + "\\\ufffd"),
        (b"cut \xf0\x9f", "cut \ufffd"),
    ],
)
def test_half_a_character_is_replaced(written: bytes, read: str) -> None:
    message = read_message(MESSAGE % written)
    assert isinstance(message, types.JSONRPCResponse)
    assert message.result == {"text": read}


def test_a_text_is_read_as_bytes_are() -> None:
    message = read_message((MESSAGE % rb"cut \ud83d").decode())
    assert isinstance(message, types.JSONRPCResponse)
    assert message.result == {"text": "cut \ufffd"}


@pytest.mark.parametrize("text", [b"", b"banner", b"{}", b"\xff", b'{"jsonrpc": "\\ud83d"}'])
def test_what_is_no_message_is_refused(text: bytes) -> None:
    with pytest.raises(ValueError, match="valid"):
        read_message(text)
