"""What a batch of the embedding model's training holds, and which tools count as near misses."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from lab.training.batches import NEAR_MISSES, SIZE, Batches, ignored
from lab.training.corpus import GOALS, SHARES, CorpusGoal, TrainingSet
from lab.training.near_misses import mine

TOOLS = 12


def tools_of(count: int, **columns: list[str]) -> TrainingSet:
    """Returns tools of two servers in turn, no goals yet."""
    numbers = range(count)
    every = {
        "texts": [f"text {n}" for n in numbers],
        "names": [f"name {n}" for n in numbers],
        "twins": [f"twin {n}" for n in numbers],
        "sentences": [f"sentence {n}" for n in numbers],
        "servers": [f"server {n % 2}" for n in numbers],
    }
    return TrainingSet(**(every | columns), goals=[])


@pytest.fixture
def sets() -> dict[str, TrainingSet]:
    """Of each set 72 goals of six servers, two for each tool."""
    found: dict[str, TrainingSet] = {}
    for name in SHARES:
        found[name] = tools_of(36)
        for number in range(72):
            tool = number % 36
            goal = CorpusGoal(str(number), f"goal {number}", [tool], {tool}, [(tool + 1) % 36])
            goal.server = f"server {tool % 6}"
            found[name].goals.append(goal)
    return found


def test_a_batch_asks_goals_of_few_servers_for_different_tools(sets: dict[str, TrainingSet]):
    batch = Batches(sets, 1).draw()
    goals = [sets[batch.name].goals[number] for number in batch.goals]
    assert len(goals) == SIZE
    assert [goal.needed[0] for goal in goals] == batch.tools[:SIZE]
    # Four at a time, unless fewer are left of a server: by chance one pair in six would be alike.
    alike = [(one, next_one) for one, next_one in pairwise(goals) if one.server == next_one.server]
    assert len(alike) > SIZE / 2
    assert all(one.needed != next_one.needed for one, next_one in alike)


def test_every_goal_is_asked_once_before_one_is_asked_again(sets: dict[str, TrainingSet]):
    batches = Batches(sets, 1)
    drawn: Counter[int] = Counter()
    while sum(drawn.values()) < 360:
        batch = batches.draw()
        if batch.name == GOALS:
            drawn.update(batch.goals)
    assert set(drawn.values()) == {5}


def test_near_misses_stand_behind_the_needed_tools_once_each(sets: dict[str, TrainingSet]):
    batch = Batches(sets, 1).draw()
    near = batch.tools[SIZE:]
    assert len(near) <= NEAR_MISSES
    assert len({*near}) == len(near)
    assert not {*near} & {*batch.tools[:SIZE]}


def test_size_and_shares_can_be_chosen(sets: dict[str, TrainingSet]):
    batches = Batches(sets, 1, {"bfcl": 1}, size=8, near=2)
    drawn = [batches.draw() for _ in range(9)]
    assert {(batch.name, len(batch.goals), len(batch.tools)) for batch in drawn} == {
        ("bfcl", 8, 10)
    }


def test_what_is_right_or_like_it_is_no_negative():
    one = tools_of(4, names=["a", "a", "b", "c"], twins=["x", "y", "x", "z"])
    one.goals.extend(CorpusGoal(str(n), "", [n], {n}) for n in range(4))
    assert ignored(one, one.goals, [0, 1, 2, 3]).tolist() == [
        [False, True, True, False],
        [True, False, False, False],
        [True, False, False, False],
        [False, False, False, False],
    ]


def test_a_run_that_is_resumed_draws_the_same(sets: dict[str, TrainingSet]):
    first = Batches(sets, 1)
    first.draw()
    state = first.state()
    near = [goal.near for goal in sets[GOALS].goals]
    for goal in sets[GOALS].goals:
        goal.near = []
    other = Batches(sets, 2)
    other.resume(state)
    assert [goal.near for goal in sets[GOALS].goals] == near
    assert [first.draw().goals for _ in range(5)] == [other.draw().goals for _ in range(5)]


def test_near_misses_are_the_nearest_siblings():
    one = tools_of(TOOLS)
    one.names[4] = one.names[0]
    one.goals.append(CorpusGoal("0", "", [0], {0, 2}, [10], "server 0"))
    # The goal points to the needed tool; the others are ever farther from it.
    angles = np.linspace(0, 1.2, TOOLS, dtype=np.float32)
    angles[6] = 0.1
    tools = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    mine(one, lambda goals: tools[goals], lambda numbers: tools[numbers])
    # Neither 2, which is accepted, nor 4, which has the same name, nor 6, which says nearly the
    # same, nor those of the other server.
    assert one.goals[0].near == [10, 8]
