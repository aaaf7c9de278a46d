"""What the embedding model is trained on: train queries of licensed sets, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from quartermaster.training.corpus import SHARES, Corpus, read_corpus

SPLITS = ("train", "dev", "test")
SAYS = "Reads one of the many things that are kept here. Then it ends."


def write(file: Path, lines: Sequence[dict[str, Any]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def tool(name: str, identity: str, origin: str = "shop") -> dict[str, Any]:
    return {"id": identity, "origin": origin, "name": name, "description": SAYS}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three tools in each set, a goal of each split, and a catalog of two sources."""
    for name in SHARES:
        write(tmp_path / name / "tools.jsonl", [tool(f"t{n}", f"{n}") for n in range(3)])
        queries = [
            {"id": f"{name}{split}", "query": f"a {split} goal", "gold": ["0"], "split": split}
            | {"alt": {"0": ["1"]}, "gold_closure": ["2"]}
            for split in SPLITS
        ]
        lost = {"id": "lost", "query": "a train goal of no tool", "gold": ["9"], "split": "train"}
        write(tmp_path / name / "queries.jsonl", [*queries, lost])
    catalog = [
        tool(f"{source}{n}", f"mcp:{source}/{n}", origin=source)
        for source in ("docker", "unlicensed")
        for n in range(5)
    ]
    write(tmp_path / "mcpcatalog" / "tools.jsonl", catalog)
    for unread in ("toollens", "ultratool", "livemcpbench"):
        write(tmp_path / unread / "queries.jsonl", [{"id": "x", "query": "not to be read"}])
    return tmp_path


def test_only_train_queries_of_the_named_sets_are_read(folder: Path):
    corpus = read_corpus(folder)
    assert corpus.sets.keys() == SHARES.keys()
    goals = [goal.text for one in corpus.sets.values() for goal in one.goals]
    assert goals == ["a train goal"] * len(SHARES)


def test_what_is_no_mistake_is_no_negative(folder: Path):
    [goal] = read_corpus(folder).sets["bfcl"].goals
    assert goal.needed == [0]
    assert goal.accepted == {0, 1, 2}


def test_tools_of_licensed_sources_say_what_they_are(folder: Path):
    described = read_corpus(folder).described
    assert len(described) == 4
    assert {sentence for sentence, _ in described} == {
        "Reads one of the many things that are kept here"
    }
    assert all("docker" in text and "Reads one" not in text for _, text in described)


def test_the_same_seed_gives_the_same_texts(folder: Path):
    def texts(corpus: Corpus) -> list[list[str]]:
        return [one.texts for one in corpus.sets.values()]

    assert texts(read_corpus(folder)) == texts(read_corpus(folder))
    assert texts(read_corpus(folder)) != texts(read_corpus(folder, seed=4))
