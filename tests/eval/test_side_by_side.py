"""`make eval` in small: every system ranks, and the figures hang together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console

from quartermaster.settings import Settings
from tests.eval import growth
from tests.eval.__main__ import draw, parse, problems, report, run
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


@pytest.mark.slow
def test_every_system_finds_tools_by_their_words(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("QM_RUNTIME_DIR", str(shared_runtime_dir()))
    options = parse(
        ["--folder", str(folder), "--modes", "balanced", "--plots", str(tmp_path / "plots")]
    )
    results = run(options, tmp_path)
    [lines] = results.values()
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

    with Console(width=150, record=True, quiet=True) as console:
        report(results, console)
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
