"""A kind that came in with a folder is measured and fitted as tools are."""

from __future__ import annotations

from pathlib import Path

import pytest

from quartermaster.eval.arena import EvaluationEnvironment, open_arena
from quartermaster.eval.examples import INTERCEPT_NAME, RankingExamples
from quartermaster.eval.fitting import fit_cards
from quartermaster.eval.gold import GoldSet, read_tasks
from quartermaster.eval.items import read_items
from quartermaster.eval.weights_file import WeightsFile
from quartermaster.settings.settings import Settings
from tests.service.eval.conftest import Write
from tests.support.database import Database
from tests.support.instance import shared_runtime_dir

pytestmark = pytest.mark.anyio

RECIPES = {
    "paella": "Rice with saffron from Valencia.",
    "goulash": "Beef stewed with paprika.",
    "tiramisu": "Coffee, mascarpone and ladyfingers.",
    "ratatouille": "Aubergines, courgettes and tomatoes.",
}
GOALS = {"rice with saffron": "paella", "beef and paprika": "goulash", "coffee": "tiramisu"}


async def test_a_kind_of_a_folder_is_measured_and_fitted(
    database: Database, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("QM_RUNTIME_DIR", str(shared_runtime_dir()))
    recipes = [{"origin": "book", "name": n, "description": d} for n, d in RECIPES.items()]
    goals = [{"query": goal, "gold": [name]} for goal, name in GOALS.items()]
    items = read_items(write("recipes.jsonl", recipes), 10_000, "recipe")
    tasks = read_tasks(write("goals.jsonl", goals), items, split=None, modes=["fast"])
    gold = GoldSet("book", items, tasks)
    folder = str(Path(__file__).parents[2] / "toy_kind")
    settings = Settings.model_validate({"kinds": {"folders": [folder]}})
    async with open_arena(EvaluationEnvironment(settings, tmp_path, [database.dsn]), gold) as arena:
        assert (await arena.measure("fast")).metrics["Recall@1"] == 1
        assert not await arena.is_learned()
        names = await arena.feature_names()
        found = await arena.candidates("fast", names)
        weights = fit_cards(RankingExamples.of(names, found))
        assert weights.keys() == {INTERCEPT_NAME, *names}
        await arena.score_by(tmp_path, WeightsFile(model=arena.model.name, weights=dict(weights)))
        assert await arena.is_learned()
        assert (await arena.measure("fast")).metrics["Recall@1"] == 1
