"""Turns the words of a text into numbers, for the score of personal data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from quartermaster.guardrails import personal_words as words
from quartermaster.guardrails.linear_patterns import Constant
from quartermaster.guardrails.personal_patterns import OFFICE, is_iban, luhn
from quartermaster.guardrails.spans import Bytes, joined_windows

Words = NDArray[np.uint32]
Longs = NDArray[np.int64]
BUCKETS: Final = 1 << 15
_L: Final = r"[^\W\d_]"
_MONTH: Final = (
    r"(?:jan|feb|f(?:é|e)v|m(?:ä|a)r|apr|avr|abr|ma[iyjg]|mei|jun|juin|jul|juil|lug|giu|aug|ao(?:û|u)|ago"
    r"|sep|set|o[ck]t|ott|out|nov|de[czs]|dic|ene|gen|mag|stycz|lut|kwi|czerw|lip|sierp|wrz|pa(?:ź|z)|list"
    r"|grud|янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек|ocak|(?:ş|s)ub|nis|may|haz|tem|a(?:ğ|g)u"
    r"|eyl|eki|kas|ara|led|úno|bře|dub|kvě|červ|srp|zář|říj|pros|tammi|helmi|maalis|huhti|touko|kesä"
    rf"|heinä|elo|syys|loka|marras|joulu|jän){_L}{{0,10}}\.?"
)
# What belongs together is one token: an e-mail address, a date, a telephone number, an account.
# Then a word, a number, an escape, or a sign. Every character of a script without spaces is a word.
_PARTS: Final = {
    "url": r"https?://[^\s\"'<>\\)\]]{1,300}",
    "email": r"[\w.+%'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63}){1,5}",
    "uuid": r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{4,30}\b",
    "stamp": r"\d{4}-\d\d-\d\d[T_ ]\d\d:\d\d[\d:.,+Z]{0,16}",
    "mac": r"\b[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}\b",
    "time": r"\b\d{1,2}:\d{2}(?::\d{2})?\b",
    "ip": (
        r"\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b(?!\.\d)"
        r"|\b[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{0,4}){3,7}"
    ),
    "date": (
        r"\b\d{4}-\d{1,2}-\d{1,2}\b|\b\d{4}[./]\d{1,2}[./]\d{1,2}\b|\b\d{1,2}\. ?\d{1,2}\. ?\d{4}\b"
        r"|\b\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})\b|\d{4}\s?[年년]\s?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일]"
        r"|(?:昭和|平成|令和)\d{1,2}年\d{1,2}月\d{1,2}日"
        rf"|(?i:\b\d{{1,2}}(?:st|nd|rd|th|er|º|\.|ª)? (?:of |de |d')?{_MONTH}(?: de| of)?,? ?'?"
        r"\d{2,4}\b)"
        rf"|(?i:\b{_MONTH} (?:\d{{1,2}}(?:st|nd|rd|th)?,? )?(?:de )?\d{{4}}\b)"
        r"|(?i:\b\d{1,2}-(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-\d{2,4}\b)"
    ),
    "iban": r"\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?\b",
    "card": (
        r"\b[2-6]\d{3}(?: \d{4} \d{4} \d{4}|-\d{4}-\d{4}-\d{4}|\d{12})\b"
        r"|\b3[47]\d{2} \d{6} \d{5}\b|\b3[47]\d{13}\b"
    ),
    "ssn": (
        r"\b\d{3}-\d{2}-\d{4}\b|\b[12] \d\d \d\d (?:\d\d|2[AB]) \d{3} \d{3}(?: \d\d)?\b"
        r"|\b\d{3}\.\d{3}\.\d{3}-\d\d\b|\b\d{6}[-+A]\d{3}[\dA-Z]\b"
    ),
    "phone": (
        r"(?:\+|\b00)\d{1,3}[ ./-]?(?:\(0?\d{1,4}\)[ ./-]?)?\d{1,5}(?:[ ./-]\d{2,8}){0,5}\b"
        r"|\(0?\d{2,5}\)[ /-]{0,2}\d{2,8}(?:[ -]\d{2,8}){0,3}\b"
        r"|\b0\d{1,4}[ /-]{1,3}\d{2,8}(?:[ -]\d{2,8}){0,4}\b|\b0\d{1,3}(?:[.]\d{2,4}){2,4}\b"
        r"|\b0\d{8,10}\b|\b(?:1[ .-])?\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}\b"
        r"|\b8[ -]?\(\d{3}\) ?\d{3}(?:-\d\d){2}\b"
        r"|\b[5-9]\d{2}(?:[ .-]\d{3}){2}\b|\b[6-9]\d{2}(?: \d{2}){3}\b|\b\d{2}(?: \d{2}){3,4}\b"
        r"|\b555-\d{4}\b"
        r"|\b\d{3}-\d{4}-\d{4}\b|\b1\d{2} \d{4} \d{4}\b|\b1\d{10}\b|\b\d{3} \d{2} \d{3}\b"
        r"|\b\d{3} \d{3} \d{2} \d{2}\b|\b9\d{4}-\d{4}\b"
    ),
    "decimal": r"\b\d{1,3}(?:[.,]\d{3})*[.,]\d+\b",
    "id": (
        r"\b(?=[-A-ZÄÖÜА-Я/·.]{0,24}\d)[A-ZÄÖÜА-Я0-9]{1,12}"
        r"(?:[-·/.][A-ZÄÖÜА-Я0-9]{1,12}){1,5}(?: [A-Z]| \d{1,4}[EH]?)?\b(?![a-z])"
        r"|\b[A-ZÄÖÜ]{1,3}[- ][A-Z]{1,2}[ -]?\d{1,4}[EH]?\b|\b[A-Z]{2} \d\d \d\d \d\d [A-D]\b"
        r"|\b[A-Z]{1,3} \d{3,6}(?: ?[A-Z]{1,2})?\b(?! ?\d)|\b\d{3} \d{3} \d{4}\b"
        r"|\b\d{1,4}[ -][A-Z]{1,3}[ -]?\d{2,6}\b|\b\d{4} ?[BCDFGHJKLMNPRSTVWXYZ]{3}\b"
        r"|\b[A-Z]{2}\d{2} ?[A-Z]{3}\b|\b[A-Z]\d{3} [A-Z]{3}\b"
        r"|\b(?=[A-ZА-Я]{0,24}\d)(?=\d{0,24}[A-ZА-Я])[A-ZА-Я0-9]{4,24}\b"
    ),
    "hash": r"\b(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{7,80}\b",
    "word": r"[^\W\d_\u3040-\u9fff\uac00-\ud7a3]+|[\uac00-\ud7a3]+",
    "digits": r"\d+",
    "escape": r"\\[nrt]",
    "sign": r"[^ \t\r]",
}
_GROUP: Final = re.compile("|".join(f"(?P<{name}>{part})" for name, part in _PARTS.items()))
_YEAR: Final = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text.

    Attributes:
        kinds: the kind of each token, such as word, date or phone.
        parts: the tokens.
        starts: the position of each token.
        buckets: one row per token, with the bucket of each of its features.
    """

    kinds: list[str]
    parts: list[str]
    starts: Longs
    buckets: Words


