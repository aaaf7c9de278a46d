"""`make eval` in small: every system ranks, and the figures hang together."""

from __future__ import annotations

import json
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from lab.comparisons import growth
from lab.comparisons.__main__ import draw, parse, run
from lab.comparisons.comparison_report import report
from lab.comparisons.line import ComparisonResult, Line
from lab.comparisons.problems import names_of, problems
from quartermaster.settings.settings import Settings
from tests.support.instance import shared_runtime_dir

SUBJECTS = ("weather", "invoice", "ticket", "picture", "calendar", "recipe")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A set named like one that taught nothing; its goals hold the words of the tools they need."""
    place = tmp_path / "sets" / "toollens"
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


def _reported(results: Mapping[str, ComparisonResult]) -> str:
    shown = StringIO()
    report(results, Console(width=160, file=shown))
    return shown.getvalue()


@pytest.mark.slow
def test_every_system_finds_tools_by_their_words(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("QM_RUNTIME_DIR", str(shared_runtime_dir()))
    file = tmp_path / "figures.json"
    places = ["--folder", str(folder), "--plots", str(tmp_path / "plots"), "--json", str(file)]
    options = parse([*places, "--modes", "balanced"])
    results = run(options, tmp_path)
    [(column, result)] = results.items()
    assert column == "toollens dev"
    lines = [line for line in result.lines if not line.is_arm]
    assert [line.system for line in lines] == [
        "ours, balanced",
        "BM25 (bm25s)",
        "dense (numpy)",
        "RRF of the two",
        "mcpproxy-go (restated)",
        "ToolHive (restated)",
        "untrained MiniLM (numpy)",
        "FastMCP 4 BM25",
    ]
    for line in lines:
        assert line.metrics["Recall@5"] == 1, line.system
        assert 0 < line.p50 <= line.p95
    arms = {line.system: line.metrics["nDCG@10"] for line in result.lines if line.is_arm}
    assert arms["lexical only"] == lines[0].metrics["nDCG@10"] == 1
    assert {"without dense", "without lexical", "plain fusion"} <= arms.keys()

    shown = _reported(results)
    assert "nDCG@10 of ours, balanced" in shown
    assert "without dense" in shown
    assert "MISSED" not in shown
    draw(options, results)
    assert (tmp_path / "plots" / "quality_latency.png").read_bytes().startswith(b"\x89PNG")

    figures = json.loads(file.read_text(encoding="utf-8"))
    assert [target["verdict"] for target in figures["targets"]] == ["met"] * 3
    assert figures["results"]["toollens dev"]["lines"][0]["metrics"]["nDCG@10"] == 1


def test_growing_parts_hold_what_is_needed_and_all_of_the_smaller_ones(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(growth, "SIZES", (7, 9))
    options = parse(["--folder", str(folder), "--grow", "toollens"])
    found = list(problems(options, Settings()))
    assert [(problem.name, problem.is_whole) for problem in found] == [
        ("7", False),
        ("9", False),
        ("12", True),
    ]
    needed = {f"create {subject}" for subject in SUBJECTS}
    before: set[str] = needed
    for problem in found:
        assert len(problem.tools.ids) == len(problem.tools.definitions)
        assert before <= set(problem.tools.ids)
        assert len(problem.tasks) == len(SUBJECTS)
        before = set(problem.tools.ids)


def test_test_queries_measure_where_they_are_at_hand(folder: Path):
    options = parse(["--folder", str(folder)])
    assert [problem.name for problem in problems(options, Settings())] == ["toollens dev"]
    queries = folder / "toollens" / "queries.jsonl"
    text = queries.read_text(encoding="utf-8")
    queries.write_text(text.replace('"split": "dev"', '"split": "test"', 1), encoding="utf-8")
    [problem] = problems(options, Settings())
    assert (problem.name, len(problem.tasks)) == ("toollens test", 1)
    assert names_of(parse(["--folder", str(folder), "--split", "train"])) == []


def test_a_system_that_was_not_asked_everywhere_is_said_to_be_so(tmp_path: Path):
    each = {"nDCG@10": [0.5, 0.5]}
    ours, slow = Line("ours", each, 1, 2), Line("slow", each, 1, 2)
    results = {
        "500": ComparisonResult("any", "dev", 500, 2, False, [ours, slow]),
        "9,000": ComparisonResult("any", "dev", 9_000, 2, True, [ours]),
    }
    shown = _reported(results)
    [row] = {line.strip() for line in shown.splitlines() if "slow    0." in line}
    assert row.split() == ["slow", "0.500", "±0.000", "not", "asked"]
    assert "about more than 7,000 tools" in shown
    growth.draw(results, "in growing parts", tmp_path / "growth.png")
    assert (tmp_path / "growth.png").is_file()
