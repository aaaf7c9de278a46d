"""Turns the sentences of a text into numbers, all at once, for the score of instructions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from quartermaster.guardrails import instruction_words as words
from quartermaster.guardrails.linear_patterns import Constant

Floats = NDArray[np.float32]
Longs = NDArray[np.uint64]

BUCKETS: Final = 1 << 15
GRAMS: Final = (3, 4, 5)
# Sums over words and pairs of words follow those over letters.
FAMILIES: Final = len(GRAMS) + 2
_MIN_CHARACTERS: Final = 8
_MAX_CHARACTERS: Final = 500
# Where a sentence ends: at the mark of a line, a tag, a string or a cell; after a full stop before
# one of these or a space; and after the full stops of scripts without spaces.
_HARD, _SOFT, _FULL = 1, 2, 3
_HARD_SIGNS: Final = '\n"<>|;'
_SOFT_SIGNS: Final = ".!?"
_FULL_SIGNS: Final = "。！？"
_AFTER_SOFT: Final = " \t\r\n\"'»”)]<\\|;"
_ESCAPES: Final = 'nrt"'
_BASE: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX: Final = np.uint64(0xD6E8FEB86659FD93)
_PIECE: Final = 1 << 16

# Before a word there is no letter; scripts without spaces have no such border.
_BORDER: Final = r"(?:^|[^\p{Latin}\p{Cyrillic}\p{Greek}])"


def _words(part: str) -> Constant:
    return Constant(rf"(?i){_BORDER}(?:{part})")


_MACHINE: Final = _words(words.MACHINE)
_SECRECY: Final = _words(words.SECRECY)
_USER: Final = _words(words.USER)
_ACTION_PATTERN: Final = _words(words.ACTION_WORDS)
_TURN: Final = Constant(rf"(?i){words.TURN}")
_MENTION_PATTERN: Final = _words(words.MENTION_WORDS)
_PLACE: Final = Constant(rf"(?i){words.PLACE}")
# "Assistants that read this: ..."
_ADDRESS: Final = Constant(
    rf"(?i){_BORDER}(?:{words.MACHINE})[^:,：、，;.\n]{{0,70}}[:,：、，]|"
    rf"{_BORDER}(?:{words.MACHINE})"
)
_LINK: Final = Constant(
    r"(?i)https?://|www\.|[\w.\-]+\.example|@[a-z0-9\-]+\.|[a-z0-9\-]+\.(?:com|net|org|io|ru|cn)\b"
)
_MODAL_PATTERN: Final = Constant(
    r"(?i)\b(?:may|can|could|might|often|sometimes|usually|was|were|did|has|have|had|our|we|they|"
    r"is|are)\b"
)
_QUOTE: Final = frozenset("“„«‘‹「『”")
NAMES: Final = (
    *("machine", "machine_first", "address", "secrecy", "user", "deed", "turn", "about"),
    *("about_in_text", "place", "quoted", "hidden", "link", "machine_secrecy", "machine_deed"),
    *("address_deed", "secrecy_user", "address_secrecy", "after_address", "beside_secrecy"),
    *("after_address_deed", "length", "machines_in_text", "modal", "address_link"),
    *("address_modal", "deed_first", "address_quoted"),
)
# Both of two others: "machine_deed" is "machine" and "deed".
_JOINT_FEATURES: Final = (
    *("machine_secrecy", "machine_deed", "address_deed", "secrecy_user", "address_secrecy"),
    *("after_address_deed", "address_link", "address_modal", "address_quoted"),
)
_COLUMN: Final = {name: column for column, name in enumerate(NAMES)}
# What is looked for only in sentences beside a machine, a secret or a mark.
_LOOKED_FOR: Final = {
    "user": _USER,
    "about": _MENTION_PATTERN,
    "link": _LINK,
    "modal": _MODAL_PATTERN,
}


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of a text, with the features of each sentence.

    Attributes:
        starts, ends: positions of the sentences, in characters.
        buckets: for each family, the bucket of each of its n-grams.
        edges: for each family, the index of the first n-gram of each sentence, and the index after
            its last n-gram.
        signs: for each sentence, the features in NAMES.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    buckets: list[NDArray[np.intp]]
    edges: list[tuple[NDArray[np.int64], NDArray[np.int64]]]
    signs: Floats

    def sums(self, weights: NDArray[np.float32]) -> Floats:
        """Returns for each sentence the sum of the weights of its n-grams, divided by the square
        root of the number of n-grams.

        Args:
            weights: a row for each family, a column for each bucket.
        """
        total = np.zeros(len(self.starts), np.float32)
        for family, (buckets, (first, after)) in enumerate(
            zip(self.buckets, self.edges, strict=True)
        ):
            running = np.concatenate(([0.0], np.cumsum(weights[family][buckets], dtype=np.float64)))
            count = np.maximum(after - first, 1)
            total += ((running[np.maximum(after, first)] - running[first]) / np.sqrt(count)).astype(
                np.float32
            )
        return total


def read_sentences(text: str, *, is_hidden: bool) -> Sentences:
    """Splits a text into sentences, and computes their features.

    Args:
        text: the text, without invisible characters.
        is_hidden: whether the words of the text were hidden.
    """
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), np.uint32)
    starts, ends = _cut(codes)
    buckets, edges = _grams(_lower(codes), starts, ends)
    return Sentences(starts, ends, buckets, edges, _signs(text, codes, starts, ends, is_hidden))


def _cut(codes: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns the positions at which the sentences start and end."""
    kind, is_after, is_escape = _marks()
    low = np.minimum(codes, 0xFFFF)
    marks = kind[low]
    following = np.append(low[1:], ord(" "))
    escapes = (codes == ord("\\")) & is_escape[following]
    cuts = (marks == _HARD) | escapes
    cuts[1:] |= escapes[:-1]
    stops = ((marks == _SOFT) & is_after[following]) | (marks == _FULL)
    borders = np.flatnonzero(cuts | stops)
    starts = np.concatenate(([0], borders + 1))
    ends = np.append(borders + (stops & ~cuts)[borders], len(codes))
    long = ends - starts > _MAX_CHARACTERS
    if long.any():
        # Two borders side by side have one end twice, with an empty sentence in between.
        between: list[NDArray[np.int64]] = [
            np.arange(a, b, _MAX_CHARACTERS)[1:]
            for a, b in zip(starts[long], ends[long], strict=True)
        ]
        starts = np.sort(np.concatenate((starts, *between)))
        ends = np.sort(np.concatenate((ends, *between)))
    is_retained = ends - starts >= _MIN_CHARACTERS
    return starts[is_retained], ends[is_retained]


