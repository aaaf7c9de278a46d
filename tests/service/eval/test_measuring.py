"""What a run adds up, over answers made by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from quartermaster.eval.arena import Arena, Evaluation
from quartermaster.eval.gold import GoldSet, Task, needs_of
from quartermaster.eval.items import ItemSet
from quartermaster.retrieval import Found
from quartermaster.service import Service

pytestmark = pytest.mark.anyio


class Answers(Arena):
    """Answers every goal with the tools a and b; the mode shows one."""

    async def modes(self) -> dict[str, dict[str, Any]]:
        return {"fast": {"top": 1}}

    async def warm_up(self, mode: str | None = None) -> None:
        assert mode == "fast"

    async def ask(self, task: Task, mode: str, *, explain: bool = False) -> Found:
        rows = (
            [] if task.goal == "nothing" else [row("a", "Short."), row("b", "Far longer than a.")]
        )
        return Found(seconds={"search": 0.010}, rows=rows)

    async def stages(self, receipts: Sequence[int]) -> list[dict[str, float]]:
        return [{"pool": 0.004, "value": 0.001} for _ in receipts]


def row(name: str, description: str) -> dict[str, Any]:
    return {"name": name, "description": description, "input_schema": {}, "receipt": 7}


async def measured(*goals: str) -> Evaluation:
    tasks = [Task(goal, goal, needs_of(["b"], {}, {})) for goal in goals]
    gold = GoldSet("two", ItemSet(Path("two.jsonl"), ["a", "b"], [], {}, {}), tasks)
    vectors = {goal: (np.zeros(1, np.float32), 0.002) for goal in goals}
    arena = Answers(cast("Service", None), gold, ids={"a": "a", "b": "b"}, vectors=vectors)
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
