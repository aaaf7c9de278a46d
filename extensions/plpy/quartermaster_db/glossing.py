"""Puts goals in other languages into English, word by word, for models that read only English.

The list of words, glosses.tsv.gz next to this module, is made by `lab.training.glosses`.
A line has a language (ISO 639-1), one to five words of it in lower case, and the same in English.
"""

from __future__ import annotations

import gzip
import re
import sys
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

Words = Mapping[str, str]

GLOSSES = Path(__file__).with_name("glosses.tsv.gz")
# Languages with Latin letters are told apart by their words, the other ones by their letters.
# Japanese texts contain Chinese characters, too, so Japanese comes before Chinese.
_LATIN = ("de", "es", "fr", "pt", "sv")
# Where a capital within a sentence does not show a name.
_CAPITALS = ("de",)
_SCRIPTS = {
    "ja": re.compile("[\u3041-\u30ff]"),
    "zh": re.compile("[\u4e00-\u9fff]"),
    "ru": re.compile("[\u0400-\u04ff]"),
    "ar": re.compile("[\u0600-\u06ff]"),
    "hi": re.compile("[\u0900-\u097f]"),
}
_LATIN_LETTER = re.compile("[a-zA-Z]")
_WITHOUT_SPACES = ("ja", "zh")
# A model reads fewer characters than these; the rest of a goal stays as it is.
_MOST_CHARACTERS = 4_000
_MOST_WORDS = 5
_MOST_SIGNS = 9
# Copied texts contain them: they show nothing, and would be in the middle of words.
_INVISIBLE_PATTERN = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")

# The length is limited, so that many opening quotes take no longer than other text.
_QUOTE = (
    "|".join(
        f"{pair[0]}[^{pair[1:]}]{{0,500}}[{pair[1:]}]"
        for pair in ('""', "“”", "„“”", "«»", "「」", "``")
    )
    + r"|(?<!\w)'[^']{0,500}'(?!\w)"
)
_QUOTED_PATTERN = re.compile(f"({_QUOTE})")
# What spaces separate; a quote is one part, with what touches it.
_PART = re.compile(rf"[(\[]*(?P<quote>{_QUOTE})\S*|\S+")
# Vowels of Arabic and Hindi are marks, not letters.
_AROUND_PATTERN = r"[^\w\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0955-\u0957\u0962\u0963]*"
_CORE = re.compile(rf"(?!\s|\Z)({_AROUND_PATTERN})(\S*?)({_AROUND_PATTERN})(?:\s|\Z)")
# French words that end in an apostrophe are words of their own.
_ELIDED_PATTERN = re.compile(r"\b(l|d|j|n|s|c|m|t|qu)['’](?=\w)", re.IGNORECASE)
_APOSTROPHES = ("'", "’")
_SENTENCE_ENDS = (".", "!", "?", ":")


class _Part(NamedTuple):
    """What stands between two spaces: a word with the punctuation around it, or a quote."""

    before: str
    core: str
    after: str
    is_name: bool

    @property
    def text(self) -> str:
        return self.before + self.core + self.after


def in_english(goal: str) -> str:
    """Returns a goal in English, word by word; a goal that seems to be in English stays as it is.

    Text in quotes stays as it is, and so do words that are not in the list: names, identifiers,
    paths, numbers.

    Args:
        goal: the goal in plain words, in any language.
    """
    text = unicodedata.normalize("NFC", _INVISIBLE_PATTERN.sub("", goal[:_MOST_CHARACTERS]))
    language = guess_language(text)
    if language is None:
        return goal
    words = _glosses()[language]
    if language in _WITHOUT_SPACES:
        return _gloss_signs(text, words) + goal[_MOST_CHARACTERS:]
    return _gloss_words(text, words, language) + goal[_MOST_CHARACTERS:]


