"""Near misses: tools that the current model confuses with the needed one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lab.training.corpus import TrainingSet

_MAX_NEAR_MISSES: Final = 4
# Tools that are more similar to a needed tool than this may do the same.
_TWIN: Final = 0.95

Vectors = NDArray[np.float32]


def mine(
    one: TrainingSet,
    embed_goals: Callable[[Sequence[int]], Vectors],
    embed_tools: Callable[[Sequence[int]], Vectors],
) -> None:
    """Adds to each goal the nearest tools on its server that it does not need.

    Accepted tools are left out, and so are tools that have the same name as a needed one or nearly
    the same text.

    Args:
        one: the training set, which keeps its existing near misses.
        embed_goals, embed_tools: return unit vectors for the given numbers, float32 [n, dimension].
    """
    tools_of: defaultdict[str, list[int]] = defaultdict(list)
    for number, server in enumerate(one.servers):
        tools_of[server].append(number)
    goals_of: defaultdict[str, list[int]] = defaultdict(list)
    for number, goal in enumerate(one.goals):
        goals_of[goal.server].append(number)
    for server, goals in goals_of.items():
        siblings = tools_of[server]
        tools = embed_tools(siblings)
        alike = tools @ tools.T >= _TWIN
        for number, scores in zip(goals, embed_goals(goals) @ tools.T, strict=True):
            goal = one.goals[number]
            names = {one.names[tool] for tool in goal.needed}
            twins = alike[[siblings.index(tool) for tool in goal.needed if tool in siblings]]
            found = [
                siblings[place]
                for place in np.argsort(-scores, kind="stable")
                if siblings[place] not in goal.accepted
                and one.names[siblings[place]] not in names
                and not twins[:, place].any()
            ]
            goal.near = [*dict.fromkeys([*goal.near, *found[:_MAX_NEAR_MISSES]])]
