"""The training data: goals with the tools that they need.

Only tools whose source has a licence are read, and only queries in the train split.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha1
from pathlib import Path
from typing import Any, Final

Tool = dict[str, Any]
# Requests for tools on real servers; `../shared/data/retrieval/goals`.
GOALS: Final = "goals"
# More requests, for tools on the servers of the train goals; each names siblings that a hasty
# reader would take.
SIBLING_GOALS: Final = Path(__file__).with_name("sibling_goals.jsonl.gz")
# Share of the batches. Batches from the public sets preserve what such goals need.
SHARES: Final = {
    GOALS: 0.76,
    "toolbench": 0.03,
    "toolret": 0.05,
    "bfcl": 0.03,
    "sealtools": 0.04,
    "metatool": 0.07,
    "toollinkos": 0.02,
}
CATALOG: Final = "mcpcatalog"
_LICENSED_SOURCES: Final = frozenset({"livemcpbench", "docker", "toucan", "toolsdk"})
# Of so many servers the goals of one are left out: the learned score is fitted on them.
_LEFT_OUT: Final = 10
# The first stage reads so many goals of a public set.
LONGEST_SET: Final = 2500
_WITHOUT_ORIGIN: Final = 0.15
# A first sentence of fewer words says too little to be asked as a goal; more letters are cut off.
_FEWEST_WORDS: Final = 4
_MOST_LETTERS: Final = 220
# Catalogs name a server "toucan:cf_12.NAME"; people name it NAME.
CATALOG_PREFIX: Final = re.compile(r"^[a-z-]+:(cf_\d+\.)?")
# Grades run from 0, not useful, to 3, exactly what is needed.
_WOULD_DO: Final = 2


def words(identifier: str) -> str:
    """Splits an identifier into words, as search.split_identifiers does."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", identifier.replace("_", " ").replace("-", " "))
    return re.sub(r"([A-Z])([A-Z][a-rt-z]|[A-Z]s[a-z])", r"\1 \2", spaced)


