"""Batches with goals for a few servers, so that a tool competes with others on its server."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from lab.training.corpus import SHARES, CorpusGoal, TrainingSet

# Number of goals in a batch, and of near misses beside the needed tools.
SIZE: Final = 40
NEAR_MISSES: Final = 14
_OF_ONE_SERVER: Final = 4


@dataclass(frozen=True)
class Batch:
    """A batch of goals; goal i needs tool i; after these come near misses.

    Attributes:
        name: name of the set.
        goals, tools: numbers of the goals and tools.
        ignored: pairs that are neither right nor wrong, bool [goals, tools].
    """

    name: str
    goals: list[int]
    tools: list[int]
    ignored: NDArray[np.bool_]


class Batches:
    """Draws batches, each from one set, according to the shares of the sets.

    Args:
        sets: the training sets.
        seed: seed for random choices.
        shares: share of the batches for each set.
        size: number of goals in a batch.
        near: largest number of near misses in a batch.
    """

    def __init__(
        self,
        sets: dict[str, TrainingSet],
        seed: int,
        shares: Mapping[str, float] = SHARES,
        *,
        size: int = SIZE,
        near: int = NEAR_MISSES,
    ) -> None:
        self._sets, self._shares = sets, shares
        self._size, self._near = size, near
        self._chance = random.Random(seed)
        self._queues: dict[str, list[list[int]]] = {name: [] for name in sets}

    def draw(self) -> Batch:
        """Draws the next batch."""
        [name] = self._chance.choices([*self._shares], [*self._shares.values()])
        one = self._sets[name]
        numbers = self._next_goals(name)
        goals = [one.goals[number] for number in numbers]
        tools = [self._chance.choice(goal.needed) for goal in goals]
        tools += self._near_misses(goals, set(tools))
        return Batch(name, numbers, tools, ignored(one, goals, tools))

    def state(self) -> dict[str, Any]:
        """Returns the current state, for `resume`, with the near misses of the goals."""
        near = {name: [goal.near for goal in one.goals] for name, one in self._sets.items()}
        state = {"chance": self._chance.getstate(), "queues": self._queues, "near": near}
        return deepcopy(state)

    def resume(self, state: dict[str, Any]) -> None:
        """Continues from the state of another instance."""
        self._chance.setstate(state["chance"])
        self._queues = state["queues"]
        for name, one in self._sets.items():
            for goal, near in zip(one.goals, state["near"][name], strict=True):
                goal.near = near

    def _next_goals(self, name: str) -> list[int]:
        numbers: list[int] = []
        queue = self._queues[name]
        while len(numbers) < self._size:
            if not queue:
                queue += self._parts(self._sets[name])
            part, space = queue.pop(), self._size - len(numbers)
            numbers += part[:space]
            if part[space:]:
                queue.append(part[space:])
        return numbers

    def _parts(self, one: TrainingSet) -> list[list[int]]:
        """Returns all goals once, in groups of up to four per server that need different tools."""
        servers: defaultdict[str, list[int]] = defaultdict(list)
        for number, goal in enumerate(one.goals):
            servers[goal.server or goal.key].append(number)
        parts: list[list[int]] = []
        for numbers in servers.values():
            self._chance.shuffle(numbers)
            left = numbers
            while left:
                part: list[int] = []
                needed: set[int] = set()
                later: list[int] = []
                for number in left:
                    tools = one.goals[number].needed
                    if len(part) < _OF_ONE_SERVER and needed.isdisjoint(tools):
                        part.append(number)
                        needed.update(tools)
                    else:
                        later.append(number)
                parts.append(part)
                left = later
        self._chance.shuffle(parts)
        return parts

    def _near_misses(self, goals: list[CorpusGoal], taken: set[int]) -> list[int]:
        found: list[int] = []
        for goal in self._chance.sample(goals, len(goals)):
            free = [tool for tool in goal.near if tool not in taken]
            if free and len(found) < self._near:
                found.append(self._chance.choice(free))
                taken.add(found[-1])
        return found


def ignored(one: TrainingSet, goals: list[CorpusGoal], tools: list[int]) -> NDArray[np.bool_]:
    """Returns pairs that are not negatives: accepted tools, and tools similar to the needed one."""

    def is_no_mistake(row: int, column: int) -> bool:
        tool, needed = tools[column], tools[row]
        return (
            tool in goals[row].accepted
            or one.names[tool] == one.names[needed]
            or one.twins[tool] == one.twins[needed]
        )

    return np.array(
        [
            [row != column and is_no_mistake(row, column) for column in range(len(tools))]
            for row in range(len(goals))
        ]
    )
