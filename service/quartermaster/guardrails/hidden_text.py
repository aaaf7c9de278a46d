"""Makes hidden text readable: invisible characters, look-alike letters, and encoded sentences."""

from __future__ import annotations

import base64
import codecs
import re
import string
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from quartermaster.guardrails.linear_patterns import Constant

# Characters that nobody sees: zero-width and bidirectional ones, fillers, variation selectors.
_SIGNS: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0100-\U000e01ef"
)
_INVISIBLE_PATTERN: Final = re.compile(f"[{_SIGNS}]")
# The tag characters repeat ASCII invisibly.
_TAGS: Final = re.compile("[\U000e0020-\U000e007e]")
_UNSEEN_PATTERN: Final = re.compile(f"[{_SIGNS}\U000e0000-\U000e007f]")
# Each of the 256 variation selectors can stand for a byte. An emoji has one of them.
_BYTES: Final = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{8,}")
# Marks that are drawn over the character before them.
_MARKS: Final = "\u0300-\u036f\u0488\u0489\u20d0-\u20f0"
_STRUCK_PATTERN: Final = re.compile(f"(?<=[ -~])[{_MARKS}]+")
_COVERED_PATTERN: Final = re.compile(f"[{_SIGNS}{_MARKS}\U000e0000-\U000e007f]")
_LOOK_ALIKES: Final = str.maketrans(
    "аеорсухіѕјԁһѵӏАВЕКМНОРСТХІЅЈαεοριντυκоցհոսօᏀᎪᎬᎢᏔ",
    "aeopcyxisjdhvlABEKMHOPCTXISJaeopivtukoghnuoGAETW",
)
# Letters of other shapes and spaces of other widths, which are read as the usual ones.
_SHAPED_PATTERN: Final = re.compile(
    "[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\uff21-\uff5a\u1d00-\u1d2b\u2100-\u214f"
    "\u249c-\u24e9\ua730\ua731\U0001d400-\U0001d6a5\U0001f110-\U0001f189]"
)
_USUAL_CHARACTERS: Final = frozenset(f"{string.ascii_letters} ")
_SHAPES: Final = str.maketrans(
    dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz", strict=True))
    | {"\u1680": " "}
    | {
        shaped: usual
        for shaped in map(chr, (*range(0xA0, 0x10000), *range(0x1D400, 0x1F18A)))
        if _SHAPED_PATTERN.match(shaped)
        and ((usual := unicodedata.normalize("NFKC", shaped).strip("()")) in _USUAL_CHARACTERS)
    }
)
# A Latin letter beside one of another script: nobody writes so by accident.
_OTHER_SCRIPTS: Final = "[\u0370-\u058f\u13a0-\u13f5]"
_MIXED_PATTERN: Final = re.compile(f"[a-zA-Z]{_OTHER_SCRIPTS}|{_OTHER_SCRIPTS}[a-zA-Z]")
# Base64 of files and of URLs; in a mail or a key it goes on in the next line.
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{40,}(?:\r?\n[A-Za-z0-9+/_-]+)*={0,2}")
_ONE_LINE: Final = re.compile(r"[A-Za-z0-9+/]{40,}={0,2}")
_HEX: Final = re.compile(r"(?:[0-9a-fA-F]{2} ?){24,}")
_ROT13: Final = re.compile(r"(?i)rot-?13")
# Characters as URLs, HTML, mails and source code write them, and what stands between two of them.
_ESCAPE: Final = (
    r"(?:[%=][0-9A-Fa-f]{2}|&#(?:[0-9]{1,7}|[xX][0-9A-Fa-f]{1,6});|"
    r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}))"
)
_BETWEEN_ESCAPES: Final = r"[\w.,:;'/@-]{0,20}"
_ESCAPES: Final = re.compile(_ESCAPE)
_ESCAPED_PATTERN: Final = re.compile(
    rf"(?:{_BETWEEN_ESCAPES}{_ESCAPE}){{8,}}{_BETWEEN_ESCAPES}", re.ASCII
)
_HAS_ESCAPES: Final = Constant(rf"(?:{_ESCAPE}{_BETWEEN_ESCAPES}){{8}}")
_ENCODED_PATTERN: Final = Constant(
    rf"(?i)[a-z0-9+/_-]{{40}}|(?:[0-9a-f]{{2}} ){{24}}|rot-?13|{_HAS_ESCAPES.pattern}"
)
_MOST_LAYERS: Final = 3
_OF_URLS: Final = str.maketrans("-_", "+/")
_UTF16: Final = (b"\xfe\xff", b"\xff\xfe")
_CONTROLS: Final = bytes({*range(0x20), 0x7F} - {*b"\t\n\r"})
_HIGH_BYTES: Final = bytes(range(0x80, 0x100))


