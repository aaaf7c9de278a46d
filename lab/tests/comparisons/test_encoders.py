"""The arithmetic of `python -m lab.comparisons.encoders`, on cosines made up."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from lab.comparisons.encoders import __main__ as command
from lab.comparisons.encoders.cosine_figures import (
    GoalScore,
    answer,
    auroc,
    difference,
    fitting,
    mean,
    rank,
    said_at,
    sibling_share,
)
from lab.comparisons.encoders.models import open_remembered
from lab.comparisons.encoders.places import Ask, GoalCollection, read_places
from quartermaster.eval.gold import Need
from quartermaster.models.convert import DEFAULT_MODEL, TRAINED_LAYERS
from tests.support.model import cached_model_dir

_TOOLS = ("git/status", "git/add", "time/now", "time/then")


class Compass:
    """Embeds a text as the direction of the first tool that it names."""

    name, dimension, query_prefix, passage_prefix = "compass", len(_TOOLS), "goal: ", "tool: "

    def goal_text(self, goal: str) -> str:
        """Returns the goal with its prefix."""
        return self.query_prefix + goal

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Returns one axis for each tool; zeros for a text that names none."""
        return np.array([[float(tool in text) for tool in _TOOLS] for text in texts], np.float32)


def need(tool: str, *others: str) -> tuple[Need, ...]:
    """Returns one thing that `tool` serves, and others as well."""
    return (Need(tool, frozenset((tool, *others))),)


def place(*asks: Ask, groups: dict[str, str] | None = None) -> GoalCollection:
    """Returns the four tools, and goals asked of them."""
    servers = [tool.partition("/")[0] for tool in _TOOLS]
    return GoalCollection(_TOOLS, _TOOLS, servers, groups or {}, asks)


def ask(tool: str | None, *others: str, style: str = "direct") -> Ask:
    """Returns a goal that a tool serves, or that none serves."""
    needs = need(tool, *others) if tool else ()
    return Ask(tool or "", style, needs, frozenset({tool.partition("/")[0]} if tool else ()))


def scored(the_place: GoalCollection, *scores: Sequence[float]) -> list[GoalScore]:
    """Returns the answers by such scores of the four tools, a row for each goal."""
    return rank(the_place, np.array(scores, np.float32), lambda block: block)


def met(value: float, style: str = "direct") -> GoalScore:
    """Returns an answer with such a Recall@1."""
    return GoalScore(style, 0.5, {"Recall@1": value})


def test_a_goal_finds_the_tool_that_points_its_way():
    found = answer(place(ask("time/now"), ask("git/add")), Compass())
    assert [one.measured["Recall@1"] for one in found] == [1, 1]


def test_goals_and_tools_get_the_models_own_prefixes():
    asked: list[str] = []

    class Listener(Compass):
        def embed(self, texts: Sequence[str]) -> np.ndarray:
            asked.extend(texts)
            return super().embed(texts)

    answer(place(ask("time/now")), Listener())
    assert asked == [*(f"tool: {tool}" for tool in _TOOLS), "goal: time/now"]


def test_measures_are_those_of_the_first_rank_that_serves():
    [third, other] = scored(
        place(ask("time/now"), ask("git/status", "time/then")),
        [0.9, 0.8, 0.7, 0.1],
        [0.1, 0.2, 0.3, 0.9],
    )
    assert third.measured == {
        "Recall@1": 0,
        "Recall@5": 1,
        "nDCG@10": pytest.approx(0.5),
        "pool_recall@100": 1,
    }
    assert other.measured["Recall@1"] == 1


def test_near_duplicates_take_one_rank():
    of_one_group = {"git/status": "git", "git/add": "git"}
    [one] = scored(place(ask("time/now"), groups=of_one_group), [0.9, 0.8, 0.7, 0.1])
    assert one.measured["nDCG@10"] == pytest.approx(1 / np.log2(3))


def test_the_share_of_siblings_counts_wrong_firsts_only():
    found = scored(
        place(ask("git/status"), ask("git/status"), ask("git/status")),
        [0.9, 0.1, 0.1, 0.1],
        [0.1, 0.9, 0.1, 0.1],
        [0.1, 0.1, 0.9, 0.1],
    )
    assert sibling_share(found) == 0.5
    assert sibling_share(found[:1]) == 0


