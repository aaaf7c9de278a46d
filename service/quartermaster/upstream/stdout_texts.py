"""Splits the standard output of a stdio upstream into texts that may be messages.

Each message should be one line of UTF-8. Servers also write UTF-16, one message over several lines,
several messages in one line, messages after other text, and messages after a header with their
length. These forms are accepted, too, because accepting them does no harm.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import mcp_types as types

from quartermaster.core.json_rpc import answered_by

_LENGTH: Final = re.compile(rb"\s*content-length\s*:\s*(\d{1,12})\s*", re.IGNORECASE)
_HEADER: Final = re.compile(rb"[A-Za-z-]{1,60}\s*:[^{]{0,200}")
# A string, which ends with the line at the latest; nothing in it is read twice.
_STRING: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?')
# White space, and the mark that some programs write at the start of their output.
_BLANK_BYTES: Final = b" \t\r\xef\xbb\xbf"
_ENDS: Final = 500
# A line that is too long is skipped up to its end, unless it has as many times the limit.
_MOST_SKIPPED: Final = 4


@dataclass(frozen=True, slots=True)
class TooLong:
    """A text on stdout that is too long for a message.

    Attributes:
        request_id: id of the request that the text answers; None if the id was not found.
        is_endless: whether the end of the text was not found.
    """

    request_id: types.RequestId | None
    is_endless: bool


class StdoutTexts:
    """Splits the output of one run of a program.

    Args:
        largest: maximum length of a text in bytes.
    """

    def __init__(self, largest: int) -> None:
        self._largest = largest
        self._rest = bytearray()
        self._decoder: codecs.IncrementalDecoder | None = None
        self._has_begun = False
        # The lines of a message that has begun, and how many of its braces are open.
        self._lines: list[bytes] = []
        self._open = self._lines_bytes = 0
        # The length that a header has announced; None outside of headers and bodies.
        self._announced: int | None = None
        self._is_body = False
        # The beginning and the end of a line that is too long, and its length up to now.
        self._skipped: tuple[bytes, int] | None = None

    def feed(self, chunk: bytes) -> Iterator[bytes | TooLong]:
        """Adds output, and yields the texts that are now complete, except blank texts."""
        chunk = self._as_utf8(chunk)
        if self._skipped is not None:
            chunk, message = self._skip(chunk)
            if message is not None:
                yield message
        self._rest += chunk
        has_line = b"\n" in chunk
        while has_line or self._is_body:
            if self._is_body:
                assert self._announced is not None
                if len(self._rest) < self._announced:
                    break
                yield bytes(self._rest[: self._announced])
                del self._rest[: self._announced]
                self._announced, self._is_body = None, False
                has_line = b"\n" in self._rest
                continue
            # Dividing all lines at once copies the rest only once.
            *lines, rest = bytes(self._rest).split(b"\n")
            self._rest.clear()
            for number, line in enumerate(lines):
                yield from self._line(line)
                if self._is_body:
                    self._rest += b"\n".join([*lines[number + 1 :], rest])
                    break
            else:
                self._rest += rest
                has_line = False
        if len(self._rest) > self._largest and not self._is_body:
            yield from self._begin_skipping()

    def _line(self, line: bytes) -> Iterator[bytes | TooLong]:
        text = line.strip(_BLANK_BYTES)
        if self._announced is not None:
            if not text:
                self._is_body = True
                return
            if _HEADER.fullmatch(text):
                return
            self._announced = None
        if self._lines:
            if text.startswith(b'{"jsonrpc"') and text.endswith(b"}"):
                # What had begun was no message.
                yield self._joined()
                yield from _messages_in(line)
                return
            yield from self._continue(line)
        elif text == b"{":
            yield from self._continue(line)
        elif (header := _LENGTH.fullmatch(text)) and int(header[1]) <= self._largest:
            self._announced = int(header[1])
        elif text:
            yield from _messages_in(line)

    def _continue(self, line: bytes) -> Iterator[bytes]:
        """Adds a line to a message that consists of several lines."""
        self._lines.append(line)
        self._lines_bytes += len(line) + 1
        outside = _STRING.sub(b"", line)
        self._open += sum(outside.count(sign) for sign in (b"{", b"["))
        self._open -= sum(outside.count(sign) for sign in (b"}", b"]"))
        if self._open <= 0 or self._lines_bytes > self._largest:
            yield self._joined()

    def _joined(self) -> bytes:
        text = b"\n".join(self._lines)
        self._lines.clear()
        self._open = self._lines_bytes = 0
        return text

    def _as_utf8(self, chunk: bytes) -> bytes:
        if not self._has_begun and chunk:
            self._has_begun = True
            if chunk[:2] in {b"\xff\xfe", b"{\x00"}:
                self._decoder = codecs.getincrementaldecoder("utf-16-le")("replace")
            elif chunk[:2] in {b"\xfe\xff", b"\x00{"}:
                self._decoder = codecs.getincrementaldecoder("utf-16-be")("replace")
        if self._decoder is None:
            return chunk
        # Each message may begin with the mark of the encoding.
        return self._decoder.decode(chunk).replace("\ufeff", "").encode(errors="replace")

    def _begin_skipping(self) -> Iterator[TooLong]:
        rest = bytes(self._rest)
        self._rest.clear()
        if not rest.lstrip(_BLANK_BYTES).startswith(b"{"):
            yield TooLong(None, is_endless=True)
            return
        self._skipped = (rest[:_ENDS] + rest[-_ENDS:], len(rest))

    def _skip(self, chunk: bytes) -> tuple[bytes, TooLong | None]:
        """Skips a line that is too long. Returns the output after the line, and the `TooLong` to
        report, if any.
        """
        assert self._skipped is not None
        retained, size = self._skipped
        line, end, rest = chunk.partition(b"\n")
        retained = retained[:_ENDS] + (retained[_ENDS:] + line)[-_ENDS:]
        size += len(line)
        self._skipped = (retained, size)
        if end:
            self._skipped = None
            return rest, TooLong(answered_by(retained), is_endless=False)
        is_endless = size > _MOST_SKIPPED * self._largest
        return b"", TooLong(answered_by(retained), is_endless=True) if is_endless else None


def _messages_in(line: bytes) -> Iterator[bytes]:
    """Splits a line with several messages, or with other text before a message.

    A JSON string is never split, because a quotation mark in a string always has a backslash before
    it.
    """
    if not line[:_ENDS].lstrip(_BLANK_BYTES).startswith(b"{"):
        before, begin, rest = line.partition(b'{"jsonrpc"')
        if begin and before.strip(_BLANK_BYTES):
            yield before
        line = begin + rest or before
    if b'}{"jsonrpc"' not in line:
        yield line
        return
    first, *others = line.split(b'}{"jsonrpc"')
    yield first + b"}"
    for other in others[:-1]:
        yield b'{"jsonrpc"' + other + b"}"
    yield b'{"jsonrpc"' + others[-1]