@cache
def _marks() -> tuple[NDArray[np.uint8], NDArray[np.bool_], NDArray[np.bool_]]:
    kind = np.zeros(0x10000, np.uint8)
    for number, signs in ((_HARD, _HARD_SIGNS), (_SOFT, _SOFT_SIGNS), (_FULL, _FULL_SIGNS)):
        kind[[ord(sign) for sign in signs]] = number
    is_after = np.zeros(0x10000, bool)
    is_after[[ord(sign) for sign in _AFTER_SOFT]] = True
    is_escape = np.zeros(0x10000, bool)
    is_escape[[ord(sign) for sign in _ESCAPES]] = True
    return kind, is_after, is_escape


@cache
def _powers() -> tuple[Longs, Longs]:
    base = int(_BASE)
    inverse = pow(base, -1, 1 << 64)
    powers = np.ones(_PIECE + 1, np.uint64)
    inverses = np.ones(_PIECE + 1, np.uint64)
    powers[1:], inverses[1:] = base, inverse
    return np.multiply.accumulate(powers), np.multiply.accumulate(inverses)


@cache
def _is_letter() -> NDArray[np.bool_]:
    return np.array([chr(code).isalnum() for code in range(0x3000)] + [True] * (0x10000 - 0x3000))


@cache
def _small() -> NDArray[np.uint32]:
    """Returns the lower-case letter of each code in the scripts with letters; all digits become one
    digit.
    """
    small = np.arange(0x10000, dtype=np.uint32)
    for code in range(0x530):
        letter = chr(code).lower()
        small[code] = (
            ord("0") if chr(code).isdecimal() else ord(letter) if len(letter) == 1 else code
        )
    # The words of a name such as open_the_door are words.
    small[[ord("_"), ord("-")]] = ord(" ")
    return small


