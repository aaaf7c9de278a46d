"""Reads JSON-RPC messages, including slightly damaged ones, within limits on what they contain."""

from __future__ import annotations

import re
from math import isfinite
from typing import Any, Final, cast

import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError
from pydantic_core import from_json

from quartermaster.core.large import LARGE_BYTES

Inbound = MemoryObjectSendStream[SessionMessage | Exception]
Outbound = MemoryObjectReceiveStream[SessionMessage]

MOST_VALUES: Final = 250_000
"""Largest number of values in one message: lists, objects and their members. No other thread of the
process can run while Python creates the objects of a message.
"""
MOST_DEPTH: Final = 100
"""Largest depth of nested JSON in a message. Clients and databases can read JSON that is nested
only a little deeper.
"""

_TOO_DEEP: Final = f"is nested more than {MOST_DEPTH} levels deep"
_BOM: Final = b"\xef\xbb\xbf"
_SLICE: Final = 2**18
# Matches whole escape sequences, so that the second backslash of an escaped backslash does not
# begin a sequence. The group matches half of a surrogate pair.
_ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)
_HALF_PATTERN: Final = re.compile(rb"\\u[dD][89a-fA-F]")
_STRUCTURE: Final = re.compile(rb'["\[{,]')
_IN_STRING: Final = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_ID: Final = rb'"id"\s{0,9}:\s{0,9}(-?[0-9]{1,18}|"[^"\\]{0,100}")\s{0,9}'
_VERSION: Final = rb'"jsonrpc"\s{0,9}:\s{0,9}"[^"\\]{0,9}"\s{0,9}'
# Programs write the identifier of an answer before its result, or after it.
_FIRST_ID: Final = re.compile(rb"\s{0,9}\{\s{0,9}(?:" + _VERSION + rb",\s{0,9})?" + _ID + rb"[,}]")
_LAST_ID: Final = re.compile(rb",\s{0,9}" + _ID + rb"(?:,\s{0,9}" + _VERSION + rb")?\}\s{0,9}$")
_ENDS: Final = 500


class MessageError(ValueError):
    """A text is not a message, or exceeds the limits of a message.

    Attributes:
        request_id: the request that the text answers; None if it is not an answer, or does not name
            the request.
        is_too_much: whether the text may be a message, but is beyond the limits.
    """

    def __init__(self, what: str, request_id: types.RequestId | None, is_too_much: bool) -> None:
        super().__init__(what)
        self.request_id = request_id
        self.is_too_much = is_too_much


def read_message(text: bytes | str) -> types.JSONRPCMessage:
    """Reads a message; incomplete characters in it are replaced by U+FFFD.

    Programs that truncate a text may leave half of a character, as an escape sequence or as bytes
    that are not UTF-8. If the message were rejected, its sender would never receive an answer.

    Args:
        text: text of one message.

    Raises:
        MessageError: the text is not a message, has more than `MOST_VALUES` values, is nested
            deeper than `MOST_DEPTH`, or has numbers that JSON or Python cannot express.
    """
    given = text.encode(errors="replace") if isinstance(text, str) else text
    given = given.removeprefix(_BOM)
    if len(given) > LARGE_BYTES and _has_too_much(given):
        what = f"has more than {MOST_VALUES:,} values"
        raise MessageError(what, answered_by(given), is_too_much=True)
    value: object = None
    try:
        value = _value(given)
        return types.jsonrpc_message_adapter.validate_python(value, by_name=False)
    except ValidationError:
        answered = _answered_in(value)
        raise MessageError("is not a valid message", answered, is_too_much=False) from None
    except MessageError:
        raise
    except ValueError as error:
        is_deep = "recursion" in str(error)
        what = _TOO_DEEP if is_deep else f"is not valid JSON: {error}"
        raise MessageError(what, answered_by(given), is_too_much=is_deep) from None


def answered_by(text: bytes) -> types.RequestId | None:
    """Returns the request that a text answers, even if the text cannot be read."""
    found = _FIRST_ID.match(text[:_ENDS]) or _LAST_ID.search(text[-_ENDS:])
    if found is None or b'"method"' in text[:_ENDS]:
        return None
    name = found[1].decode(errors="replace")
    return name.strip('"') if name.startswith('"') else int(name)


def _answered_in(value: object) -> types.RequestId | None:
    """Returns the id of the request that an invalid message was meant to answer."""
    message = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    name = message.get("id")
    if "method" in message or isinstance(name, bool) or not isinstance(name, int | str):
        return None
    return name


def _value(text: bytes) -> object:
    """Parses JSON. Texts with more than `MOST_DEPTH` levels, or with numbers that a float cannot
    hold, are refused.
    """
    try:
        value: object = from_json(text, allow_inf_nan=False)
    except ValueError:
        mended = _mended(text)
        if mended is None:
            raise
        value = from_json(mended, allow_inf_nan=False)
    _check(value, text)
    return value


def _mended(text: bytes) -> str | None:
    """Returns the text without incomplete characters; None if all characters are complete."""
    whole = text.decode(errors="replace")
    if "\ufffd" not in whole and _HALF_PATTERN.search(text) is None:
        return None
    return _ESCAPE.sub(lambda escape: r"\ufffd" if escape[1] else escape[0], whole)


def _check(value: object, text: bytes) -> None:
    level: list[Any] = [value]
    for _ in range(MOST_DEPTH + 1):
        below: list[Any] = []
        for each in level:
            if isinstance(each, dict):
                below += cast("dict[str, Any]", each).values()
            elif isinstance(each, list):
                below += cast("list[Any]", each)
            elif isinstance(each, float) and not isfinite(each):
                what = "has a number that is too large"
                raise MessageError(what, answered_by(text), is_too_much=False)
        level = below
        if not level:
            return
    raise MessageError(_TOO_DEEP, answered_by(text), is_too_much=True)


def _has_too_much(text: bytes) -> bool:
    """Returns whether a text has too many values. Only values outside strings are counted."""
    if sum(text.count(sign) for sign in (b",", b"[", b"{")) <= MOST_VALUES:
        return False
    place = values = 0
    while (found := _STRUCTURE.search(text, place)) is not None:
        place = found.end()
        if found[0] == b'"':
            place = _end_of_string(text, place)
        else:
            values += 1
            if values > MOST_VALUES:
                return True
    return False


def _end_of_string(text: bytes, place: int) -> int:
    """Returns the position after a JSON string. The string is searched in parts, so that other
    threads can run in between.
    """
    while place < len(text):
        found = _IN_STRING.match(text, place, place + _SLICE)
        assert found is not None
        if found.end() == place or text[found.end() : found.end() + 1] == b'"':
            return found.end() + 1
        place = found.end()
    return place
