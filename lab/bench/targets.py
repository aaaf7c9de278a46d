"""What searches are to take and to find, beside what they do."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Final

from lab.bench.searching import ModeResult, Point

# Of 35,000 tools, the smaller catalog that is asked for, the scan keeps some out.
LARGE_CATALOG_CARDS: Final = 30_000
SMALLEST_RECALL: Final = 0.98
P95_MS: Final = {"fast": 20.0, "balanced": 30.0}
SERVED_P95_MS: Final = {"fast": 50.0, "balanced": 120.0, "thorough": 300.0}


@dataclass(frozen=True)
class TargetVerdict:
    """A figure beside what it is to be.

    Attributes:
        cards: in the catalog.
        what: was measured.
        mode: of the search.
        bound: "at most" or "at least".
        target: what it is to be.
        measured: what came out.
        missed_by: 0 where the target is met.
    """

    cards: int
    what: str
    mode: str
    bound: str
    target: float
    measured: float
    missed_by: float

    def __str__(self) -> str:
        return f"MISSED by {self.missed_by:g}" if self.missed_by else "met"


def verdicts(points: Sequence[Point]) -> list[TargetVerdict]:
    """Returns every target, at the large catalogs, or at the largest where none is large.

    Args:
        points: by size, one or more.
    """
    large = [point for point in points if point.cards >= LARGE_CATALOG_CARDS] or [points[-1]]
    found = [one for point in large for one in _of_point(point)]
    return [*found, *_growth(points[0], points[-1])]


def _of_point(point: Point) -> Generator[TargetVerdict]:
    for mode in point.modes:
        yield from _of_mode(point.cards, mode)
    for name, latency in point.served.items():
        what = "p95 over MCP with embedding, ms"
        yield _at_most(point.cards, what, name, SERVED_P95_MS[name], latency.p95)


def _of_mode(cards: int, mode: ModeResult) -> Generator[TargetVerdict]:
    if mode.name in P95_MS:
        what = "p95 of select_tools, ms"
        yield _at_most(cards, what, mode.name, P95_MS[mode.name], mode.total.p95)
    for what, recall in (
        ("recall of HNSW", mode.recall),
        ("recall of HNSW where 1 % may be seen", mode.narrow_recall),
    ):
        missed_by = round(max(SMALLEST_RECALL - recall, 0), 4)
        yield TargetVerdict(cards, what, mode.name, "at least", SMALLEST_RECALL, recall, missed_by)


def _growth(first: Point, last: Point) -> Generator[TargetVerdict]:
    if last.cards <= first.cards:
        return
    times = round(last.cards / first.cards, 1)
    for mode, smallest in zip(last.modes, first.modes, strict=True):
        grown = round(mode.total.p50 / smallest.total.p50, 2)
        what = f"times the median at {first.cards:,}"
        yield _at_most(last.cards, what, mode.name, times, grown)


def _at_most(cards: int, what: str, mode: str, target: float, measured: float) -> TargetVerdict:
    missed_by = round(max(measured - target, 0), 2)
    return TargetVerdict(cards, what, mode, "at most", target, round(measured, 2), missed_by)
