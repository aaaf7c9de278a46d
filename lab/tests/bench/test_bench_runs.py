"""`make bench` in small: every step runs, and its figures hang together."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from lab.bench.__main__ import QUICK_QUESTIONS, QUICK_TOOLS, parse, run
from lab.bench.targets import SMALLEST_RECALL


@pytest.mark.slow
def test_a_quick_run_measures_everything(tmp_path: Path):
    report = run(parse(["--quick"]))
    assert (report.imported.tools, report.imported.rejected) == (QUICK_TOOLS, 0)
    assert (report.embedding.texts, report.embedding.is_sample) == (QUICK_TOOLS, False)
    [point] = report.points
    assert point.cards == QUICK_TOOLS
    assert [mode.name for mode in point.modes] == ["fast", "balanced", "thorough"]
    assert report.unchanged.texts == 0
    assert point.served.keys() == {"fast", "balanced", "thorough"}
    assert report.memory is not None
    assert 0 < report.memory.backend_pss_mb < report.memory.rss_mb
    for mode in point.modes:
        assert mode.narrow_recall >= SMALLEST_RECALL
        assert mode.total.count == QUICK_QUESTIONS
        assert 0 < mode.total.p50 <= mode.total.p95
        assert mode.recall >= SMALLEST_RECALL

    assert report.rights is not None
    assert report.rights.classes > 100
    assert report.rights.ratios.keys() == {"fast", "balanced", "thorough"}

    assert report.snapshots is not None
    assert report.snapshots.tools >= QUICK_TOOLS
    assert min(report.snapshots.create_s, report.snapshots.activate_s) > 0

    printed = StringIO()
    report.print(Console(file=printed, width=120))
    assert "select_tools" in printed.getvalue()
    assert "What is to be reached" in printed.getvalue()
    assert f"Cost of rights at {QUICK_TOOLS} tools" in printed.getvalue()
    assert f"A snapshot of {report.snapshots.tools} tools" in printed.getvalue()
    report.write(tmp_path / "figures.json")
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert figures["points"][0]["modes"][0]["ratios"].keys() == {"dense / numpy", "bm25 / bm25s"}
    assert {target["cards"] for target in figures["targets"]} == {QUICK_TOOLS}
