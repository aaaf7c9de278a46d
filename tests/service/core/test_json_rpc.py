"""Half characters in a message are replaced, and what is no message is refused."""

from __future__ import annotations

import json

import mcp_types as types
import pytest

from quartermaster.core.json_rpc import MOST_DEPTH, MOST_VALUES, MessageError, read_message

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


BEYOND = {
    "nested": b"[" * 100_000 + b"]" * 100_000,
    "nested a little": b"[" * MOST_DEPTH + b"]" * MOST_DEPTH,
    "many members": b"{" + b",".join(b'"%d":1' % n for n in range(MOST_VALUES)) + b"}",
    "many lists": b"[" * 15_000_000,
    "a long number": b"9" * 200_000,
    "a large number": b"1e999999",
    "a large number without an exponent": b"1" * 400 + b".5",
    "no number": b"NaN",
    "no end": b'"text',
    "another end": b"]",
}
FORMS = {
    "first": b'{"jsonrpc": "2.0", "id": %s, "result": {"a": %s}}',
    "without a version": b'{"id": %s, "result": {"a": %s}, "jsonrpc": "2.0"}',
    "last": b'{"result": {"a": %s}, "jsonrpc": "2.0", "id": %s}',
    "last but one": b'{"result": {"a": %s}, "id": %s, "jsonrpc": "2.0"}\r',
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("what", BEYOND)
def test_whose_answer_cannot_be_read_is_known(what: str, form: str) -> None:
    given = (b'"x-7"', BEYOND[what]) if "first" in form else (b"7", BEYOND[what])
    with pytest.raises(MessageError) as caught:
        read_message(FORMS[form] % (given[::-1] if "last" in form else given))
    assert caught.value.request_id == ("x-7" if "first" in form else 7)
    assert caught.value.is_too_much == what.startswith(("nested", "many"))


@pytest.mark.parametrize("result", [b"[]", b"7", b"null", b'{}, "jsonrpc": 1'])
def test_whose_answer_has_a_wrong_form_is_known(result: bytes) -> None:
    with pytest.raises(MessageError, match="is not a valid message") as caught:
        read_message(b'{"jsonrpc": "2.0", "id": 7, "result": %s}' % result)
    assert caught.value.request_id == 7


@pytest.mark.parametrize(
    "text",
    [
        b'{"jsonrpc": "2.0", "method": "notifications/message", "params": {"id": NaN, "a": [}}',
        b'{"jsonrpc": "2.0", "id": 7, "method": "roots/list", "params": [}',
        b'{"jsonrpc": "2.0", "result": {"a": {"id": 7}}',
        b'{"level": "info", "id": {"id": 7}}',
        b'{"jsonrpc": "2.0", "id": 7.5, "result": [}',
    ],
)
def test_nobody_is_told_of_what_is_no_answer(text: bytes) -> None:
    with pytest.raises(MessageError) as caught:
        read_message(text)
    assert caught.value.request_id is None


@pytest.mark.parametrize("result", ["just text", None, [1], 7, True])
def test_whose_answer_is_no_object_is_known_wherever_it_says_so(result: object) -> None:
    members = {"result": result, "own": 1, "id": 7, "jsonrpc": "2.0", "more": {}}
    with pytest.raises(MessageError) as caught:
        read_message(json.dumps(members))
    assert caught.value.request_id == 7


@pytest.mark.parametrize(
    "text",
    [
        '", [{,' * 1_000_000,
        '\\"' * 1_000_000,
        "\\" * 1_000_001,
        "ä, \U0001f600," * 500_000,
    ],
)
def test_a_text_may_have_any_length_and_any_signs(text: str) -> None:
    sent = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"a": text}}, ensure_ascii=False)
    message = read_message(sent.encode())
    assert isinstance(message, types.JSONRPCResponse)
    assert message.result == {"a": text}


def test_what_is_within_the_limits_is_read() -> None:
    deep = MOST_DEPTH - 3
    members = b",".join(b'"%d":[]' % n for n in range(MOST_VALUES // 3))
    text = b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"result":{"a":%s,"b":{%s},"c":1e308}}'
    message = read_message(text % (b"[" * deep + b"]" * deep, members))
    assert isinstance(message, types.JSONRPCResponse)
    assert len(message.result["b"]) == MOST_VALUES // 3
