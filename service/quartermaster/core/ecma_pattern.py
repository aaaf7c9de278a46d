"""Checks whether a regular expression is valid in ECMAScript, with the flag u.

Clients in JavaScript compile the patterns in schemas, and one invalid pattern makes more than one
tool unusable for them. So a pattern that is not clearly correct counts as wrong. Examples are
patterns with back references, with less common properties of Unicode, or with named groups that
have unusual names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

_MAX_CHARACTERS: Final = 5_000
_MAX_DEPTH: Final = 50
_CATEGORIES: Final = (
    "L|LC|Ll|Lm|Lo|Lt|Lu|M|Mc|Me|Mn|N|Nd|Nl|No|P|Pc|Pd|Pe|Pf|Pi|Po|Ps|S|Sc|Sk|Sm|So|Z|Zl|Zp|Zs|C|Cc"
    "|Letter|Lowercase_Letter|Uppercase_Letter|Mark|Number|Decimal_Number|Punctuation|Symbol"
    "|Separator|Alphabetic|Lowercase|Uppercase|White_Space|ASCII|Any"
)
_PROPERTY: Final = re.compile(rf"[pP]\{{(?:{_CATEGORIES})\}}")
_CLASS_ESCAPE: Final = re.compile(r"[dDsSwW]")
_CHARACTER_ESCAPE: Final = re.compile(
    r"[tnvfr^$\\.*+?()\[\]{}|/]|0(?![0-9])|c[A-Za-z]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}"
    r"|u\{0{0,6}(?:10[0-9a-fA-F]{4}|[0-9a-fA-F]{1,5})\}"
)
_QUANTIFIER: Final = re.compile(r"(?:[*+?]|\{(\d{1,9})(?:(,)(\d{1,9})?)?\})\??")
_NAME: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_CONTROL: Final = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "0": 0}


def is_ecma_pattern(text: str) -> bool:
    """Returns whether every JavaScript engine compiles the pattern with the flag u."""
    if len(text) > _MAX_CHARACTERS or any(0xD800 <= ord(sign) <= 0xDFFF for sign in text):
        return False
    reader = _PatternReader(text)
    try:
        reader.alternatives(0)
    except _WrongError:
        return False
    return reader.place == len(text)


class _WrongError(ValueError):
    """The pattern is wrong, or is not clearly correct."""


@dataclass
class _PatternReader:
    """Reads a pattern from left to right."""

    text: str
    place: int = 0
    names: set[str] = field(default_factory=set[str])

    def alternatives(self, depth: int) -> None:
        """Reads until the end of the group; its closing bracket is not read."""
        if depth > _MAX_DEPTH:
            raise _WrongError
        while self.place < len(self.text) and not self._sees(")"):
            if not self._take("|"):
                self._term(depth)

    def _term(self, depth: int) -> None:
        if self._take("^") or self._take("$") or self._take(r"\b") or self._take(r"\B"):
            return
        if self._sees("("):
            if self._group(depth):
                self._quantifier()
            return
        self._character()
        self._quantifier()

    def _character(self) -> None:
        """Reads a character, an escape, or a character class."""
        if self._sees("["):
            self._class()
        elif self._take("\\"):
            if not (self._match(_PROPERTY) or self._match(_CLASS_ESCAPE)):
                self._need(_CHARACTER_ESCAPE)
        elif self.text[self.place] in "*+?{}]":
            raise _WrongError
        else:
            self.place += 1

    def _group(self, depth: int) -> bool:
        """Reads a group; returns whether the group can be repeated. An assertion cannot be
        repeated.
        """
        is_assertion = any(self._take(start) for start in ("(?=", "(?!", "(?<=", "(?<!"))
        if not is_assertion and not self._take("(?:"):
            if self._take("(?<"):
                name = self._need(_NAME)[0]
                if name in self.names or not self._take(">"):
                    raise _WrongError
                self.names.add(name)
            else:
                self.place += 1
                if self._sees("?"):
                    raise _WrongError
        self.alternatives(depth + 1)
        if not self._take(")"):
            raise _WrongError
        return not is_assertion

    def _class(self) -> None:
        self.place += 1
        self._take("^")
        while not self._take("]"):
            first = self._member()
            if self._sees("-") and not self.text.startswith("-]", self.place):
                self.place += 1
                last = self._member()
                if first is None or last is None or first > last:
                    raise _WrongError

    def _member(self) -> int | None:
        """Reads one member of a character class; returns its code point, or None for a set of
        characters.
        """
        if self.place >= len(self.text):
            raise _WrongError
        if not self._take("\\"):
            self.place += 1
            return ord(self.text[self.place - 1])
        if self._match(_PROPERTY) or self._match(_CLASS_ESCAPE):
            return None
        if self._take("-"):
            return ord("-")
        if self._take("b"):
            return 8
        return _code_point(self._need(_CHARACTER_ESCAPE)[0])

    def _quantifier(self) -> None:
        found = self._match(_QUANTIFIER)
        if found and found[3] is not None and int(found[1]) > int(found[3]):
            raise _WrongError

    def _sees(self, text: str) -> bool:
        return self.text.startswith(text, self.place)

    def _take(self, text: str) -> bool:
        if not self._sees(text):
            return False
        self.place += len(text)
        return True

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.place)
        if found:
            self.place = found.end()
        return found

    def _need(self, pattern: re.Pattern[str]) -> re.Match[str]:
        found = self._match(pattern)
        if found is None:
            raise _WrongError
        return found


def _code_point(escape: str) -> int:
    if escape[0] in "xu" and len(escape) > 1:
        return int(escape[1:].strip("{}"), 16)
    if escape[0] == "c" and len(escape) > 1:
        return ord(escape[1]) % 32
    return _CONTROL.get(escape, ord(escape[0]))
