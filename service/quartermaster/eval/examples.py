"""Candidates of goals with their features and whether they were needed: what a score learns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quartermaster.eval.asking import Asker
from quartermaster.eval.measuring import Vectors
from quartermaster.eval.tasks_file import Task


@dataclass(frozen=True)
class Examples:
    """Candidates of one set, goal by goal.

    Attributes:
        names: of the features.
        features: float64 [candidates, features].
        needed: bool [candidates].
        goal: int64 [candidates], not falling: which goal each belongs to.
    """

    names: tuple[str, ...]
    features: NDArray[np.float64]
    needed: NDArray[np.bool_]
    goal: NDArray[np.int64]


async def gather(
    asker: Asker,
    tasks: Sequence[Task],
    vectors: Vectors,
    *,
    mode: str,
    ids: Mapping[str, str],
    groups: Mapping[str, str],
    progress: Callable[[int], None],
) -> Examples:
    """Asks for an explanation of each goal and keeps every candidate that the engine looked at.

    Args:
        asker: of the service.
        tasks: one or more.
        vectors: of the goals, of `embed_goals`.
        mode: how many candidates there are.
        ids: id of each tool by its callable name.
        groups: of near-duplicates, by id.
        progress: told how many are done.

    Raises:
        QmError: of the database.
    """
    rows: list[list[float]] = []
    needed: list[bool] = []
    goal: list[int] = []
    names: tuple[str, ...] = ()
    for number, task in enumerate(tasks):
        accepted = frozenset[str]().union(*(need.accepted for need in task.needs))
        answer = await asker.ask(task.goal, mode, vectors[task.goal][0], explain=True)
        for row in answer.rows:
            features = cast("dict[str, dict[str, Any]]", row["scores"]["features"])
            names = names or tuple(features)
            tool = ids[row["name"]]
            rows.append([float(features[name]["value"]) for name in names])
            needed.append(groups.get(tool, tool) in accepted)
            goal.append(number)
        progress(number + 1)
    return Examples(names, np.array(rows), np.array(needed), np.array(goal))
