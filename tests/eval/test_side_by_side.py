"""`make eval` in small: every system ranks, and the figures hang together."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from quartermaster.settings import Settings
from tests.eval import growth
from tests.eval.__main__ import draw, names_of, parse, problems, report, run
from tests.eval.side_by_side import Line
from tests.support.instance import shared_runtime_dir

SUBJECTS = ("weather", "invoice", "ticket", "picture", "calendar", "recipe")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One set whose goals hold the words of the tools they need."""
    place = tmp_path / "sets" / "small"
    place.mkdir(parents=True)
    tools = [
        {
            "id": f"{verb} {subject}",
            "origin": "office",
            "name": f"{verb}_{subject}",
            "description": f"Use it to {verb} one {subject}.",
            "input_schema": {"properties": {subject: {"type": "string"}}},
        }
        for subject in SUBJECTS
        for verb in ("create", "remove")
    ]
    queries = [
        {"id": s, "query": f"create my {s} today", "gold": [f"create {s}"], "split": "dev"}
        for s in SUBJECTS
    ]
    for name, lines in (("tools", tools), ("queries", queries)):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (place / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return place.parent


def _reported(results: Mapping[str, Sequence[Line]]) -> str:
    shown = StringIO()
    report(results, Console(width=150, file=shown))
    return shown.getvalue()


@pytest.mark.slow
def test_every_system_finds_tools_by_their_words(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("QM_RUNTIME_DIR", str(shared_runtime_dir()))
    options = parse(
        ["--folder", str(folder), "--modes", "balanced", "--plots", str(tmp_path / "plots")]
    )
    results = run(options, tmp_path)
    [(column, measured)] = results.items()
    assert column == "small dev"
    lines = [line for line in measured if not line.is_arm]
    assert [line.system for line in lines] == [
        "ours, balanced",
        "BM25 (bm25s)",
        "dense (numpy)",
        "RRF of the two",
        "mcpproxy-go (restated)",
        "ToolHive (restated)",
        "FastMCP 4 BM25",
    ]
    for line in lines:
        assert line.metrics["Recall@5"] == 1, line.system
        assert 0 < line.p50 <= line.p95
    arms = {line.system: line.metrics["nDCG@10"] for line in measured if line.is_arm}
    assert arms["lexical only"] == lines[0].metrics["nDCG@10"] == 1
    assert {"without dense", "without lexical", "plain fusion"} <= arms.keys()

    shown = _reported(results)
    assert "nDCG@10 of ours, balanced" in shown
    assert "without dense" in shown
    draw(options, results)
    assert (tmp_path / "plots" / "quality_latency.png").read_bytes().startswith(b"\x89PNG")


def test_growing_parts_hold_what_is_needed_and_all_of_the_smaller_ones(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(growth, "SIZES", (7, 9))
    options = parse(["--folder", str(folder), "--grow", "small"])
    found = list(problems(options, Settings()))
    assert [name for name, _, _ in found] == ["7", "9", "12"]
    needed = {f"create {subject}" for subject in SUBJECTS}
    before: set[str] = needed
    for _, tools, tasks in found:
        assert len(tools.ids) == len(tools.definitions)
        assert before <= set(tools.ids)
        assert len(tasks) == len(SUBJECTS)
        before = set(tools.ids)


def test_test_queries_measure_where_they_are_at_hand(folder: Path):
    options = parse(["--folder", str(folder)])
    assert [name for name, _, _ in problems(options, Settings())] == ["small dev"]
    queries = folder / "small" / "queries.jsonl"
    text = queries.read_text(encoding="utf-8")
    queries.write_text(text.replace('"split": "dev"', '"split": "test"', 1), encoding="utf-8")
    [(name, _, tasks)] = problems(options, Settings())
    assert (name, len(tasks)) == ("small test", 1)
    assert names_of(parse(["--folder", str(folder), "--split", "train"])) == []


def test_a_system_that_was_not_asked_everywhere_leaves_cells_empty(tmp_path: Path):
    metrics = {"nDCG@10": 0.5}
    results = {
        "500": [Line("ours", metrics, 1, 2), Line("slow", metrics, 1, 2)],
        "9,000": [Line("ours", metrics, 1, 2)],
    }
    [row] = {line.rstrip() for line in _reported(results).splitlines() if "slow    0." in line}
    assert row.split() == ["slow", "0.500"]
    growth.draw(results, "in growing parts", tmp_path / "growth.png")
    assert (tmp_path / "growth.png").is_file()
