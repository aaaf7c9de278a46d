"""Explains the words in names, such as function names, with words that people use in questions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Final

_ENDINGS: Final = ("", "s", "ing", "ed")


@cache
def _glossary() -> dict[str, str]:
    meanings: dict[str, list[str]] = defaultdict(list)
    text = files("quartermaster_knowledge").joinpath("glossary.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        words, colon, meaning = line.partition(":")
        if colon and not line.startswith("#"):
            for word in words.split(","):
                meanings[word.strip()].append(meaning.strip())
    return {word: " ".join(meaning) for word, meaning in meanings.items()}


def meaning_of(words: Iterable[str]) -> str:
    """Returns the meanings of the words of a name. Each word of a meaning occurs once."""
    return " ".join(dict.fromkeys(part for word in words for part in _meaning(word).split()))


def _meaning(word: str) -> str:
    glossary = _glossary()
    for ending in _ENDINGS:
        if word.endswith(ending) and (meaning := glossary.get(word.removesuffix(ending))):
            return meaning
    return ""
