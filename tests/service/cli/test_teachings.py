"""``qm tool teach`` against a running service: tried first, taught, and forgotten."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.support.instance import Instance

SERVER = Path(__file__).parents[1] / "workers" / "listing_server.py"
TOOLS = {
    "translate": "Translate a sentence into Norwegian.",
    "spell": "Check the spelling of a Norwegian sentence.",
}
GOAL = "translate this sentence into Norwegian for me"
SENTENCE = "say it in Norwegian"


@pytest.fixture
def lingua(instance: Instance, tmp_path: Path) -> Generator[str]:
    """An origin with two tools; the right one for the goal is known."""
    listed = [
        {"name": name, "description": text, "inputSchema": {"type": "object"}}
        for name, text in TOOLS.items()
    ]
    offer = tmp_path / "offer.json"
    offer.write_text(json.dumps({"tools": listed, "results": {}}))
    # The server, which is a user of its own, writes its log there.
    tmp_path.chmod(0o777)
    options = ("--command", f"{sys.executable} {SERVER} {offer}", "--folder", tmp_path, "--yes")
    added = instance.qm("origin", "add", "lingua", *options)
    assert added.returncode == 0, added.stdout + added.stderr
    yield "lingua"
    assert instance.qm("origin", "remove", "lingua", "--yes").returncode == 0


def first(instance: Instance, goal: str) -> str:
    """Returns the first tool that a search finds."""
    return instance.qm_json("search", goal)["tools"][0]["name"]


def test_a_teaching_is_tried_then_taught_and_forgotten(
    instance: Instance, lingua: str, tmp_path: Path
) -> None:
    assert first(instance, GOAL) == "lingua__translate"
    queries = tmp_path / "queries.jsonl"
    goals = [(GOAL, "lingua/spell"), ("check the spelling in Norwegian", "lingua__spell")]
    lines = [json.dumps({"query": goal, "gold": [gold]}) for goal, gold in goals]
    queries.write_text("\n".join(lines))
    asked = ("tool", "teach", GOAL, "lingua__spell", "--not", "lingua__translate")

    preview = instance.qm_json(*asked, "--queries", queries, "--preview")

    change: dict[str, Any] = {
        "goal": GOAL,
        "was": "lingua__translate",
        "becomes": "lingua__spell",
    }
    unknown, known = {"was_right": None, "becomes_right": None}, {"was_right": False}
    assert change | unknown in preview["changes"]
    assert change | known | {"becomes_right": True} in preview["changes"]
    assert (preview["teaching"], preview["done"], preview["goals"]) == (None, False, 2)
    assert first(instance, GOAL) == "lingua__translate"
    for_people = instance.qm(*asked, "--queries", queries, "--preview").stdout
    assert "1 become right, 0 become wrong" in for_people
    refused = instance.qm(*asked, stdin="n\n")
    assert (refused.returncode, instance.qm_json("tool", "teachings")) == (1, [])

    done = instance.qm_json(*asked, "--reason", "the team says so", "--yes")

    assert done["done"] is True
    assert first(instance, GOAL) == "lingua__spell"
    [row] = instance.qm_json("tool", "teachings")
    assert (row["teaching"], row["goal"], row["name"]) == (done["teaching"], GOAL, "lingua__spell")
    assert (row["reason"], row["created_by"]) == ("the team says so", "local")
    forgotten = instance.qm("tool", "teach", "--forget", str(done["teaching"]))
    assert (forgotten.returncode, GOAL in forgotten.stdout) == (0, True)
    assert first(instance, GOAL) == "lingua__translate"
    again = instance.qm("tool", "teach", "--forget", str(done["teaching"]))
    assert (again.returncode, "teachings" in again.stderr) == (1, True)


def test_one_sentence_in_other_words_is_enough(instance: Instance, lingua: str) -> None:
    other = "what time is it in Tokyo"
    was = first(instance, other)
    stored = instance.qm_json("tool", "teach", SENTENCE, "lingua__spell", "--yes")
    assert first(instance, "please say this in Norwegian") == "lingua__spell"
    assert first(instance, other) == was
    assert instance.qm("tool", "teach", "--forget", str(stored["teaching"])).returncode == 0


def test_somebody_who_may_not_teach_changes_nothing(instance: Instance, lingua: str) -> None:
    assert instance.qm("principal", "create", "visitor", "--kind", "agent").returncode == 0

    refused = instance.qm(
        "tool", "teach", GOAL, "lingua__spell", "--as", "visitor", "--yes", "--json"
    )

    assert refused.returncode == 1
    assert "not_permitted" in refused.stdout + refused.stderr
    assert instance.qm_json("tool", "teachings") == []
    assert first(instance, GOAL) == "lingua__translate"


def test_a_goal_without_a_tool_and_a_bad_file_are_refused(
    instance: Instance, tmp_path: Path
) -> None:
    alone = instance.qm("tool", "teach", GOAL)
    assert (alone.returncode, "qm tool teach" in alone.stderr) == (1, True)
    bad = tmp_path / "bad.jsonl"
    bad.write_text("no JSON")
    refused = instance.qm("tool", "teach", GOAL, "lingua__spell", "--queries", bad, "--json")
    assert (refused.returncode, "evaluation_file_invalid" in refused.stdout + refused.stderr) == (
        1,
        True,
    )
