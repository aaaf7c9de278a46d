"""What a run adds up, over answers made by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from quartermaster.core.kinds import TOOL
from quartermaster.db import Row
from quartermaster.eval.arena import Arena
from quartermaster.eval.evaluation import Evaluation
from quartermaster.eval.gold import GoldSet, Task, needs_of
from quartermaster.eval.items import ItemSet
from quartermaster.retrieval import SearchResult
from quartermaster.service import Service

pytestmark = pytest.mark.anyio


class Answers(Arena):
    """Ranks the tools a and b for every goal; shows the first, or what the goal's name says."""

    async def modes(self) -> dict[str, dict[str, Any]]:
        return {"fast": {"top": 1}}

    async def warm_up(self, mode: str | None = None) -> None:
        assert mode == "fast"

    async def ask(self, task: Task, mode: str) -> SearchResult:
        assert mode == "fast"
        rows = {
            "nothing": [],
            "weak": [A | {"weak": True}, B | {"weak": True}],
            "sure": [B | {"score": 0.85}],
            "too sure": [A | {"score": 0.85}],
        }
        return SearchResult(seconds={"search": 0.010}, rows=rows.get(task.goal, [A]))

    async def rank(self, task: Task, mode: str, prepared: Mapping[str, object]) -> list[Row]:
        return [A, B]

    async def stages(self, receipts: Sequence[int]) -> list[dict[str, float]]:
        return [{"pool": 0.004, "value": 0.001} for _ in receipts]


def row(name: str, description: str) -> dict[str, Any]:
    return {
        "name": name,
        "description": description,
        "input_schema": {},
        "receipt": 7,
        "score": 0.25,
    }


A = row("a", "Short.")
B = row("b", "Far longer than a.")


async def measured(*goals: str, gold: Sequence[str] = ("b",)) -> Evaluation:
    tasks = [Task(goal, goal, needs_of(gold, {}, {})) for goal in goals]
    items = ItemSet(Path("two.jsonl"), ["a", "b"], [], {}, {}, TOOL)
    vectors = {goal: (np.zeros(1, np.float32), 0.002) for goal in goals}
    ids = {"a": "a", "b": "b"}
    arena = Answers(cast("Service", None), GoldSet("two", items, tasks), ids=ids, vectors=vectors)
    return await arena.measure("fast")


async def test_the_tokens_of_what_is_shown_are_counted():
    shown = json.dumps(
        {"name": "a", "description": "Short.", "inputSchema": {}}, separators=(",", ":")
    )
    assert len(shown) == 52
    found = (await measured("one")).metrics
    assert (found["tokens_exposed"], found["exposure_waste"]) == (13, 1)
    assert (found["MRR"], found["pool_recall@100"]) == (0.5, 1)


async def test_stages_of_the_search_are_no_further_time():
    found = await measured("one", "two", "nothing")
    assert found.latency_ms == {"p50": 12, "p95": 12}
    assert found.stages["search"] == {"p50": 10, "p95": 10}
    assert found.stages["search.pool"] == {"p50": 4, "p95": 4}
    assert len(found.searches) == 2


async def test_a_ranking_is_whole_whatever_is_shown_of_it():
    found = (await measured("nothing")).metrics
    assert (found["MRR"], found["Recall@5"]) == (0.5, 1)
    assert (found["shown"], found["shown_recall"], found["exposure_waste"]) == (0, 0, 0)
    assert (found["no_fit_wrong"], found["confident"]) == (1, 0)
    assert found.keys().isdisjoint({"no_fit_said", "confident_right", "ece", "brier_skill"})


async def test_weak_matches_are_shown_and_say_that_nothing_fits():
    found = (await measured("weak")).metrics
    assert (found["shown"], found["shown_recall"], found["no_fit_wrong"]) == (2, 1, 1)
    [goal] = (await measured("weak")).goals
    assert goal.as_dict()["shown"] == [
        {"id": "a", "score": 0.25, "right": False, "weak": True},
        {"id": "b", "score": 0.25, "right": True, "weak": True},
    ]


async def test_a_goal_that_nothing_serves_counts_for_what_is_said_of_it_only():
    found = (await measured("weak", "nothing", "one", gold=())).metrics
    assert found["no_fit_said"] == pytest.approx(2 / 3, abs=1e-4)
    assert found["shown"] == 1
    assert found.keys().isdisjoint({"no_fit_wrong", "Recall@1", "exposure_waste", "shown_recall"})


async def test_confidence_is_judged_by_the_first_that_is_shown():
    found = (await measured("sure", "too sure", "one", "two")).metrics
    assert (found["confident"], found["confident_right"]) == (0.5, 0.5)
    # .85 twice, one of them right; .25 twice, both wrong.
    assert found["ece"] == pytest.approx((2 * 0.35 + 2 * 0.25) / 4)
    skill = 1 - (0.15**2 + 0.85**2 + 2 * 0.25**2) / 4 / (0.25 * 0.75)
    assert found["brier_skill"] == pytest.approx(skill, abs=1e-4)


async def test_metrics_of_sets_together_are_over_all_their_goals():
    one, other = await measured("sure"), await measured("weak", "nothing", gold=())
    found = Evaluation.together([one, other]).metrics
    assert (found["shown_recall"], found["no_fit_said"], found["shown"]) == (1, 1, 1)
