"""The growth of search times, from made-up figures."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

from rich.console import Console

from lab.bench import growth
from lab.bench.searching import ModeResult, Point
from lab.bench.timing import Latency


def point(cards: int, milliseconds: float) -> Point:
    """Returns a catalog where a search takes so long."""
    took = Latency(milliseconds, 2 * milliseconds, 1)
    return Point(cards, 0.0, [ModeResult("fast", took, {}, {}, 1.0, 1.0)])


def test_a_catalog_a_hundred_times_as_large_is_told_beside_the_times_it_takes():
    printed = StringIO()
    Console(file=printed, width=120).print(growth.table([point(1_000, 4), point(100_000, 10)]))
    assert ["100,000", "100.0", "10.0 / 20.0", "2.50"] in [
        [cell.strip() for cell in line.strip("│").split("│")]
        for line in printed.getvalue().splitlines()
    ]


def test_the_picture_is_a_png(tmp_path: Path):
    file = tmp_path / "plots" / "growth.png"
    growth.draw([point(1_000, 4), point(100_000, 10)], file)
    assert file.read_bytes().startswith(b"\x89PNG")
