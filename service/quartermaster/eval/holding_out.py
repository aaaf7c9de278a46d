"""Searches for goals twice: with the right cards in the catalog, and after the origins of these
cards were removed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from quartermaster import api
from quartermaster.eval.arena import Arena, EvaluationEnvironment, open_arena
from quartermaster.eval.calibration import OWN_FEATURES, Listed
from quartermaster.eval.gold import GoldSet, Task
from quartermaster.eval.weights_file import WeightsFile


async def gather_lists(
    bench: EvaluationEnvironment,
    sets: Sequence[GoldSet],
    mode: str,
    used: tuple[Path, WeightsFile] | None,
) -> tuple[str, list[Listed]]:
    """Gathers two lists of candidates for every goal: one in which a card fits, and one in which no
    card fits.

    Args:
        bench: the environment.
        sets: sets to load, one or more; each is loaded into its own database.
        mode: mode that determines the number of candidates.
        used: the weights of the score and their file; None uses the shipped weights.

    Returns:
        The name of the embedding model, and the lists.

    Raises:
        QmError: errors from the database or the model.
    """
    model, lists = "", list[Listed]()
    for number, gold in enumerate(sets):
        async with open_arena(bench, gold, number) as arena:
            model = arena.model.name
            if used is not None:
                await arena.score_by(*used)
            lists += await _ask(arena, gold.tasks, mode, served=True)
            lists += await _ask_without(arena, mode)
    return model, lists


async def _ask_without(arena: Arena, mode: str) -> list[Listed]:
    """Searches for each goal while the origins of its right cards are removed, so that no card
    fits.
    """
    items = arena.gold.items
    origins: dict[str, set[str]] = defaultdict(set)
    for key, definition in zip(items.ids, items.definitions, strict=True):
        origins[items.groups.get(key, key)].add(definition["origin"])
    tasks: dict[frozenset[str], list[Task]] = defaultdict(list)
    for task in arena.gold.tasks:
        tasks[frozenset[str]().union(*(origins[group] for group in task.accepted))].append(task)
    lists: list[Listed] = []
    for removed, asked in tasks.items():
        for origin in removed:
            await arena.call(api.remove_origin(name=origin))
        lists += await _ask(arena, asked, mode, served=False)
        back = [one for one in items.definitions if one["origin"] in removed]
        await arena.call(api.import_items(kind=items.kind, items=back))
    return lists


async def _ask(arena: Arena, tasks: Iterable[Task], mode: str, *, served: bool) -> list[Listed]:
    groups = arena.gold.items.groups
    lists: list[Listed] = []
    for number, task in enumerate(tasks, start=1):
        answer = await arena.ask(task, mode)
        rows = await arena.rank(task, mode, answer.arguments)
        rows.sort(key=lambda row: -row["scores"]["blended"])
        keys = [arena.ids[row["name"]] for row in rows]
        scores: list[dict[str, Any]] = [row["scores"] for row in rows]
        if rows:
            lists.append(
                Listed(
                    task=task,
                    served=served,
                    scores=np.array([one["blended"] for one in scores]),
                    nearest=max(one["dense"] for one in scores),
                    own=np.array(
                        [
                            [one["features"][name]["value"] for name in OWN_FEATURES]
                            for one in scores
                        ]
                    ),
                    right=np.array([groups.get(key, key) in task.accepted for key in keys]),
                )
            )
        arena.progress(f"{arena.gold.name}: asking", number, len(arena.gold.tasks))
    return lists