def parameters(schema: object) -> Iterator[str]:
    """Returns name and description of every property in a JSON Schema, including nested ones."""
    if isinstance(schema, dict):
        properties = schema.get("properties")
        if isinstance(properties, dict):
            for name, about in properties.items():
                described = about.get("description") if isinstance(about, dict) else None
                yield f"{name} {described}" if described else name
        for value in schema.values():
            yield from parameters(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from parameters(value)


def tool_text(tool: Tool) -> str:
    """Returns origin, name, description and parameters of a tool as one text."""
    parts = [
        words(tool["origin"]),
        words(tool["name"]) + ":",
        tool.get("description") or "",
        ". ".join(parameters(tool.get("input_schema"))),
    ]
    return " ".join(part for part in parts if part)


def first_sentence(tool: Tool) -> str:
    """Returns what a tool's description says first, as a goal; empty if that is too little."""
    about = " ".join((tool.get("description") or "").split())
    first = re.split(r"(?<=[.!?])\s", about)[0].rstrip(".")[:_MOST_LETTERS]
    return first[0].lower() + first[1:] if len(first.split()) >= _FEWEST_WORDS else ""


@dataclass
class CorpusGoal:
    """A goal, which refers to tools by number.

    Attributes:
        key: id of the goal.
        text: the goal in plain words.
        needed: tools that serve the goal.
        accepted: tools that are not a mistake, including the needed ones.
        near: tools that look right, but are a mistake.
        server: server of the needed tools; empty if the set does not name servers.
    """

    key: str
    text: str
    needed: list[int]
    accepted: set[int]
    near: list[int] = field(default_factory=list[int])
    server: str = ""


@dataclass(frozen=True)
class TrainingSet:
    """The tools and goals in one set.

    Attributes:
        texts: texts of the tools.
        names: names of the tools in lower case; tools with the same name are not negatives of each
            other.
        twins: group of near-duplicates of each tool, or its own id if it is not in a group.
        sentences: first sentence of each tool, as a goal; empty if it says too little.
        servers: servers of the tools; empty if the set does not name servers.
        goals: goals to train on.
    """

    texts: list[str]
    names: list[str]
    twins: list[str]
    sentences: list[str]
    servers: list[str]
    goals: list[CorpusGoal]


def read_corpus(
    folder: Path, seed: int = 3, longest: int | None = LONGEST_SET
) -> dict[str, TrainingSet]:
    """Reads the training sets.

    Args:
        folder: folder that contains a folder for each set, with tools.jsonl and queries.jsonl.
        seed: seed for random choices: whether a text begins with the origin.
        longest: largest number of goals of a public set; None reads all.

    Raises:
        FileNotFoundError: a set is missing.
    """
    chance = random.Random(seed)
    return {
        name: _read_goals(folder, chance)
        if name == GOALS
        else _read_set(folder / name, chance, longest)
        for name in SHARES
    }


def on_servers_with_goals(one: TrainingSet) -> TrainingSet:
    """Leaves out the tools on servers that no goal needs; the others get new numbers."""
    servers = {goal.server for goal in one.goals}
    retained = [number for number, server in enumerate(one.servers) if server in servers]
    new = {number: place for place, number in enumerate(retained)}
    goals = [
        replace(
            goal,
            needed=[new[tool] for tool in goal.needed if tool in new],
            accepted={new[tool] for tool in goal.accepted if tool in new},
            near=[new[tool] for tool in goal.near if tool in new],
        )
        for goal in one.goals
    ]
    columns = (one.texts, one.names, one.twins, one.sentences, one.servers)
    return TrainingSet(*([column[number] for number in retained] for column in columns), goals)


def is_licensed(tool: Tool) -> bool:
    """Tells whether the catalog from which a tool comes has a licence."""
    return tool["origin"].partition(":")[0] in _LICENSED_SOURCES


def is_left_out(server: str) -> bool:
    """Returns whether training skips the goals of this server: the learned score is fitted on
    them.
    """
    digest = sha1(CATALOG_PREFIX.sub("", server).encode(), usedforsecurity=False)
    return int(digest.hexdigest(), 16) % _LEFT_OUT == 0


def _read_goals(folder: Path, chance: random.Random) -> TrainingSet:
    tools = [tool for tool in read_lines(folder / CATALOG / "tools.jsonl") if is_licensed(tool)]
    number = {tool["id"]: index for index, tool in enumerate(tools)}
    goals = [
        _graded(query, number, tools[number[query["gold"][0]]]["origin"])
        for query in [*read_lines(folder / GOALS / "queries.jsonl"), *read_lines(SIBLING_GOALS)]
        if query["split"] == "train" and all(tool in number for tool in query["gold"])
    ]
    goals = [goal for goal in goals if not is_left_out(goal.server)]
    return TrainingSet(*_columns(tools, chance), [tool["origin"] for tool in tools], goals)


def _graded(query: dict[str, Any], number: dict[str, int], server: str) -> CorpusGoal:
    grades: dict[str, int] = query.get("grades") or {}
    needed = [number[tool] for tool in query["gold"]]
    fine = [tool for tool, grade in grades.items() if grade >= _WOULD_DO]
    fine += [tool for others in (query.get("alt") or {}).values() for tool in others]
    accepted = {*needed, *_known(fine, number)}
    wrong = [tool for tool, grade in grades.items() if grade < _WOULD_DO]
    near = [*_known(query.get("tempting") or wrong, number)]
    return CorpusGoal(query["id"], query["query"], needed, accepted, near, server)


def _read_set(folder: Path, chance: random.Random, longest: int | None) -> TrainingSet:
    tools = read_lines(folder / "tools.jsonl")
    number = {tool["id"]: index for index, tool in enumerate(tools)}
    queries = [one for one in read_lines(folder / "queries.jsonl") if one["split"] == "train"]
    queries.sort(key=lambda one: sha1(one["id"].encode(), usedforsecurity=False).hexdigest())
    goals: list[CorpusGoal] = []
    for query in queries[:longest]:
        needed = [*_known(query["gold"], number)]
        others = [*(query.get("alt") or {}).values(), query.get("gold_closure") or []]
        accepted = {tool for some in others for tool in _known(some, number)}
        if needed:
            goals.append(CorpusGoal(query["id"], query["query"], needed, accepted | set(needed)))
    return TrainingSet(*_columns(tools, chance), [""] * len(tools), goals)


def _columns(tools: list[Tool], chance: random.Random) -> tuple[list[str], ...]:
    return (
        [tool_text({**tool, "origin": _origin(tool, chance)}) for tool in tools],
        [words(tool["name"]).lower() for tool in tools],
        [tool.get("dup") or tool["id"] for tool in tools],
        [first_sentence(tool) for tool in tools],
    )


def _origin(tool: Tool, chance: random.Random) -> str:
    is_left_out = chance.random() < _WITHOUT_ORIGIN
    return "" if is_left_out else CATALOG_PREFIX.sub("", tool["origin"])


def _known(tools: list[str], number: dict[str, int]) -> Iterator[int]:
    return (number[tool] for tool in tools if tool in number)


def read_lines(file: Path) -> list[dict[str, Any]]:
    """Returns the objects of a file in JSON Lines, which may be compressed."""
    opened = gzip.open if file.suffix == ".gz" else open
    with opened(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
