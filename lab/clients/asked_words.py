"""Learns which words people use for the words of tools; writes the table that the service reads.

Model 1 of Brown et al. 1993 (The mathematics of statistical machine translation), as Berger and
Lafferty 1999 use it to search: each word of a goal is the translation of one word of the tool that
serves it, or of none. The goals are those of the split train that belong to this project.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final

import numpy as np
from bm25s.stopwords import STOPWORDS_EN_PLUS

from lab.clients.desks import DESKS, plain
from lab.comparisons.retrieval_sets import FOLDER
from quartermaster.doors.mcp import asked_words as read_here

_ROUNDS: Final = 5
# Words of few goals, or of goals for few servers, are names and accidents.
_FEWEST_SERVERS: Final = 3
_FEWEST_SERVERS_OF_TOOLS: Final = 2
_SMALLEST_COUNT: Final = 1.0
_MOST_OF_A_WORD: Final = 10
# So much is added to each sum, or words that occur once would translate to one word for certain.
_PRIOR: Final = 1.0
# The word of a tool from which words of goals come that say nothing of it.
_NO_WORD: Final = ""


@dataclass(frozen=True)
class Pair:
    """A goal and a tool that serves it.

    Attributes:
        server: of the tool.
        said: words of the tool.
        asked: words of the goal.
    """

    server: str
    said: Sequence[str]
    asked: Sequence[str]


def read_pairs(folder: Path = FOLDER) -> list[Pair]:
    """Reads the goals of the split train, without those for a tool that is named as one of a set
    for evaluation.

    Args:
        folder: of the retrieval sets.
    """
    measured = {
        plain(tool["name"]).lower()
        for name in (*(f"desks/{desk}" for desk in DESKS), "everyday", "livemcpbench")
        for tool in _lines(folder / name / "tools.jsonl")
    }
    tools = {tool["id"]: tool for tool in _lines(folder / "mcpcatalog" / "tools.jsonl")}
    pairs: list[Pair] = []
    for goal in _lines(folder / "goals" / "queries.jsonl"):
        gold = [tools.get(one) for one in goal["gold"]]
        known = [tool for tool in gold if tool and plain(tool["name"]).lower() not in measured]
        if goal["split"] == "train" and len(known) == len(gold):
            asked = _telling(read_here.words_of_goal(goal["query"]))
            pairs += [Pair(tool["origin"], _said(tool), asked) for tool in known]
    return pairs


def learn(pairs: Sequence[Pair]) -> dict[str, dict[str, int]]:
    """Learns what each word of people is worth for each word of tools, in thousandths: how likely
    it is, times the logarithm of one plus the inverse of the share of goals that have it.

    Args:
        pairs: goals, each with a tool.
    """
    servers = defaultdict[str, set[str]](set)
    of_tools = defaultdict[str, set[str]](set)
    goals = Counter[str]()
    for pair in pairs:
        goals.update(pair.asked)
        for word in pair.asked:
            servers[word].add(pair.server)
        for word in pair.said:
            of_tools[word].add(pair.server)
    table = defaultdict[str, dict[str, int]](dict)
    for said, asked, likely in sorted(_translations(pairs), key=lambda one: (-one[2], one[:2])):
        if (
            said != _NO_WORD
            and len(servers[asked]) >= _FEWEST_SERVERS
            and len(of_tools[said]) >= _FEWEST_SERVERS_OF_TOOLS
            and len(table[said]) < _MOST_OF_A_WORD
        ):
            worth = round(1000 * likely * math.log(1 + len(pairs) / goals[asked]))
            table[said] |= {asked: worth} if worth else {}
    return {word: table[word] for word in sorted(table) if table[word]}


def text(table: Mapping[str, Mapping[str, int]]) -> str:
    """Returns the table as the service reads it."""
    lines = (
        "\t".join([word, *(f"{asked} {worth}" for asked, worth in row.items())])
        for word, row in table.items()
    )
    return "".join(f"{line}\n" for line in lines)


def _translations(pairs: Sequence[Pair]) -> Iterator[tuple[str, str, float]]:
    """Yields a word of tools, a word of goals, and the probability of the second for the first, if
    it was counted often enough.
    """
    said_ids = {_NO_WORD: 0}
    asked_ids: dict[str, int] = {}
    said_list, asked_list, goal_list = list[int](), list[int](), list[int]()
    places = 0
    for pair in pairs:
        said = [0, *(said_ids.setdefault(word, len(said_ids)) for word in pair.said)]
        for word in pair.asked:
            said_list += said
            asked_list += [asked_ids.setdefault(word, len(asked_ids))] * len(said)
            goal_list += [places] * len(said)
            places += 1
    keys, inverse = np.unique(
        np.array(said_list) * len(asked_ids) + np.array(asked_list), return_inverse=True
    )
    of_said, of_asked = keys // len(asked_ids), keys % len(asked_ids)
    place = np.array(goal_list)
    likely = np.full(len(keys), 1 / len(asked_ids))
    counts = likely
    for _ in range(_ROUNDS):
        shares = likely[inverse]
        shares /= np.bincount(place, shares)[place]
        counts = np.bincount(inverse, shares, len(keys))
        likely = counts / (np.bincount(of_said, counts)[of_said] + _PRIOR)
    said_words, asked_words = list(said_ids), list(asked_ids)
    for at in np.flatnonzero(counts >= _SMALLEST_COUNT).tolist():
        yield said_words[of_said[at]], asked_words[of_asked[at]], float(likely[at])


def _said(tool: Mapping[str, Any]) -> list[str]:
    return _telling(read_here.words_of_tool(tool["name"], tool.get("description") or ""))


def _telling(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in STOPWORDS_EN_PLUS]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


if __name__ == "__main__":
    learned = learn(read_pairs())
    place = resources.files(read_here.__package__ or "").joinpath(read_here.TABLE)
    Path(str(place)).write_text(text(learned), encoding="utf-8")
    entries = sum(map(len, learned.values()))
    sys.stdout.write(f"{len(learned)} words of tools, {entries} words of people.\n")