def test_a_style_can_be_looked_at_alone():
    found = [met(1), met(0, "situation"), GoalScore("direct", 0.1, {})]
    assert mean(fitting(found), "Recall@1") == 0.5
    assert mean(fitting(found, "situation"), "Recall@1") == 0


def test_no_fit_is_told_by_the_best_cosine():
    fit = [GoalScore("", cosine, {"Recall@1": 1}) for cosine in np.linspace(0.4, 0.59, 20)]
    unfit = [GoalScore("", cosine, {}) for cosine in (0.1, 0.405, 0.45, 0.9)]
    # One fitting goal in twenty may be told so: the threshold is the second lowest, .41.
    assert said_at([*fit, *unfit]) == 0.5
    assert auroc([*fit, *unfit]) == pytest.approx((20 + 19 + 14.5 + 0) / 80)


def test_a_difference_is_paired():
    better = [met(1)] * 60 + [met(0)] * 40
    worse = [met(1)] * 50 + [met(0)] * 50
    found = difference(better, worse, "Recall@1")
    assert found.mean == pytest.approx(0.1)
    # Ten of a hundred pairs differ: 1.96 * sqrt(.1 * .9 / 100), where unpaired it would be .14.
    assert found.low == pytest.approx(0.1 - 0.059, abs=0.012)
    assert found.high == pytest.approx(0.1 + 0.059, abs=0.012)
    assert difference(better, better, "Recall@1").high == 0


def write(file: Path, *rows: dict[str, Any]) -> None:
    """JSON Lines."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))


def tool(key: str, **more: Any) -> dict[str, Any]:
    """Returns a tool of a file."""
    origin, _, name = key.partition("/")
    return {"id": key, "origin": origin, "name": name, "description": "does it", **more}


def test_a_desk_has_goals_and_goals_that_nothing_serves(tmp_path: Path):
    desk = tmp_path / "desks" / "dev1"
    write(desk / "tools.jsonl", tool("git/add", dup="g"), tool("time/get_now"))
    write(desk / "queries.jsonl", {"query": "a", "gold": ["git/add"], "style": "direct"})
    write(
        desk / "nofit.jsonl",
        {"query": "b", "gold": [], "partly": []},
        {"query": "c", "gold": [], "partly": ["git/add"]},
        {"query": "d", "gold": ["git/add"], "partly": []},
    )
    [found] = read_places(tmp_path, "desks")
    assert found.texts == ["git add: does it", "time get now: does it"]
    assert [(one.text, len(one.needs)) for one in found.asks] == [("a", 1), ("b", 0)]
    assert found.asks[0].needs == (Need("g", frozenset({"g"})),)


def test_goals_are_asked_of_what_they_accept_and_of_the_same_others(tmp_path: Path):
    others = [tool(f"time/t{number}") for number in range(5_010)]
    write(tmp_path / "mcpcatalog" / "tools.jsonl", *others, tool("git/add"), tool("git/rm"))
    goal = {"query": "a", "gold": ["git/add"], "alt": {"git/add": ["git/rm"]}, "split": "dev"}
    write(tmp_path / "goals" / "queries.jsonl", goal, {**goal, "query": "b", "split": "train"})
    [found] = read_places(tmp_path, "goals")
    assert len(found.ids) == 5_000
    assert {"git/add", "git/rm"} < set(found.ids)
    assert [one.text for one in found.asks] == ["a"]
    assert read_places(tmp_path, "goals") == [found]
    assert len(read_places(tmp_path, "catalog")[0].ids) == 5_012


def test_an_absent_set_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(command, "open_remembered", lambda *_: Compass())
    options = command.parse(["compass", "--folder", str(tmp_path)])
    console = Console(width=200, record=True)
    command.run(options, console)
    printed = console.export_text()
    assert f"desks: skipped, there is none in {tmp_path}" in printed
    assert f"goals: skipped, there is no {tmp_path}/goals/queries.jsonl" in printed


def test_a_file_of_trained_tensors_is_a_model(tmp_path: Path):
    trained = TRAINED_LAYERS[DEFAULT_MODEL]
    assert trained is not None
    shipped = cached_model_dir()
    made = open_remembered(str(trained), tmp_path, 1)
    by_folder = open_remembered(str(shipped), tmp_path, 1)
    assert np.array_equal(made.embed(["open a ticket"]), by_folder.embed(["open a ticket"]))