_REACH: Final = 4
_CLASS: Final = Constant("|".join(f"({part})" for part in words.CLASSES.values()))
_KEY_REACH: Final = 30
_BORDERS: Final = (2, 6, 16, 40)
_HASH_PRIME: Final = np.uint32(0x9E3779B1)
_RUNS: Final = (
    (-2, -1), (-1, 0), (0, 1), (1, 2), (-2, -1, 0), (-1, 0, 1), (0, 1, 2),
    (-2, -1, 0, 1), (-1, 0, 1, 2), (0, 1, 2, 3),
)  # fmt: skip
_STREET: Final = words.CLASSES["street"]
# Only around these, personal data are looked for, and around a number some words before a street.
TRIGGER: Final = (
    r"@|\d{5}|\d{2}[ ./-]{1,2}\d{2}|\d\.\d{1,3}\.\d|\pL{3} \d{1,2}, \d{4}|"
    r"\d[.a-zº]{0,3} (?:\pL{2} )?\pL{3,12}[.,]? (?:de )?\d{4}|"
    + words.CLASSES["health"]
    + "|"
    + words.CLASSES["birth"]
    + rf"|{_STREET}[^\n\d]{{0,12}}\d"
)
# In one pattern with the others, a number and the words after it would need so many states that the
# search takes twenty times as long. So the streets are found first.
_STREETS: Final = Constant(_STREET)
_NUMBER: Final = re.compile(r"[0-9][^\n]+\Z")
_FAR_NUMBER: Final = 26


@dataclass(frozen=True, slots=True)
class Windows:
    """Selects the parts of a text in which personal data are looked for.

    Attributes:
        trigger: pattern that selects a part around each of its matches; streets with a number
            select parts, too.
        before, behind: numbers of bytes before and after the match that belong to the part.
    """

    trigger: Any
    before: int
    behind: int


SEARCHED_WINDOWS: Final = Windows(Constant(TRIGGER), before=110, behind=90)
_PIECE: Final = 20_000
_COLON, _LINE = 1, 2


