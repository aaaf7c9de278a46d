"""What the shipped embedding model was trained on: the ids that training wrote, goal by goal."""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import Any

import pytest

from lab.comparisons.retrieval_sets import FOLDER
from lab.training.corpus import (
    CATALOG,
    GOALS,
    SHARES,
    SIBLING_GOALS,
    is_left_out,
    is_licensed,
    read_lines,
)

LIST = Path(__file__).with_name("minilm_tools_4.ids.xz")


def trained_on() -> dict[str, set[str]]:
    """Returns the ids of each set."""
    found: dict[str, set[str]] = {}
    for line in lzma.decompress(LIST.read_bytes()).decode().splitlines():
        name, _, key = line.partition("\t")
        found.setdefault(name, set()).add(key)
    return found


def test_only_sets_for_training_were_read():
    assert trained_on().keys() == SHARES.keys()


def read_goals(name: str) -> list[dict[str, Any]]:
    """Returns the goals of a set; those of the own set include the ones that name tempting
    siblings.
    """
    return [
        *read_lines(FOLDER / name / "queries.jsonl"),
        *(read_lines(SIBLING_GOALS) if name == GOALS else []),
    ]


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the retrieval sets are not at hand")
@pytest.mark.parametrize("name", sorted(SHARES))
def test_every_goal_is_a_train_goal(name: str):
    splits = {one["id"]: one["split"] for one in read_goals(name)}
    assert {splits[key] for key in trained_on()[name]} == {"train"}


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the retrieval sets are not at hand")
def test_every_goal_needs_licensed_tools_of_servers_that_are_not_left_out():
    tools = {tool["id"]: tool for tool in read_lines(FOLDER / CATALOG / "tools.jsonl")}
    keys = trained_on()[GOALS]
    goals = [one for one in read_goals(GOALS) if one["id"] in keys]
    needed = [tools[gold] for goal in goals for gold in goal["gold"]]
    assert len(goals) == len(keys)
    assert all(is_licensed(tool) for tool in needed)
    assert not any(is_left_out(tools[goal["gold"][0]]["origin"]) for goal in goals)


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the retrieval sets are not at hand")
def test_goals_that_name_tempting_siblings_are_for_servers_of_train_goals():
    origins = {tool["id"]: tool["origin"] for tool in read_lines(FOLDER / CATALOG / "tools.jsonl")}
    splits: dict[str, set[str]] = {}
    for one in read_lines(FOLDER / GOALS / "queries.jsonl"):
        for gold in one["gold"]:
            splits.setdefault(origins[gold], set()).add(one["split"])
    for one in read_lines(SIBLING_GOALS):
        assert "train" in splits[origins[one["gold"][0]]]
