"""Which goals want something destroyed: learned from the names of the tools that they need."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lab.tests.training.test_corpus import write
from lab.training.corpus import is_left_out
from lab.training.destroying import DESTROYS_PATTERN, learn_weights, read_goals

RULE = Path(__file__).parents[3] / "functions" / "catalog" / "tool_destroys.sql"


class Wordy:
    """Embeds a goal by whether it says "gone"."""

    name, dimension, query_prefix, passage_prefix = "wordy", 2, "", ""

    def goal_text(self, goal: str) -> str:
        return goal

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([[1, 0] if "gone" in text else [0, 1] for text in texts], np.float32)


def words_of(pattern: str) -> list[str]:
    """Returns the words of a pattern, without its signs for borders."""
    return re.findall("[a-z]{4,}", re.sub(r"\\[bmM]", "", pattern))


def test_the_database_and_training_know_the_same_words():
    # Literals on lines of their own are one.
    text = re.sub(r"'[ \t]*\n\s*'", "", RULE.read_text(encoding="utf-8"))
    [rule] = re.findall(r"'(\(\^drop.*)'", text)
    assert words_of(rule) == words_of(DESTROYS_PATTERN.pattern)
    assert len(words_of(rule)) > 10


def test_the_needed_tool_says_whether_a_goal_destroys(tmp_path: Path):
    servers = [f"docker:server{n}" for n in range(60)]
    tools = ("delete_note", "read_note")
    write(
        tmp_path / "mcpcatalog" / "tools.jsonl",
        [
            {"id": f"{server}/{tool}", "origin": server, "name": tool, "description": "Does it."}
            for server in [*servers, "other:server"]
            for tool in tools
        ],
    )
    write(
        tmp_path / "goals" / "queries.jsonl",
        [
            {"id": f"{server}{tool}{split}", "query": f"{server} {tool} {split}"}
            | {"gold": [f"{server}/{tool}"], "split": split}
            for server in [*servers, "other:server"]
            for tool in tools
            for split in ("train", "dev")
        ],
    )
    retained = [server for server in servers if not is_left_out(server)]
    assert 0 < len(retained) < len(servers)
    assert sorted(read_goals(tmp_path)) == sorted(
        (f"{server} {tool} train", tool == "delete_note") for server in retained for tool in tools
    )


def test_the_vectors_of_destroying_goals_are_told_apart():
    goals = [("it must be gone", True), ("show it", False)] * 20
    along, across, intercept = learn_weights(Wordy(), goals)
    assert along + intercept > 1
    assert across + intercept < -1