@lru_cache(maxsize=20_000)
def _forms(kind: str, token: str) -> tuple[int, int, int, int, int]:
    """Returns hashes of a token's word, shape, end and beginning, and a number that distinguishes
    colons, line breaks and other tokens.
    """
    small = token.lower()
    word, end, begin = small, small[-3:], small[:4]
    if kind == "word":
        case = "X" if token.isupper() else "Xx" if token[0].isupper() else "x"
        shape = case + str(min(len(token), 4))
    elif kind == "digits":
        if len(token) == 4 and "1900" <= token <= "2039":
            shape = "y" + token[:3]
        else:
            shape = f"d{min(len(token), 12)}"
        word = small if len(token) < 3 else shape
    elif kind in {"sign", "escape"}:
        shape = token
    elif kind in {"url", "uuid", "stamp", "time", "mac", "decimal", "hash"}:
        shape = word = kind
    else:
        shape, word, begin = _special(kind, token)
        end = kind
    sign = {":": _COLON, "=": _COLON, "：": _COLON, "\n": _LINE, "\\n": _LINE, ">": _COLON}.get(
        token, 0
    )
    return (
        crc32(word.encode()), crc32(b"s" + shape.encode()), crc32(b"e" + end.encode()),
        crc32(b"b" + begin.encode()), sign,
    )  # fmt: skip


def _special(kind: str, token: str) -> tuple[str, str, str]:
    """Returns the shape, the word and the beginning of a token that has other characters than
    letters.
    """
    if kind == "email":
        local, _, domain = token.lower().partition("@")
        is_office = OFFICE.search(local.encode()) is not None
        form = "." if "." in local else "-" if "-" in local else ""
        return (
            kind,
            f"email {is_office}",
            f"email {is_office} {form} {min(len(local), 5)} {domain.split('.')[0] in local}",
        )
    if kind == "date":
        year = _YEAR.findall(token)
        decade = year[-1][:3] if year else "none"
        return (
            kind,
            "date " + decade,
            "date " + ("19" if decade < "200" else "20") + re.sub(r"\w+", "w", token),
        )
    if kind == "ip":
        try:
            address = ip_address(token)
        except ValueError:
            return "sign", "sign", "sign"
        return kind, f"ip {address.is_global}", f"ip {address.version} {address.is_global}"
    if kind == "iban":
        try:
            good = 15 <= len(re.sub(r"[ -]", "", token)) <= 34 and is_iban(token.encode())
        except ValueError:
            good = False
        return kind, f"iban {good}", f"iban {good} {' ' in token}"
    if kind == "card":
        good = luhn(re.sub(r"\D", "", token).encode())
        return kind, f"card {good}", f"card {good} {' ' in token}"
    form = re.sub(r"[A-ZÄÖÜА-Я]+", "A", token)
    form = re.sub(r"\d+", lambda m: str(min(len(m[0]), 9)), form)
    return kind, f"{kind} {token[:1] in '0+('} {token[:1]}", f"{kind} {form}"


def has_trigger(data: bytes) -> bool:
    """Returns whether a text contains a match or a street around which personal data are looked
    for.
    """
    return next(_triggers(data, SEARCHED_WINDOWS), None) is not None


def _triggers(data: bytes, windows: Windows) -> Iterator[tuple[int, int]]:
    """Finds the matches and streets that select parts of a text, in any order."""
    for match in windows.trigger.finditer(data):
        yield match.span()
    for street in _STREETS.finditer(data):
        start, end = street.span()
        # A character has at most four bytes.
        near = data[max(0, start - 4 * _FAR_NUMBER) : start].decode(errors="ignore")
        number = _NUMBER.search(near[-_FAR_NUMBER:])
        if number is not None:
            yield start - len(number[0].encode()), end


def read_tokens(text: Bytes, windows: Windows = SEARCHED_WINDOWS) -> Iterator[Tokens]:
    """Splits those parts of a text that may contain personal data into tokens, and computes the
    tokens' features.

    A long text is returned in pieces, so that it needs no more memory than a short text.

    Args:
        text: the text.
        windows: selects the parts of the text.
    """
    group: list[tuple[int, int]] = []
    size = 0
    places = sorted(_triggers(text.data, windows))
    for low, behind in joined_windows(places, windows.before, windows.behind):
        high = min(behind, len(text.data))
        for begin in range(low, high, _PIECE):
            end = min(begin + _PIECE, high)
            if size + end - begin > _PIECE:
                yield _read(text.text, group)
                group, size = [], 0
            group.append((text.character(begin), text.character(end)))
            size += end - begin
    if group:
        yield _read(text.text, group)


def _read(text: str, places: Sequence[tuple[int, int]]) -> Tokens:
    """Splits the given places of a text into tokens, and computes the tokens' features."""
    kinds: list[str] = []
    parts: list[str] = []
    starts: list[int] = []
    found: list[tuple[int, int, int]] = []
    for low, high in places:
        for match in _GROUP.finditer(text, low, high):
            kinds.append(match.lastgroup or "")
            parts.append(match[0])
            starts.append(match.start())
        piece = Bytes(text[low:high])
        for match in _CLASS.finditer(piece.data):
            begin = low + piece.character(match.start())
            found.append((begin, low + piece.character(match.end()), match.lastindex or 0))
    where = np.array(starts, np.int64)
    if not parts:
        return Tokens(kinds, parts, where, np.zeros((0, 0), np.uint32))
    forms = np.array(list(map(_forms, kinds, parts)), np.int64).T
    return Tokens(kinds, parts, where, _buckets(forms, _class_of(found, where), kinds))