@dataclass(frozen=True, slots=True)
class ReadableText:
    """A text after hidden text in it was made readable.

    Attributes:
        text: the text without the characters that hide it.
        positions: position of each character in the original; None if every character has the same
            position in both texts.
        is_hidden: whether somebody hid words on purpose.
    """

    text: str
    positions: list[int] | None
    is_hidden: bool

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Converts the start and end of a part of the readable text into positions in the original
        text.
        """
        if self.positions is None:
            return start, end
        return self.positions[start], self.positions[end - 1] + 1


def revealed(text: str) -> ReadableText:
    """Removes invisible characters, and replaces look-alike letters with the Latin letters that
    they imitate.
    """
    if text.isascii():
        return ReadableText(text, None, False)
    positions: list[int] | None = None
    is_hidden = False
    if _COVERED_PATTERN.search(text):
        text, positions, is_hidden = _uncovered(text)
    if _SHAPED_PATTERN.search(text):
        text = text.translate(_SHAPES)
    mixed = sum(1 for _ in _MIXED_PATTERN.finditer(text))
    if mixed >= 3:
        text, is_hidden = text.translate(_LOOK_ALIKES), True
    return ReadableText(text, positions, is_hidden)


def _uncovered(text: str) -> tuple[str, list[int], bool]:
    """Removes invisible characters, and decodes text that is encoded in them.

    Returns:
        The readable text, the position of each of its characters in the original, and whether words
        were hidden.
    """
    said = {
        match.start() + index: chr(_byte_of(sign))
        for match in _BYTES.finditer(text)
        for index, sign in enumerate(match[0])
    }
    said |= {match.start(): chr(ord(match[0]) - 0xE0000) for match in _TAGS.finditer(text)}
    left_out = {match.start() for match in _UNSEEN_PATTERN.finditer(text)}
    is_hidden = bool(said) or sum(1 for _ in _INVISIBLE_PATTERN.finditer(text)) > 8
    left_out.update(
        index for match in _STRUCK_PATTERN.finditer(text) for index in range(*match.span())
    )
    retained = [
        (said.get(index, sign), index)
        for index, sign in enumerate(text)
        if index in said or index not in left_out
    ]
    return "".join(sign for sign, _ in retained), [index for _, index in retained], is_hidden


def _byte_of(selector: str) -> int:
    code = ord(selector)
    return code - 0xFE00 if code < 0xE0100 else code - 0xE0100 + 16


def decoded(text: str) -> list[tuple[int, int, str]]:
    """Finds sentences in base64, hexadecimal digits, escaped characters and ROT13.

    Returns:
        For each encoded sentence, its start and end in the text, and the decoded sentence.
    """
    found: list[tuple[int, int, str]] = []
    data = text.encode("utf-8", "replace")
    if not _ENCODED_PATTERN.search(data):
        return found
    found += _in_base64(text)
    found += _in_runs(text, _HEX, bytes.fromhex)
    if _HAS_ESCAPES.search(data):
        found += _in_runs(text, _ESCAPED_PATTERN, _of_escapes)
    if _ROT13.search(text):
        lines = re.finditer(r"[^\n\"]{20,}", text)
        found += [(*line.span(), codecs.decode(line[0], "rot13")) for line in lines]
    return found


def _in_base64(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _BASE64.finditer(text):
        if (plain := _plain(match[0], _of_base64)) is not None:
            yield *match.span(), plain
            continue
        # What follows base64 may only look like its next line.
        for line in _ONE_LINE.finditer(text, *match.span()):
            if (plain := _plain(line[0], _of_base64)) is not None:
                yield *line.span(), plain


def _in_runs(
    text: str, pattern: re.Pattern[str], read: Callable[[str], bytes]
) -> Iterator[tuple[int, int, str]]:
    for match in pattern.finditer(text):
        if (plain := _plain(match[0], read)) is not None:
            yield *match.span(), plain


def _plain(value: str, read: Callable[[str], bytes]) -> str | None:
    """Returns the sentence that a value encodes; None if it encodes no sentence. The value may be
    encoded twice.
    """
    for _ in range(_MOST_LAYERS):
        try:
            value = _text_of(read(value))
        except ValueError:
            return None
        if value.count(" ") >= 3:
            return value
        read = _of_base64
    return None


def _of_base64(value: str) -> bytes:
    value = "".join(value.split()).rstrip("=").translate(_OF_URLS)
    return base64.b64decode(value + "=" * (-len(value) % 4), validate=True)


def _of_escapes(value: str) -> bytes:
    return _ESCAPES.sub(_unescaped, value).encode("utf-8", "surrogateescape")


def _unescaped(match: re.Match[str]) -> str:
    digits = match[0].strip("%=&#;\\{}").lower()
    is_decimal = match[0].startswith("&#") and not digits.startswith("x")
    code = int(digits) if is_decimal else int(digits.lstrip("xu{"), 16)
    if match[0][0] in "%=" or match[0].startswith("\\x"):
        # A byte of UTF-8.
        return bytes([code]).decode("ascii", "surrogateescape")
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def _text_of(raw: bytes) -> str:
    """Decodes UTF-8 or UTF-16. In UTF-16, every second byte of an English text is zero.

    Raises:
        ValueError: the bytes are not text.
    """
    if raw[:1] == b"\0" or raw[1:2] == b"\0" or raw.startswith(_UTF16):
        raw = raw.decode("utf-16-be" if raw[:1] in b"\0\xfe" else "utf-16-le", "replace").encode()
    try:
        text, strange = raw.decode(), _CONTROLS
    except UnicodeDecodeError:
        text, strange = raw.decode(errors="replace"), _CONTROLS + _HIGH_BYTES
    # A text is still read if somebody put a few other bytes into it.
    if 10 * (len(raw) - len(raw.translate(None, strange))) > len(raw):
        raise ValueError("it is no text")
    return text
