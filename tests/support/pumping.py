"""Texts that make a pattern slow if anything does: its own parts, many times over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from re import _constants as codes  # pyright: ignore[reportAttributeAccessIssue]
from re import _parser as parser  # pyright: ignore[reportAttributeAccessIssue]
from typing import Any, Final

# A repetition of fewer is not pumped.
_FEW: Final = 64
_MOST_SAMPLES: Final = 12
_ENDS: Final = ("", "\0", "\n!")
_CATEGORIES: Final = {
    codes.CATEGORY_DIGIT: "0",
    codes.CATEGORY_NOT_DIGIT: "a",
    codes.CATEGORY_SPACE: " ",
    codes.CATEGORY_NOT_SPACE: "a",
    codes.CATEGORY_WORD: "a",
    codes.CATEGORY_NOT_WORD: "-",
}
# Crude ones, which need no understanding of the pattern.
_BEGINNING: Final = "é\n"
_UNITS: Final = ("a", " ", "\n", "a ", "[")
_OTHERS: Final = "a 0-\n/.,:=\"'(<[{é\t"


def texts(pattern: str) -> list[Callable[[int], str]]:
    """For each text, a function that makes it with a length.

    Args:
        pattern: as `re` takes it.
    """
    tree = parser.parse(pattern)
    pumps = {each for each in _pumps(list(tree), "", is_full=False) if each[1]}
    crude = {each for each in _pumps(list(tree), "", is_full=True) if each[1]} - pumps
    crude |= {(_BEGINNING, unit) for unit in _UNITS}
    whole = _sample(list(tree))
    pumps |= {("", part) for part in (whole, whole[:-1], f"{whole[:-1]}\n") if part}
    letters = sorted(set(_letters(list(tree))))[:_MOST_SAMPLES]
    pumps |= {("", letter) for letter in letters}
    return (
        [
            lambda size, b=before, u=unit, e=end: b + u * (size // len(u)) + e
            for (before, unit), end in product(sorted(pumps), _ENDS)
        ]
        + [
            lambda size, b=before, u=unit: (b + u) * (size // len(b + u))
            for before, unit in sorted(pumps)
            if before
        ]
        + [
            lambda size, b=before, u=unit: b + u * (size // len(u)) + _ENDS[1]
            for before, unit in sorted(crude)
        ]
    )


def _pumps(items: list[Any], before: str, *, is_full: bool) -> Iterator[tuple[str, str]]:
    """Yields what stands before each repetition, and a text that it repeats.

    Args:
        items: parts of a pattern.
        before: what stands before them.
        is_full: whether what may be left out is there.
    """
    for number, (code, given) in enumerate(items):
        if code in {codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT}:
            _, most, body = given
            body = list(body)
            if most >= _FEW:
                for unit in _samples(body):
                    yield before, unit
                # Two ways to read the same text are where the time goes.
                rest = items[number + 1 :]
                yield before, _sample(body) + _sample(rest)[:1]
                yield before, _sample(rest)[:-1] + _sample(body)
            yield from _pumps(body, before, is_full=is_full)
        for inner in _bodies(code, given):
            yield from _pumps(inner, before, is_full=is_full)
        sample = _sample([(code, given)])
        before += sample or "".join(_letters([(code, given)])[:1] if is_full else [])


def _bodies(code: Any, given: Any) -> list[list[Any]]:
    if code is codes.SUBPATTERN:
        return [list(given[3])]
    if code is codes.BRANCH:
        return [list(each) for each in given[1]]
    if code in {codes.ASSERT, codes.ASSERT_NOT}:
        return [list(given[1])]
    if code is codes.ATOMIC_GROUP:
        return [list(given)]
    return []


def _samples(items: list[Any]) -> list[str]:
    """Returns texts that parts match, one for each choice."""
    found = [_sample(items)]
    for code, given in items:
        for body in _bodies(code, given):
            found += _samples(body)
        if code is codes.IN:
            found += _letters([(code, given)])
        if code in {codes.MAX_REPEAT, codes.MIN_REPEAT}:
            found += _samples(list(given[2]))
    return list(dict.fromkeys(found))[:_MOST_SAMPLES]


def _sample(items: list[Any]) -> str:
    """Returns a short text that parts match, as far as no lookaround forbids it."""
    return "".join(_sample_of(code, given) for code, given in items)


def _sample_of(code: Any, given: Any) -> str:
    if code is codes.LITERAL:
        return chr(given)
    if code in {codes.NOT_LITERAL, codes.ANY, codes.IN}:
        return next(iter(_letters([(code, given)])), "a")
    if code in {codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT}:
        least, most, body = given
        return _sample(list(body)) * max(least, min(most, 1) if least else 0)
    if code is codes.BRANCH:
        return _sample(list(given[1][0]))
    if code in {codes.SUBPATTERN, codes.ATOMIC_GROUP}:
        return _sample(_bodies(code, given)[0])
    return ""


def _letters(items: list[Any]) -> list[str]:
    """Returns letters that parts name, or one that they allow."""
    found: list[str] = []
    for code, given in items:
        if code is codes.LITERAL:
            found.append(chr(given))
        elif code is codes.NOT_LITERAL:
            found.append("a" if given != ord("a") else "b")
        elif code is codes.ANY:
            found += ["a", " "]
        elif code is codes.IN:
            found += _of_class(given)
        elif code in {codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT}:
            found += _letters(list(given[2]))
        for body in _bodies(code, given):
            found += _letters(body)
    return found


def _of_class(items: list[Any]) -> list[str]:
    named: list[str] = []
    ranges: list[tuple[int, int]] = []
    for code, given in items:
        if code is codes.LITERAL:
            named.append(chr(given))
        elif code is codes.RANGE:
            named.append(chr(given[0]))
            ranges.append(given)
        elif code is codes.CATEGORY:
            named.append(_CATEGORIES.get(given, "a"))
    if not items or items[0][0] is not codes.NEGATE:
        return named[:_MOST_SAMPLES]
    return [
        letter
        for letter in _OTHERS
        if letter not in named and not any(a <= ord(letter) <= b for a, b in ranges)
    ][:3]
