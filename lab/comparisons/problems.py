"""What is to be answered: sets with their goals, or one set in growing parts."""

from __future__ import annotations

import argparse
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from lab.comparisons import growth
from lab.comparisons.targets import UNSEEN_SETS
from quartermaster.core.kinds import TOOL
from quartermaster.eval.gold import Task, read_tasks, sample
from quartermaster.eval.items import ItemSet, read_items
from quartermaster.settings.settings import Settings

MODES = ("fast", "balanced", "thorough")
CATALOG = "mcpcatalog"
# More need minutes to be embedded a second time.
MOST_FOR_UNTRAINED = 5_000


@dataclass(frozen=True)
class RetrievalProblem:
    """Tools and goals.

    Attributes:
        name: of the set and the split, or the number of tools.
        set, split: where they are from.
        tools, tasks: what is searched, and for what.
        is_whole: whether all tools of the set are there.
    """

    name: str
    set: str
    split: str
    tools: ItemSet
    tasks: list[Task]
    is_whole: bool = True

    @property
    def untrained(self) -> bool:
        """Whether the model that ours was trained from is to be asked as well."""
        return self.set in UNSEEN_SETS and len(self.tools.ids) <= MOST_FOR_UNTRAINED


def split_of(folder: Path, wanted: str | None) -> str | None:
    """Returns the split to measure a set on: the one asked for, else test, else dev; None: it has
    none.
    """
    queries = (folder / "queries.jsonl").read_text(encoding="utf-8")
    splits = [wanted] if wanted else ["test", "dev"]
    return next((split for split in splits if f'"split": "{split}"' in queries), None)


def names_of(options: argparse.Namespace) -> list[str]:
    """Returns the sets to run: those asked for, else all that have queries to measure on."""
    if options.sets:
        return options.sets.split(",")
    folders = sorted(path.parent for path in options.folder.glob("*/queries.jsonl"))
    return [
        folder.name
        for folder in folders
        if folder.name != CATALOG and split_of(folder, options.split)
    ]


def problems(options: argparse.Namespace, settings: Settings) -> Generator[RetrievalProblem]:
    """Yields those that the options ask for.

    Args:
        options: of the command line.
        settings: of the service that is measured.
    """
    for name in [options.grow] if options.grow else names_of(options):
        folder: Path = options.folder / name
        split = split_of(folder, options.split) or options.split
        tools = read_items(folder / "tools.jsonl", settings.upstream.max_tool_bytes, TOOL)
        tasks = read_tasks(folder / "queries.jsonl", tools, split=split, modes=MODES)
        tasks = sample(tasks, options.limit)
        if options.grow:
            for size, part in growth.parts(tools, tasks):
                is_whole = len(part.ids) == len(tools.ids)
                yield RetrievalProblem(size, name, split, part, tasks, is_whole)
        else:
            yield RetrievalProblem(f"{name} {split}", name, split, tools, tasks)