def guess_language(text: str) -> str | None:
    """Guesses the language of a text; None if it is in English, too short, or not in the list.

    By letters: one of another script for every four Latin ones. By words: the language with most
    of the words in its list, if it has at least two, and if more of them are words of that language
    alone than there are other words that are English. Names do not count as words of a language.
    """
    latin = len(_LATIN_LETTER.findall(text))
    for language, letter in _SCRIPTS.items():
        if (found := len(letter.findall(text))) and 4 * found >= latin:
            return language
    return _guess_by_words(_QUOTED_PATTERN.sub(" ", text))


def _guess_by_words(text: str) -> str | None:
    found = {
        (word, part.is_name)
        for part in _parts(text)
        for word in part.core.lower().replace("’", "'").split("'")
        if len(word) > 1 and word.isalpha()
    }
    words = {word for word, _ in found}
    common = {word for word, is_name in found if not is_name}
    known, language = max(
        (
            (_glosses()[each].keys() & (words if each in _CAPITALS else common), each)
            for each in _LATIN
        ),
        key=lambda known: len(known[0]),
    )
    english = words & _english_words()
    if len(known) >= 2 and len(known - english) > len(english - known):
        return language
    return None


def _gloss_words(text: str, words: Words, language: str) -> str:
    """Replaces words from left to right, the longest entry of the list first."""
    parts = _parts(text)
    keeps_names = language in _LATIN and language not in _CAPITALS
    glossed: list[str] = []
    at = 0
    while at < len(parts):
        for length in range(min(_MOST_WORDS, len(parts) - at), 0, -1):
            some = parts[at : at + length]
            if keeps_names and any(part.is_name for part in some):
                continue
            if (english := _find(some, words)) is not None:
                glossed.append(some[0].before + english + some[-1].after.lstrip("'’"))
                break
        else:
            length = 1
            glossed.append(parts[at].text)
        at += length
    return " ".join(glossed)


def _parts(text: str) -> list[_Part]:
    parts: list[_Part] = []
    starts = True
    for found in _PART.finditer(text):
        if found["quote"]:
            parts.append(_Part("", found[0], "", is_name=False))
            continue
        for word in _CORE.findall(_ELIDED_PATTERN.sub(r"\1' ", found[0])):
            before, core, after = word
            parts.append(_Part(before, core, after, is_name=core[:1].isupper() and not starts))
            starts = after.endswith(_SENTENCE_ENDS)
    return parts


def _find(some: list[_Part], words: Words) -> str | None:
    """Finds successive words in the list; punctuation between them separates them."""
    if any(part.before for part in some[1:]):
        return None
    if any(part.after.strip("'’") for part in some[:-1]):
        return None
    key = " ".join(
        part.core.lower() + ("'" if part.after.startswith(_APOSTROPHES) else "") for part in some
    )
    return words.get(key) or (words.get(some[0].core.lower()) if len(some) == 1 else None)


def _gloss_signs(text: str, words: Words) -> str:
    """Replaces runs of characters from left to right, the longest entry of the list first."""
    glossed: list[str] = []
    for number, piece in enumerate(_QUOTED_PATTERN.split(text)):
        # Every second piece is a quote.
        glossed += [piece] if number % 2 else _replace_signs(piece, words)
    return " ".join("".join(glossed).split())


def _replace_signs(text: str, words: Words) -> list[str]:
    replaced: list[str] = []
    at = 0
    while at < len(text):
        for length in range(_MOST_SIGNS, 0, -1):
            run = text[at : at + length]
            if run in words and not run.isascii():
                replaced.append(f" {words[run]} ")
                break
        else:
            run = text[at]
            replaced.append(run)
        at += len(run)
    return replaced


@cache
def _glosses() -> dict[str, dict[str, str]]:
    glosses: dict[str, dict[str, str]] = {language: {} for language in (*_LATIN, *_SCRIPTS)}
    with gzip.open(GLOSSES, "rt", encoding="utf-8") as lines:
        for line in lines:
            language, words, english = line.rstrip("\n").split("\t")
            glosses[language][words] = sys.intern(english)
    return glosses


@cache
def _english_words() -> frozenset[str]:
    found = {english for language in _LATIN for english in _glosses()[language].values()}
    return frozenset(word for english in found for word in english.split())
