"""What is to be reached, beside made-up figures."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from tests.bench import tables
from tests.bench.budgets import over_budget, read_budget
from tests.bench.reconcile_mcp import BUDGET
from tests.bench.searching import ModeResult, Point
from tests.bench.service import Served
from tests.bench.targets import verdicts
from tests.bench.timing import Latency


def point(cards: int, p50: float, p95: float, recall: float = 0.99) -> Point:
    """A catalog with one mode."""
    return Point(cards, 0.0, [ModeResult("fast", Latency(p50, p95, 1), {}, {}, recall, 0.9701)])


def test_large_catalogs_are_judged_and_growth_from_the_smallest():
    points = [point(1_000, 2, 99), point(35_000, 8, 14), point(100_000, 10, 16.5)]
    found = [(one.cards, one.what, str(one)) for one in verdicts(points, None)]
    narrow = "recall of HNSW where 1 % may be seen"
    assert found == [
        (35_000, "p95 of select_tools, ms", "met"),
        (35_000, "recall of HNSW", "met"),
        (35_000, narrow, "MISSED by 0.0099"),
        (100_000, "p95 of select_tools, ms", "MISSED by 1.5"),
        (100_000, "recall of HNSW", "met"),
        (100_000, narrow, "MISSED by 0.0099"),
        (100_000, "times the median at 1,000", "met"),
    ]


def test_a_small_catalog_is_judged_where_there_is_no_larger_one():
    served = Served({"fast": Latency(10, 41, 1), "balanced": Latency(10, 150, 1)}, 1, 1, 1, 1)
    found = verdicts([point(300, 2, 3)], served)
    assert [(one.mode, one.measured, str(one)) for one in found if "MCP" in one.what] == [
        ("fast", 41, "MISSED by 1"),
        ("balanced", 150, "met"),
    ]
    assert {one.cards for one in found} == {300}

    printed = StringIO()
    Console(file=printed, width=120).print(tables.targets(found))
    assert "at least 0.98" in printed.getvalue()
    assert "at most 40" in printed.getvalue()


def test_what_is_over_its_budget_is_named():
    taken = {"search_lookup": Latency(9, 160, 1), "rerank of 20": Latency(9, 110, 1)}
    assert over_budget(taken, read_budget(BUDGET)) == ["search_lookup: 160.0 ms, budget 150 ms"]
    assert over_budget(taken, read_budget("")) == []
