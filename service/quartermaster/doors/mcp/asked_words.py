"""Words in which people ask for tools, for clients that search in a list by words.

A person wants to *get rid of* a file, and the tool says *delete*. The table beside this module says
for words of tools which words people use instead; ``lab.clients.asked_words`` learns it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from typing import Final

TABLE: Final = "asked_words.tsv"
"""A line has a word of tools, then pairs: a word of people, and its worth in thousandths."""

MOST_WORDS: Final = 30
# Words that are worth less are noise more often than not, and a model reads them.
_LEAST_WORTH: Final = 250
# The first part of a description says what the tool is for.
_READ: Final = 600
_PARTS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")
_WORD: Final = re.compile(r"[^\W\d_]{3,20}")


def asked_words(name: str, description: str) -> list[str]:
    """Returns words in which people may ask for a tool and which it does not have, best first.

    Args:
        name: of the tool, as its server wrote it.
        description: of the tool.
    """
    worth = Counter[str]()
    for word in words_of_tool(name, description):
        worth.update(_table().get(word, {}))
    said = {*map(str.lower, name_parts(name)), *_words(description)}
    best = sorted(worth, key=lambda word: (-worth[word], word))
    return [word for word in best if worth[word] >= _LEAST_WORTH and word not in said][:MOST_WORDS]


def own_words(name: str, texts: Iterable[str]) -> list[str]:
    """Returns the words of a tool, each in the singular and in the plural, each once.

    Args:
        name: of the tool, as its server wrote it.
        texts: the description and the names of the arguments.
    """
    words = [part.lower() for part in name_parts(name)]
    words += [word for text in texts for word in _words(text)]
    return list(dict.fromkeys(form for word in words for form in _forms(word)))


def words_of_tool(name: str, description: str) -> list[str]:
    """Returns the words of a tool as the table writes them, each once."""
    parts = [part.lower() for part in name_parts(name) if len(part) > 1]
    return list(dict.fromkeys(map(_singular, [*parts, *_words(description)])))


def name_parts(name: str) -> list[str]:
    """Returns the words in a name such as ``createIssue`` or ``create-issue``."""
    return _PARTS.findall(name)


def words_of_goal(goal: str) -> list[str]:
    """Returns the words of a goal, each once."""
    return list(dict.fromkeys(_WORD.findall(goal.lower())))


def _words(text: str) -> Iterator[str]:
    for part in name_parts(text[:_READ]):
        yield from _WORD.findall(part.lower())


def _forms(word: str) -> tuple[str, str]:
    one = _singular(word)
    return (word, one if one != word else f"{word}s")


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@cache
def _table() -> dict[str, dict[str, int]]:
    text = resources.files(__package__ or "").joinpath(TABLE).read_text(encoding="utf-8")
    table: dict[str, dict[str, int]] = {}
    for line in text.splitlines():
        word, *pairs = line.split("\t")
        table[word] = {one: int(worth) for one, worth in (pair.split(" ") for pair in pairs)}
    return table