def _moved(values: Longs, offset: int) -> Longs:
    """Returns for each token the value of the token that is `offset` places after it; 0 if there is
    no such token.
    """
    moved, size = np.zeros_like(values), len(values)
    behind = values[max(0, offset) : max(0, size + offset)]
    moved[max(0, -offset) : max(0, size - offset)] = behind
    return moved


def _buckets(forms: Longs, classes: Longs, kinds: list[str]) -> Words:
    """Returns the bucket of each feature of each token."""
    word, shape, end, begin, sign = forms
    size = len(kinds)

    # The features by the number of their values, with the number that is part of their hash.
    features: dict[int, list[tuple[int, tuple[Longs, ...]]]] = {1: [], 2: [], 3: [], 4: []}
    count = 0

    def add(*values: Longs) -> None:
        nonlocal count
        count += 1
        features[len(values)].append((count, values))

    around = {offset: _moved(shape, offset) for offset in range(-_REACH, _REACH + 1)}
    for offset in range(-_REACH, _REACH + 1):
        add(_moved(word, offset))
        add(around[offset])
    for offset in (-1, 0, 1):
        add(_moved(end, offset))
        add(_moved(begin, offset))
    for offset in range(-3, 4):
        add(_moved(classes, offset))
    for run in _RUNS:
        add(*(around[place] for place in run))
    add(_moved(word, -1), word)
    add(word, _moved(word, 1))
    add(_moved(end, -1), shape)
    add(end, around[1])
    is_word = np.array([kind == "word" for kind in kinds])
    key, key_class = _keys(word, is_word, classes, sign)
    add(key)
    add(key, shape)
    add(key_class)
    add(key_class, shape)
    add(key_class, around[-1], shape)
    # How far away the last word of each class is.
    index = np.arange(size)
    for number in range(1, len(words.CLASSES) + 1):
        last = np.maximum.accumulate(np.where(classes == number, index, -1000))
        far = np.searchsorted(_BORDERS, index - last).astype(np.int64)
        add(far)
        add(far, shape)
        add(np.full(size, int((classes == number).any())), shape)
    return np.concatenate([_hashed(of_size) for of_size in features.values()]).T


def _hashed(features: Sequence[tuple[int, tuple[Longs, ...]]]) -> Words:
    """Hashes features that combine the same number of values; returns one row per feature."""
    numbers = np.array([number for number, _ in features], np.int64) * 0x51ED27
    values = np.array([values for _, values in features], np.int64)
    total = np.repeat(numbers[:, None], values.shape[2], axis=1)
    for part in range(values.shape[1]):
        total = (total ^ values[:, part]) * 0x01000193 & 0xFFFFFFFF
        total ^= total >> 15
    return (total.astype(np.uint32) * _HASH_PRIME) >> np.uint32(17)


def _class_of(found: list[tuple[int, int, int]], starts: Longs) -> Longs:
    """Returns the number of each token's class; 0 for a token without a class."""
    classes = np.zeros(len(starts), np.int64)
    if found:
        begins = np.array([begin for begin, _, _ in found], np.int64)
        ends = np.array([end for _, end, _ in found], np.int64)
        firsts: list[int] = (np.searchsorted(starts, begins, side="right") - 1).tolist()
        lasts: list[int] = (np.searchsorted(starts, ends - 1, side="right") - 1).tolist()
        for (_, _, number), first, last in zip(found, firsts, lasts, strict=True):
            classes[max(first, 0) : last + 1] = number
    return classes


def _keys(
    word: Longs, is_word: NDArray[np.bool_], classes: Longs, sign: Longs
) -> tuple[Longs, Longs]:
    """Returns two values for each token: the word before the last colon in the token's line, and
    the class of this word.
    """
    index = np.arange(len(word))
    colon = np.maximum.accumulate(np.where(sign == _COLON, index, -1))
    line = np.maximum.accumulate(np.where(sign == _LINE, index, -1))
    has_key = (colon > line) & (index - colon < _KEY_REACH) & (colon > 0)
    before = np.maximum(colon - 1, 0)
    place = np.where(has_key, np.maximum.accumulate(np.where(is_word, index, -1))[before], -1)
    key = np.where(place >= 0, word[np.maximum(place, 0)], 0)
    near = np.maximum.accumulate(np.where(classes > 0, index, -100))[before]
    key_class = np.where(has_key & (colon - near < 6), classes[np.maximum(near, 0)], 0)
    return key, key_class
