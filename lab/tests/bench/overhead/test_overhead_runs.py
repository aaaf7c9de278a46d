"""The overhead bench in small: every step runs, and its figures hang together."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from lab.bench.overhead.__main__ import parse, run


@pytest.mark.slow
def test_a_quick_run_measures_ours_beside_no_gateway(stopped_data_dir: Path, tmp_path: Path):
    report = run(parse(["--quick"]), stopped_data_dir)
    assert [path.text for path, _ in report.paths] == [
        "http to http, stateless client",
        "http to http, session client",
    ]
    for _, found in report.paths:
        of = {one.arm: one for one in found}
        assert {"direct", "ours"} <= of.keys()
        for one in found:
            assert one.failure == ""
            assert one.latency is not None
            assert one.latency.count == 10
            assert 0 < one.latency.p50 <= one.latency.p95
            assert min(one.per_second.values()) > 0
        assert of["ours"].memory_mb > 10 > of["direct"].memory_mb

    printed = StringIO()
    report.print(Console(file=printed, width=120))
    assert "http to http, session client" in printed.getvalue()
    report.write(tmp_path / "figures.json")
    assert len(json.loads((tmp_path / "figures.json").read_text())["paths"]) == 2
