"""Desks: some fifteen servers each whose goals the encoder never saw, to fit the learned score on.

A desk is a set for `qm eval fit`: tools.jsonl with all that its servers list, and queries.jsonl.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from lab.training.corpus import (
    CATALOG,
    CATALOG_PREFIX,
    GOALS,
    is_left_out,
    is_licensed,
    read_lines,
)
from quartermaster.core.logs import configure, get_logger

_SEED: Final = 11
_TOOLS_OF_A_DESK: Final = 185
# A server of more tools would be a desk of its own.
_MOST_OF_A_SERVER: Final = 60
_NO_NAME: Final = frozenset({"", "mcp", "server", "servers"})


def write_desks(folder: Path, output: Path) -> list[Path]:
    """Writes desk1, desk2 ...

    Args:
        folder: the retrieval sets, a folder each.
        output: gets a folder for each desk.

    Returns:
        The folders of the desks.
    """
    tools: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for tool in read_lines(folder / CATALOG / "tools.jsonl"):
        if is_licensed(tool) and is_left_out(tool["origin"]):
            tools[tool["origin"]].append(tool)
    origins = {tool["id"]: origin for origin, some in tools.items() for tool in some}
    goals: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for goal in read_lines(folder / GOALS / "queries.jsonl"):
        if goal["split"] == "train" and goal["gold"][0] in origins:
            goals[origins[goal["gold"][0]]].append(goal)
    servers = sorted(origin for origin in goals if len(tools[origin]) <= _MOST_OF_A_SERVER)
    random.Random(_SEED).shuffle(servers)
    written: list[Path] = []
    desk: list[str] = []
    for server in servers:
        desk.append(server)
        if sum(len(tools[origin]) for origin in desk) >= _TOOLS_OF_A_DESK:
            written.append(output / f"desk{len(written) + 1}")
            _write(written[-1], [tools[origin] for origin in desk], [goals[one] for one in desk])
            desk = []
    return written


def _write(folder: Path, tools: Iterable[list[Any]], goals: Iterable[list[Any]]) -> None:
    listed = [tool | {"origin": connected_name(tool["origin"])} for some in tools for tool in some]
    known = {tool["id"] for tool in listed}
    retained = [_on_desk(one, known) for some in goals for one in some if known >= {*one["gold"]}]
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in (("tools.jsonl", listed), ("queries.jsonl", retained)):
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (folder / name).write_text(text, encoding="utf-8")


def connected_name(origin: str) -> str:
    """Returns how a person would name the server: "shodan" for "toucan:cf_1.@ann_mcp-shodan"."""
    plain = CATALOG_PREFIX.sub("", origin).lower()
    owner, _, rest = plain.removeprefix("@").replace("/", "_", 1).partition("_")
    name = rest if plain.startswith("@") else plain
    words = [word for word in re.split("[^a-z0-9]+", name) if word not in _NO_NAME]
    return "-".join(words) or owner


def _on_desk(goal: dict[str, Any], known: set[str]) -> dict[str, Any]:
    """Returns the goal with those alternatives that the desk has."""
    others = {gold: [*known.intersection(some)] for gold, some in (goal.get("alt") or {}).items()}
    alternatives = {gold: sorted(some) for gold, some in others.items() if some}
    retained = {name: goal[name] for name in ("id", "query", "gold", "split")}
    return retained | ({"alt": alternatives} if alternatives else {})


def main(arguments: Sequence[str]) -> None:
    """Writes desks and says where."""
    parser = argparse.ArgumentParser(prog="python -m lab.training.desks")
    parser.add_argument("folder", type=Path, help="folder that has a folder for each retrieval set")
    parser.add_argument("output", type=Path, help="folder to write the desks to")
    given = parser.parse_args(arguments)
    configure("info", json=False)
    for desk in write_desks(given.folder, given.output):
        get_logger(part="training").info(f"written: {desk}")


if __name__ == "__main__":
    main(sys.argv[1:])
