"""Tools and goals to search: public sets beside the repository, or made up."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path
from typing import Any

import numpy as np

Tool = dict[str, Any]

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "retrieval"
_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprtvz" for vowel in "aeiou"]


@dataclass(frozen=True)
class Query:
    """A goal and the tools that serve it.

    Attributes:
        id: within its set.
        text: the goal.
        gold: (origin, name) of the needed tools; empty where nobody says.
    """

    id: str
    text: str
    gold: frozenset[tuple[str, str]] = frozenset()


def skip_reason(*names: str) -> str | None:
    """Returns why these sets cannot be read; None when they can."""
    absent = [name for name in names if not (FOLDER / name / "tools.jsonl").is_file()]
    return f"not beside the repository: shared/data/retrieval/{absent[0]}" if absent else None


def read_tools(name: str, limit: int | None = None) -> list[Tool]:
    """Returns the first tools of a set, as its file has them."""
    return [_as_tool(row) for row in _read(name, "tools", limit)]


def read_queries(name: str, count: int, splits: Iterable[str] = ("train", "dev")) -> list[Query]:
    """Returns a fixed sample of a set's goals: the first by hash of their id."""
    keys = {row["id"]: (row["origin"], row["name"]) for row in _read(name, "tools", None)}
    wanted = set(splits)
    rows = [row for row in _read(name, "queries", None) if row["split"] in wanted]
    rows.sort(key=lambda row: sha1(row["id"].encode(), usedforsecurity=False).digest())
    return [
        Query(row["id"], row["query"], frozenset(keys[gold] for gold in row["gold"]))
        for row in rows[:count]
    ]


def make_tools(count: int, seed: int = 1) -> list[Tool]:
    """Returns tools whose words follow Zipf's law, with names, parameters and lengths as they
    occur.
    """
    random = np.random.default_rng(seed)

    def text(mean_words: int) -> str:
        return " ".join(_word(rank) for rank in random.zipf(1.3, random.poisson(mean_words)))

    return [
        {
            "origin": f"made-{number % 40}",
            "name": f"{text(1) or 'get'} {_word(number)}".replace(" ", "_"),
            "description": text(int(random.integers(2, 60))),
            "input_schema": {
                "type": "object",
                "properties": {
                    _word(int(rank)): {"type": "string", "description": text(5)}
                    for rank in random.zipf(1.3, random.integers(0, 5))
                },
            },
        }
        for number in range(count)
    ]


def make_queries(count: int, seed: int = 2) -> list[Query]:
    """Returns goals of one to twelve words of the vocabulary of `make_tools`."""
    random = np.random.default_rng(seed)
    return [
        Query(
            f"made-{number}",
            " ".join(_word(rank) for rank in random.zipf(1.3, random.integers(1, 13))),
        )
        for number in range(count)
    ]


def _word(rank: int) -> str:
    """Returns the word of a rank; the more common, the shorter. Ranks beyond the vocabulary come
    around.
    """
    rank, letters = int(rank) % 100_000, ""
    while rank or not letters:
        rank, syllable = divmod(rank, len(_SYLLABLES))
        letters += _SYLLABLES[syllable]
    return letters


def _read(name: str, kind: str, limit: int | None) -> list[dict[str, Any]]:
    with (FOLDER / name / f"{kind}.jsonl").open(encoding="utf-8") as file:
        lines = (line for number, line in enumerate(file) if limit is None or number < limit)
        return [json.loads(line) for line in lines]


def _as_tool(row: dict[str, Any]) -> Tool:
    wanted = ("origin", "name", "description", "input_schema")
    return {key: row[key] for key in wanted if key in row}
