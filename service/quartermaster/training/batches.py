"""Batches of goals and tools: one needed tool and one near miss for each goal."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from quartermaster.training.corpus import SELF_SHARE, SHARES, Goal, TrainingSet

SIZE: Final = 32
_NEAREST: Final = 24
_DRAWN_FROM: Final = 16
# Tools nearer to a needed one than this may do the same.
_TWIN: Final = 0.93

Hidden = NDArray[np.float16]


@dataclass(frozen=True)
class Texts:
    """A set as the lower layers see it: goals and tools."""

    goals: list[Hidden]
    tools: list[Hidden]


@dataclass(frozen=True)
class Batch:
    """`SIZE` goals; tool i is what goal i needs. ignored: bool [goals, tools], no negatives."""

    name: str
    goals: list[Hidden]
    tools: list[Hidden]
    ignored: Tensor


def mine(one: TrainingSet, goals: NDArray[np.float32], tools: NDArray[np.float32]) -> None:
    """Gives each goal the nearest tools that it does not need.

    Accepted tools are left out, and tools that are named like a needed one or say nearly the same.

    Args:
        one: the set.
        goals, tools: unit vectors by the untrained model, float32 [n, 384].
    """
    for goal, vector in zip(one.goals, goals, strict=True):
        nearest = np.argsort(-(tools @ vector))[: _NEAREST + len(goal.accepted)]
        names = {one.names[number] for number in goal.needed}
        needed = tools[goal.needed]
        goal.negatives = [
            int(number)
            for number in nearest
            if number not in goal.accepted
            and one.names[number] not in names
            and (needed @ tools[number]).max() < _TWIN
        ][:_NEAREST]


class Batches:
    """Draws batches, each of one set, by the shares of the sets.

    Args:
        sets: as read, with their negatives.
        texts: of each set.
        described: sentences and tools without them, in this order.
        seed: of what is drawn.
    """

    def __init__(
        self,
        sets: dict[str, TrainingSet],
        texts: dict[str, Texts],
        described: Texts,
        seed: int,
    ) -> None:
        self._sets, self._texts, self._described = sets, texts, described
        self._chance = random.Random(seed)
        self._left: dict[str, list[int]] = {}

    def draw(self) -> Batch:
        """The next batch."""
        names, shares = [*SHARES, "described"], [*SHARES.values(), SELF_SHARE]
        [name] = self._chance.choices(names, shares)
        return self._describe() if name == "described" else self._ask(name)

    def _describe(self) -> Batch:
        start = SIZE * self._take("described", len(self._described.goals) // SIZE)
        chosen = slice(start, start + SIZE)
        none = torch.zeros(SIZE, SIZE, dtype=torch.bool)
        return Batch(
            "described", self._described.goals[chosen], self._described.tools[chosen], none
        )

    def _ask(self, name: str) -> Batch:
        one, texts = self._sets[name], self._texts[name]
        numbers = [self._take(name, len(one.goals)) for _ in range(SIZE)]
        goals = [one.goals[number] for number in numbers]
        tools = [self._chance.choice(goal.needed) for goal in goals]
        tools += [self._near_miss(goal, len(texts.tools)) for goal in goals]
        return Batch(
            name,
            [texts.goals[number] for number in numbers],
            [texts.tools[number] for number in tools],
            _ignored(goals, tools),
        )

    def _near_miss(self, goal: Goal, tools: int) -> int:
        near = goal.negatives[:_DRAWN_FROM]
        return self._chance.choice(near) if near else self._chance.randrange(tools)

    def _take(self, name: str, count: int) -> int:
        if not self._left.get(name):
            self._left[name] = list(range(count))
            self._chance.shuffle(self._left[name])
        return self._left[name].pop()


def _ignored(goals: Sequence[Goal], tools: Sequence[int]) -> Tensor:
    return torch.tensor(
        [
            [tool in goal.accepted and column != row for column, tool in enumerate(tools)]
            for row, goal in enumerate(goals)
        ]
    )
