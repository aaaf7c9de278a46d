"""What the embedding model is trained on: train queries over licensed tools, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from lab.training.corpus import (
    GOALS,
    SHARES,
    SIBLING_GOALS,
    CorpusGoal,
    TrainingSet,
    first_sentence,
    is_left_out,
    on_servers_with_goals,
    read_corpus,
    read_lines,
)

SPLITS = ("train", "dev", "test")
PUBLIC = sorted(SHARES.keys() - {GOALS})


def write(file: Path, lines: Sequence[dict[str, Any]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def tool(name: str, identity: str, origin: str = "shop") -> dict[str, Any]:
    return {"id": identity, "origin": origin, "name": name, "description": "Does it."}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three tools in each set, a goal of each split, and a catalog of two sources."""
    for name in PUBLIC:
        write(tmp_path / name / "tools.jsonl", [tool(f"t{n}", f"{n}") for n in range(3)])
        queries = [
            {"id": f"{name}{split}", "query": f"a {split} goal", "gold": ["0"], "split": split}
            | {"alt": {"0": ["1"]}, "gold_closure": ["2"]}
            for split in SPLITS
        ]
        lost = {"id": "lost", "query": "a train goal of no tool", "gold": ["9"], "split": "train"}
        write(tmp_path / name / "queries.jsonl", [*queries, lost])
    catalog = [
        tool(f"{source}{n}", f"{source}/{n}", origin=f"{source}:cf_1.my_server")
        for source in ("docker", "unlicensed")
        for n in range(5)
    ]
    write(tmp_path / "mcpcatalog" / "tools.jsonl", catalog)
    graded = {"docker/0": 3, "docker/1": 2, "docker/2": 1, "docker/3": 0, "unlicensed/0": 0}
    goals = [
        {"id": split, "query": f"a {split} goal", "gold": ["docker/0"], "split": split}
        | {"grades": graded, "alt": {"docker/0": ["docker/4"]}}
        for split in SPLITS
    ]
    neighbour = goals[0] | {"id": "neighbour", "tempting": ["docker/3", "unlicensed/1"]}
    unlicensed = goals[0] | {"id": "unlicensed", "gold": ["docker/0", "unlicensed/0"]}
    write(tmp_path / GOALS / "queries.jsonl", [*goals, neighbour, unlicensed])
    for unread in ("desks", "everyday", "toollens", "ultratool", "livemcpbench"):
        write(tmp_path / unread / "queries.jsonl", [{"id": "x", "query": "not to be read"}])
    return tmp_path


def test_only_train_queries_of_the_named_sets_are_read(folder: Path):
    sets = read_corpus(folder)
    assert sets.keys() == SHARES.keys()
    goals = [goal.text for name in PUBLIC for goal in sets[name].goals]
    assert goals == ["a train goal"] * len(PUBLIC)


def test_what_is_no_mistake_is_no_negative(folder: Path):
    [goal] = read_corpus(folder)["bfcl"].goals
    assert goal.needed == [0]
    assert goal.accepted == {0, 1, 2}


def test_goals_and_tools_without_a_licence_are_left_out(folder: Path):
    goals = read_corpus(folder)[GOALS]
    assert [goal.key for goal in goals.goals] == ["train", "neighbour"]
    assert goals.names == [f"docker{n}" for n in range(5)]


def test_goals_that_name_tempting_siblings_are_read(folder: Path):
    [first, *_] = read_lines(SIBLING_GOALS)
    catalog = folder / "mcpcatalog" / "tools.jsonl"
    listed = [json.loads(line) for line in catalog.read_text().splitlines()]
    identities = [*first["gold"], first["tempting"][0]]
    write(catalog, [*listed, *(tool(one, one, "docker:s0") for one in identities)])
    [goal] = [one for one in read_corpus(folder)[GOALS].goals if one.key == first["id"]]
    assert (goal.text, goal.server) == (first["query"], "docker:s0")
    assert (goal.needed, goal.accepted, goal.near) == ([5], {5}, [6])


def test_goals_of_servers_left_out_are_for_the_score(folder: Path):
    server = next(f"docker:s{n}" for n in range(100) if is_left_out(f"docker:s{n}"))
    catalog = folder / "mcpcatalog" / "tools.jsonl"
    listed = [json.loads(line) for line in catalog.read_text().splitlines()]
    write(catalog, [one | {"origin": server} for one in listed if one["id"].startswith("docker")])
    goals = read_corpus(folder)[GOALS]
    assert goals.goals == []
    assert goals.names == [f"docker{n}" for n in range(5)]


def test_grades_say_what_is_accepted_and_what_is_near(folder: Path):
    graded, neighbour = read_corpus(folder)[GOALS].goals
    assert graded.accepted == {0, 1, 4}
    assert graded.near == [2, 3]
    assert neighbour.near == [3]


def test_a_text_names_the_server_as_people_do_or_leaves_it_out(folder: Path):
    texts = {text for seed in range(20) for text in read_corpus(folder, seed)[GOALS].texts}
    assert texts == {
        f"{origin}docker{n}: Does it." for origin in ("my server ", "") for n in range(5)
    }


def test_the_same_seed_gives_the_same_texts(folder: Path):
    def texts(sets: dict[str, TrainingSet]) -> list[list[str]]:
        return [one.texts for one in sets.values()]

    assert texts(read_corpus(folder)) == texts(read_corpus(folder))
    assert texts(read_corpus(folder)) != texts(read_corpus(folder, seed=4))


def test_tools_on_servers_without_goals_are_left_out():
    column = [f"{n}" for n in range(4)]
    goal = CorpusGoal("a", "a goal", [1, 0], {0, 1, 3}, [3, 2], server="b")
    one = TrainingSet(column, column, column, column, ["a", "b", "a", "b"], [goal])
    retained = on_servers_with_goals(one)
    assert (retained.texts, retained.sentences, retained.servers) == (
        ["1", "3"],
        ["1", "3"],
        ["b", "b"],
    )
    assert [(g.needed, g.accepted, g.near, g.key) for g in retained.goals] == [
        ([0], {0, 1}, [1], "a")
    ]


@pytest.mark.parametrize(
    ("description", "sentence"),
    [
        ("Lists all open  issues.\nOnly the owner may.", "lists all open issues"),
        ("Lists issues.", ""),
        (None, ""),
        ("A" + "b c " * 100, ("a" + "b c " * 100)[:220]),
    ],
)
def test_a_first_sentence_is_asked_as_a_goal(description: str | None, sentence: str):
    assert first_sentence({"description": description}) == sentence
