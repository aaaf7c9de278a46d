"""Spans: the places of the guardrails' findings in a text. Also contains functions for
positions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

Kind = Literal["instructions", "personal", "secrets"]
KINDS: Final[tuple[Kind, ...]] = ("instructions", "personal", "secrets")
# A part of a text is widened by so many characters on each side.
_CONTEXT_CHARACTERS: Final = 110


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A part of a text in which something was found.

    Attributes:
        start, end: positions in characters; the end is exclusive.
        kind: the kind of finding, such as ``personal``.
        type: the exact type, such as ``iban``.
    """

    start: int
    end: int
    kind: Kind
    type: str


def without_overlaps(spans: Iterable[Span]) -> list[Span]:
    """Sorts spans, and joins those that overlap; a joined span has the type of the longer one."""
    joined: list[Span] = []
    for span in sorted(spans):
        last = joined[-1] if joined else None
        if last is None or span.start >= last.end:
            joined.append(span)
            continue
        longer = max(last, span, key=lambda part: part.end - part.start)
        joined[-1] = Span(last.start, max(last.end, span.end), longer.kind, longer.type)
    return joined


def joined_windows(
    places: Iterable[tuple[int, int]], before: int, behind: int
) -> list[tuple[int, int]]:
    """Widens places on both sides, and joins places that then touch or overlap. The places must be
    in ascending order.
    """
    windows: list[tuple[int, int]] = []
    for start, end in places:
        low, high = max(0, start - before), end + behind
        if windows and low <= windows[-1][1]:
            first, last = windows.pop()
            low, high = first, max(last, high)
        windows.append((low, high))
    return windows


def widened(
    text: str,
    start: int,
    end: int,
    border: re.Pattern[str],
    least: float = 0.0,
    is_before: Callable[[str], bool] = str.isspace,
    is_behind: Callable[[str], bool] = str.isspace,
) -> tuple[int, int]:
    """Widens a part of a text up to the next borders if the part is a large enough share of the
    result.

    Args:
        text: the text.
        start, end: positions of the part.
        border: pattern of a border between parts.
        least: the smallest share; a part with a smaller share is not widened.
        is_before, is_behind: return whether to leave out a character at the start or at the end of
            the result.
    """
    low, high = max(0, start - _CONTEXT_CHARACTERS), min(len(text), end + _CONTEXT_CHARACTERS)
    left = 0 if low == 0 else start
    for match in border.finditer(text, low, start):
        left = match.end()
    match = border.search(text, end, high)
    right = match.start() if match is not None else high
    while left < start and is_before(text[left]):
        left += 1
    while right > end and is_behind(text[right - 1]):
        right -= 1
    return (left, right) if end - start >= least * (right - left) else (start, end)


class Bytes:
    """A text as UTF-8 bytes, which patterns search. Converts positions in bytes into positions in
    characters.

    Args:
        text: the text; a lone surrogate becomes a question mark, which has the same length.
    """

    def __init__(self, text: str) -> None:
        self.data = text.encode("utf-8", "replace")
        self.text = self.data.decode()
        self._is_ascii = len(self.data) == len(text)
        self._at = (0, 0)

    def character(self, position: int) -> int:
        """Converts a position in bytes into a position in characters. This is fastest if the
        positions of successive calls ascend.
        """
        if self._is_ascii:
            return position
        byte, character = self._at
        if position < byte:
            byte, character = 0, 0
        character += len(self.data[byte:position].decode("utf-8", "ignore"))
        self._at = (position, character)
        return character

    def span(self, start: int, end: int, kind: Kind, type_: str) -> Span:
        """Builds a span from positions in bytes."""
        return Span(self.character(start), self.character(end), kind, type_)

    def found(self, match: Any, kind: Kind, type_: str, group: int = 0) -> Span:
        """Builds a span from the match of a pattern, or from a group of the match."""
        start, end = match.span(group)
        return self.span(start, end, kind, type_)
