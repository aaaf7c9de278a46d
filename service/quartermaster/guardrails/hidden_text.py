"""Makes hidden text readable: invisible characters, look-alike letters, and encoded sentences."""

from __future__ import annotations

import base64
import codecs
import re
from dataclasses import dataclass
from typing import Final

from quartermaster.guardrails.linear_patterns import Constant

# Zero-width and bidirectional characters, and the tag characters that repeat ASCII invisibly.
_SIGNS: Final = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufe00-\ufe0f"
_INVISIBLE: Final = re.compile(f"[{_SIGNS}]")
_TAGS: Final = re.compile("[\U000e0020-\U000e007e]")
_UNSEEN: Final = re.compile(f"[{_SIGNS}\U000e0000-\U000e007f]")
_LOOK_ALIKES: Final = str.maketrans(
    "аеорсухіѕјԁһѵӏАВЕКМНОРСТХІЅЈαεοριντυκ",
    "aeopcyxisjdhvlABEKMHOPCTXISJaeopivtuk",
)
# A Latin letter beside a Cyrillic or Greek one: nobody writes so by accident.
_MIXED: Final = re.compile("[a-zA-Z][\u0370-\u04ff]|[\u0370-\u04ff][a-zA-Z]")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/]{40,}={0,2}")
_HEX: Final = re.compile(r"(?:[0-9a-fA-F]{2}){24,}")
_ROT13: Final = re.compile(r"(?i)rot-?13")
_ENCODED: Final = Constant(r"(?i)[a-z0-9+/]{40}|rot-?13")
_LONGEST: Final = 20_000


@dataclass(frozen=True, slots=True)
class Plain:
    """A readable text.

    Attributes:
        text: the text without what hides it.
        positions: for each character its position in the original; None if they are the same.
        is_hidden: whether somebody hid words on purpose.
    """

    text: str
    positions: list[int] | None
    is_hidden: bool

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return where a part lies in the original text."""
        if self.positions is None:
            return start, end
        return self.positions[start], self.positions[end - 1] + 1


def revealed(text: str) -> Plain:
    """Remove invisible characters, and replace look-alike letters by Latin ones."""
    if text.isascii():
        return Plain(text, None, False)
    positions: list[int] | None = None
    is_hidden = False
    if _UNSEEN.search(text):
        count = sum(1 for _ in _INVISIBLE.finditer(text))
        is_hidden = _TAGS.search(text) is not None or count > 8
        kept: list[str] = []
        positions = []
        for index, sign in enumerate(text):
            if "\U000e0020" <= sign <= "\U000e007e":
                kept.append(chr(ord(sign) - 0xE0000))
                positions.append(index)
            elif not _UNSEEN.match(sign):
                kept.append(sign)
                positions.append(index)
        text = "".join(kept)
    mixed = sum(1 for _ in _MIXED.finditer(text))
    if mixed >= 3:
        text, is_hidden = text.translate(_LOOK_ALIKES), True
    return Plain(text, positions, is_hidden)


def decoded(text: str) -> list[tuple[int, int, str]]:
    """Find sentences in base64, hexadecimal digits and ROT13.

    Returns:
        Start and end of each in the text, and what it says.
    """
    found: list[tuple[int, int, str]] = []
    if not _ENCODED.search(text.encode("utf-8", "replace")):
        return found
    for pattern in (_BASE64, _HEX):
        for match in pattern.finditer(text):
            plain = _plain(match[0][:_LONGEST], is_hex=pattern is _HEX)
            if plain is not None:
                found.append((*match.span(), plain))
    if _ROT13.search(text):
        lines = re.finditer(r"[^\n\"]{20,}", text[:_LONGEST])
        found += [(*line.span(), codecs.decode(line[0], "rot13")) for line in lines]
    return found


def _plain(value: str, *, is_hex: bool) -> str | None:
    try:
        raw = bytes.fromhex(value) if is_hex else base64.b64decode(value + "=" * (-len(value) % 4))
        plain = raw.decode()
    except ValueError:
        return None
    is_sentence = plain.isprintable() and plain.count(" ") >= 3
    return plain if is_sentence else None
