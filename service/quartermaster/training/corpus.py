"""What is learned from: goals with the tools they need, and tools with what they say of themselves.

Only sets whose source carries a licence are read, and only their train queries.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from dataclasses import dataclass, field
from hashlib import sha1
from pathlib import Path
from typing import Any, Final

from quartermaster.training.tool_text import Tool, first_sentence, tool_text, words

# Share of the batches. The rest of them teach tools what they say of themselves.
SHARES: Final = {
    "toolbench": 0.17,
    "toolret": 0.20,
    "bfcl": 0.13,
    "sealtools": 0.14,
    "metatool": 0.16,
    "toollinkos": 0.07,
}
SELF_SHARE: Final = 0.13
_LONGEST_SET: Final = 2500
_CATALOG: Final = "mcpcatalog"
_LICENSED_SOURCES: Final = {"livemcpbench", "docker", "docker-pr", "toucan", "toolsdk"}
_SELF_TOOLS: Final = 4000
_FROM_ONE_ORIGIN: Final = 4


@dataclass
class Goal:
    """A goal: `needed` are tools' numbers, `accepted` those that are no mistake either."""

    text: str
    needed: list[int]
    accepted: set[int]
    negatives: list[int] = field(default_factory=list[int])


@dataclass(frozen=True)
class TrainingSet:
    """Tools as texts and goals of one set; `names` are the tools' own, to tell twins."""

    texts: list[str]
    names: list[str]
    goals: list[Goal]


@dataclass(frozen=True)
class Corpus:
    """All that is learned from; `described` are pairs of what a tool says and the tool without."""

    sets: dict[str, TrainingSet]
    described: list[tuple[str, str]]


def read_corpus(folder: Path, seed: int = 3) -> Corpus:
    """Reads the sets.

    Args:
        folder: holds a folder for each set, with tools.jsonl and queries.jsonl.
        seed: of what is left to chance: whether a text begins with the origin.

    Raises:
        FileNotFoundError: a set is missing.
    """
    chance = random.Random(seed)
    sets = {name: _read_set(folder / name, chance) for name in SHARES}
    return Corpus(sets, _describe(_lines(folder / _CATALOG / "tools.jsonl"), chance))


def _read_set(folder: Path, chance: random.Random) -> TrainingSet:
    tools = _lines(folder / "tools.jsonl")
    number = {tool["id"]: index for index, tool in enumerate(tools)}
    queries = [one for one in _lines(folder / "queries.jsonl") if one["split"] == "train"]
    queries.sort(key=lambda one: sha1(one["id"].encode(), usedforsecurity=False).hexdigest())
    goals: list[Goal] = []
    for query in queries[:_LONGEST_SET]:
        needed = [number[tool] for tool in query["gold"] if tool in number]
        others = [*(query.get("alt") or {}).values(), query.get("gold_closure") or []]
        accepted = {number[tool] for tools in others for tool in tools if tool in number}
        if needed:
            goals.append(Goal(query["query"], needed, accepted | set(needed)))
    texts = [tool_text(tool, with_origin=chance.random() < 0.6) for tool in tools]
    return TrainingSet(texts, [words(tool["name"]).lower() for tool in tools], goals)


def _describe(tools: list[Tool], chance: random.Random) -> list[tuple[str, str]]:
    origins: defaultdict[str, list[tuple[Tool, str, str]]] = defaultdict(list)
    for tool in tools:
        source = tool["id"].partition(":")[2].partition("/")[0]
        sentence = first_sentence(tool.get("description") or "")
        if source in _LICENSED_SOURCES and sentence is not None:
            origins[tool["origin"]].append((tool, *sentence))
    pairs: list[tuple[str, str]] = []
    named = [name for name, found in origins.items() if len(found) >= _FROM_ONE_ORIGIN]
    chance.shuffle(named)
    for name in named:
        # Tools of one origin stand together, so that each has its neighbours as negatives.
        for tool, sentence, rest in chance.sample(origins[name], _FROM_ONE_ORIGIN):
            kept = rest if chance.random() < 0.5 else ""
            with_origin = chance.random() < 0.8
            pairs.append((sentence, tool_text(tool, with_origin=with_origin, description=kept)))
        if len(pairs) >= _SELF_TOOLS:
            break
    return pairs


def _lines(file: Path) -> list[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
