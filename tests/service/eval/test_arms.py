"""Each arm of an ablation takes away what its name says, in the real engine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from quartermaster.core.kinds import TOOL
from quartermaster.eval.ablation import arms, idle
from quartermaster.eval.arena import Arena, EvaluationEnvironment, open_arena
from quartermaster.eval.gold import GoldSet, Task
from quartermaster.eval.items import read_items
from quartermaster.settings.settings import Settings
from tests.service.eval.conftest import Write
from tests.support.database import Database
from tests.support.instance import shared_runtime_dir

pytestmark = pytest.mark.anyio

TOOLS = {
    "create_ticket": "Open a ticket for a bug or a failing test.",
    "find_tickets": "Find tickets by words, state or owner.",
    "close_ticket": "Close a ticket that is done.",
    "get_forecast": "What the weather will be tomorrow.",
    "send_invoice": "Send a bill to a customer.",
}
FEATURES = {
    "without lexical": {"lexical_relative", "lexical_share", "lexical_coverage", "name_coverage"},
    "without dense": {"dense", "dense_rank", "dense_relative"},
    "without fuzzy": {"fuzzy"},
}
Found = dict[str, dict[str, Any]]


async def found(arena: Arena, settings: Mapping[str, Any]) -> Found:
    """Returns the scores of each tool, by name, in the order of the answer."""
    await arena.configure({"fast": settings})
    [task] = arena.gold.tasks
    rows = await arena.rank(task, "fast", (await arena.ask(task, "fast")).arguments)
    return {row["name"]: row["scores"] for row in rows}


async def test_each_arm_changes_what_tools_score_or_their_order(
    database: Database, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("QM_RUNTIME_DIR", str(shared_runtime_dir()))
    lines = [{"name": name, "description": text} for name, text in TOOLS.items()]
    tools = read_items(write("tools.jsonl", lines), 10_000, TOOL)
    folder = tmp_path / "data"
    gold = GoldSet("five", tools, [Task("", "close the ticket", ())])
    async with open_arena(EvaluationEnvironment(Settings(), folder, [database.dsn]), gold) as arena:
        settings = (await arena.modes())["fast"]
        assert await arena.is_learned()
        resting = idle(settings, reranks=False, is_learned=True)
        assert resting.keys() == {"without rerank", "without utility"}
        whole = await found(arena, settings)
        changes = {name: one for name, one in arms(settings).items() if name not in resting}
        measured = {name: await found(arena, settings | one) for name, one in changes.items()}

    assert len(measured) == 8
    for name, scores in measured.items():
        assert outcome(scores) != outcome(whole), f"{name} changes nothing"
    for name, features in FEATURES.items():
        channel = name.split()[-1]
        assert any(weighs(one, features) for one in whole.values())
        assert not any(weighs(one, features) for one in measured[name].values())
        assert all(channel not in one["sources"] for one in measured[name].values())


def outcome(scores: Found) -> list[tuple[str, float, float | None]]:
    """Names in their order, with what the score and diversity say of them."""
    return [(name, one["fused"], one.get("redundancy")) for name, one in scores.items()]


def weighs(scores: Mapping[str, Any], features: set[str]) -> bool:
    return any(scores["features"][name]["share"] != 0 for name in features)
