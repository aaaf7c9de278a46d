"""Where goals are asked: small desks, a part of the catalog, all of it, or a public set."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path
from typing import Any, Final

from lab.training.corpus import tool_text
from quartermaster.eval.gold import Need, needs_of

DESKS: Final = "desks"
GOALS: Final = "goals"
CATALOG: Final = "catalog"
_TOOLS_OF_GOALS: Final = 5_000
_FOLDER_OF_TOOLS: Final = {GOALS: "mcpcatalog", CATALOG: "mcpcatalog"}


@dataclass(frozen=True)
class Ask:
    """A goal.

    Attributes:
        text: in plain words.
        style: of the goal, where the set says so.
        needs: empty where no tool serves it.
        servers: of the needed tools.
    """

    text: str
    style: str
    needs: tuple[Need, ...]
    servers: frozenset[str]


@dataclass(frozen=True)
class GoalCollection:
    """Tools, and goals asked of them.

    Attributes:
        texts: of the tools, as they are embedded.
        ids, servers: of the tools.
        groups: of near-duplicates, by id.
        asks: goals; those without needs are goals that nothing here serves.
    """

    texts: Sequence[str]
    ids: Sequence[str]
    servers: Sequence[str]
    groups: Mapping[str, str]
    asks: Sequence[Ask]


def read_places(folder: Path, name: str) -> list[GoalCollection]:
    """Returns the places of a name.

    Args:
        folder: of the retrieval sets.
        name: `desks`, each of which is a place; `goals`, dev goals over 5,000 tools; `catalog`, the
            same over all of them; else a set, with its dev queries.
    """
    if name == DESKS:
        return [_desk(desk) for desk in sorted((folder / DESKS).glob("dev*"))]
    queries = folder / (GOALS if name == CATALOG else name) / "queries.jsonl"
    asked = [query for query in _lines(queries) if query["split"] == "dev"]
    tools = _lines(folder / _FOLDER_OF_TOOLS.get(name, name) / "tools.jsonl")
    return [_place(_part(tools, asked) if name == GOALS else tools, asked)]


def _desk(folder: Path) -> GoalCollection:
    unserved = [one for one in _lines(folder / "nofit.jsonl") if not (one["gold"] or one["partly"])]
    return _place(_lines(folder / "tools.jsonl"), _lines(folder / "queries.jsonl") + unserved)


def _part(tools: list[dict[str, Any]], asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns every tool that a goal accepts, and the first others by hash.

    The others that were graded have no first right: they are what one engine offered, so that a
    part with all of them would be harder for that engine than for others.
    """
    accepted = {tool for query in asked for tool in query["gold"]}
    accepted |= {tool for query in asked for tools in _alternatives(query) for tool in tools}

    def order(tool: dict[str, Any]) -> tuple[bool, bytes]:
        hashed = sha1(tool["id"].encode(), usedforsecurity=False).digest()
        return tool["id"] not in accepted, hashed

    return sorted(tools, key=order)[:_TOOLS_OF_GOALS]


def _alternatives(query: dict[str, Any]) -> Iterable[list[str]]:
    return (query.get("alt") or {}).values()


def _place(tools: list[dict[str, Any]], asked: list[dict[str, Any]]) -> GoalCollection:
    groups = {tool["id"]: tool["dup"] for tool in tools if tool.get("dup")}
    servers = {tool["id"]: tool["origin"] for tool in tools}
    asks = [
        Ask(
            query["query"],
            query.get("style") or query.get("subset") or "",
            needs_of(query["gold"], query.get("alt") or {}, groups),
            frozenset(servers[tool] for tool in query["gold"] if tool in servers),
        )
        for query in asked
    ]
    return GoalCollection(
        [tool_text(tool) for tool in tools], [*servers], [*servers.values()], groups, asks
    )


def _lines(file: Path) -> list[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