def _lower(codes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    return np.where(codes < 0x530, _small()[np.minimum(codes, 0xFFFF)], codes)


def _bucket(value: Longs) -> NDArray[np.intp]:
    return (((value ^ (value >> np.uint64(29))) * _MIX) >> np.uint64(49)).astype(np.intp)


def _grams(
    codes: NDArray[np.uint32], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[list[NDArray[np.intp]], list[tuple[NDArray[np.int64], NDArray[np.int64]]]]:
    size = len(codes)
    letters = _is_letter()[np.minimum(codes, 0xFFFF)]
    change = np.flatnonzero(np.diff(np.concatenate(([False], letters, [False])).astype(np.int8)))
    first, after = change[::2], change[1::2]
    alone = codes >= 0x3000
    if alone.any():
        # Every character of a script without spaces is a word.
        more = np.flatnonzero(alone & letters)
        is_spaced = ~alone[np.minimum(first, size - 1)]
        first = np.concatenate((first[is_spaced], more))
        after = np.concatenate((after[is_spaced], more + 1))
        order = np.argsort(first, kind="stable")
        first, after = first[order], after[order]
    powers, inverses = _powers()
    wide = codes.astype(np.uint64) + np.uint64(1)
    running = np.zeros(size + 1, np.uint64)
    # The powers repeat after each piece, so that a text of any length needs no more of them.
    np.cumsum(wide * np.resize(powers[:_PIECE], size), out=running[1:])
    shift = np.resize(inverses[:_PIECE], size + 1)
    buckets: list[NDArray[np.intp]] = []
    edges: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    for length in GRAMS:
        count = max(size - length + 1, 0)
        value = (running[length:] - running[:count]) * shift[:count] if count else running[:0]
        buckets.append(_bucket(value + np.uint64(length)))
        edges.append(
            (np.minimum(starts, count), np.minimum(np.maximum(ends - length + 1, starts), count))
        )
    single = (running[after] - running[first]) * shift[first]
    low, high = np.searchsorted(first, starts), np.searchsorted(first, ends)
    buckets.append(_bucket(single))
    edges.append((low, high))
    pairs = single[:-1] * np.uint64(31) + single[1:]
    buckets.append(_bucket(pairs))
    edges.append((np.minimum(low, len(pairs)), np.minimum(np.maximum(high - 1, low), len(pairs))))
    return buckets, edges


def _signs(
    text: str,
    codes: NDArray[np.uint32],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    is_hidden: bool,
) -> Floats:
    count = len(starts)
    signs = np.zeros((count, len(NAMES)), np.float32)
    if not count:
        return signs
    of: dict[str, Floats] = dict(zip(NAMES, signs.T, strict=True))
    data = text.encode("utf-8", "replace")
    if len(data) == len(text):
        low, high = starts, ends
    else:
        width = 1 + (codes > 0x7F) + (codes > 0x7FF).astype(np.int64) + (codes > 0xFFFF)
        at = np.concatenate(([0], np.cumsum(width)))
        low, high = at[starts], at[ends]
    machines = [m.start() + (m.end() - m.start() > 1) for m in _MACHINE.finditer(data)]
    secrets = [m.start() + 1 for m in _SECRECY.finditer(data)]
    for name, positions in (("machine", machines), ("secrecy", secrets)):
        found = np.searchsorted(low, positions, side="right") - 1
        found = found[(found >= 0) & (np.asarray(positions) < high[np.maximum(found, 0)])]
        of[name][found] = 1
    for name, pattern in (("turn", _TURN), ("place", _PLACE)):
        # A mark that is itself a boundary belongs to the sentence after it.
        marks = [m.end() for m in pattern.finditer(data)]
        of[name][np.minimum(np.searchsorted(high, marks, side="right"), count - 1)] = 1
    about = sum(1 for _ in zip(_MENTION_PATTERN.finditer(data), range(50), strict=False))
    of["about_in_text"][:] = np.log1p(about) if machines else 0.0
    of["machines_in_text"][:] = np.log1p(len(machines))
    of["length"][:] = np.log1p(ends - starts) / 5
    of["hidden"][:] = is_hidden
    is_signalled = (of["machine"] + of["secrecy"] + of["turn"] + of["place"]) > 0
    near = is_signalled.copy()
    near[1:] |= is_signalled[:-1]
    for row in np.flatnonzero(near | is_hidden):
        _read(signs[row], data[low[row] : high[row]], text, int(starts[row]))
    of["after_address"][1:] = of["address"][:-1]
    beside, secrecy = of["beside_secrecy"], of["secrecy"]
    beside[1:] = secrecy[:-1]
    beside[:-1] = np.maximum(beside[:-1], secrecy[1:])
    for name in _JOINT_FEATURES:
        left, _, right = name.rpartition("_")
        of[name][:] = of[left] * of[right]
    return signs


def _read(sign: Floats, part: bytes, text: str, start: int) -> None:
    """Sets the features of a sentence that need patterns, such as whether the sentence addresses a
    machine. Only sentences near a mention of a machine or a secret, or near a mark, need these
    features.
    """
    machine = _ADDRESS.search(part)
    if machine is not None:
        sign[_COLUMN["machine_first"]] = machine.start() < 16
        sign[_COLUMN["address"]] = machine.start() < 48 and machine[0][-1:] in b":,\x9a\x81\x8c"
    for name, pattern in _LOOKED_FOR.items():
        sign[_COLUMN[name]] = pattern.search(part) is not None
    action = _ACTION_PATTERN.search(part)
    sign[_COLUMN["deed"]] = action is not None
    sign[_COLUMN["deed_first"]] = action is not None and action.start() < 4
    before = text[max(0, start - 2) : start].strip()
    sign[_COLUMN["quoted"]] = before[-1:] in _QUOTE or text[max(0, start - 2) : start] == ' "'
