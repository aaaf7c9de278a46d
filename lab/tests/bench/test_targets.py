"""What is to be reached, beside made-up figures."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from lab.bench import tables
from lab.bench.budgets import over_budget, read_budget
from lab.bench.reconcile_mcp import BUDGET
from lab.bench.searching import ModeResult, Point
from lab.bench.targets import verdicts
from lab.bench.timing import Latency


def point(cards: int, p50: float, p95: float, served: dict[str, Latency] | None = None) -> Point:
    """Returns a catalog with one mode."""
    mode = ModeResult("fast", Latency(p50, p95, 1), {}, {}, recall=0.99, narrow_recall=0.9701)
    return Point(cards, 0.0, [mode], served or {})


def test_large_catalogs_are_judged_and_growth_from_the_smallest():
    served = {"fast": Latency(10, 51, 1), "thorough": Latency(10, 300, 1)}
    points = [
        point(1_000, 2, 99, served),
        point(35_000, 8, 14, served),
        point(100_000, 10, 21.5, served),
    ]
    found = [(one.cards, one.what, one.mode, str(one)) for one in verdicts(points)]
    narrow = "recall of HNSW where 1 % may be seen"
    over_mcp = "p95 over MCP with embedding, ms"
    assert found == [
        (35_000, "p95 of select_tools, ms", "fast", "met"),
        (35_000, "recall of HNSW", "fast", "met"),
        (35_000, narrow, "fast", "MISSED by 0.0099"),
        (35_000, over_mcp, "fast", "MISSED by 1"),
        (35_000, over_mcp, "thorough", "met"),
        (100_000, "p95 of select_tools, ms", "fast", "MISSED by 1.5"),
        (100_000, "recall of HNSW", "fast", "met"),
        (100_000, narrow, "fast", "MISSED by 0.0099"),
        (100_000, over_mcp, "fast", "MISSED by 1"),
        (100_000, over_mcp, "thorough", "met"),
        (100_000, "times the median at 1,000", "fast", "met"),
    ]


def test_a_small_catalog_is_judged_where_there_is_no_larger_one():
    found = verdicts([point(300, 2, 3)])
    assert {one.cards for one in found} == {300}

    printed = StringIO()
    Console(file=printed, width=120).print(tables.targets(found))
    assert "at least 0.98" in printed.getvalue()
    assert "at most 20" in printed.getvalue()


def test_searches_stand_beside_their_budgets():
    points = [point(35_000, 8, 14, {"fast": Latency(10, 41, 1)}), point(100_000, 9, 15)]
    printed = StringIO()
    Console(file=printed, width=120).print(tables.latency(points))
    rows = [line.replace("│", " ").split() for line in printed.getvalue().splitlines()]
    assert ["35,000", "fast", "8.00", "/", "14.00", "20", "10.00", "/", "41.00", "50"] in rows
    assert ["100,000", "fast", "9.00", "/", "15.00", "20", "50"] in rows


def test_what_is_over_its_budget_is_named():
    taken = {"search_lookup": Latency(9, 160, 1), "rerank of 20": Latency(9, 110, 1)}
    assert over_budget(taken, read_budget(BUDGET)) == ["search_lookup: 160.0 ms, budget 150 ms"]
    assert over_budget(taken, read_budget("")) == []
