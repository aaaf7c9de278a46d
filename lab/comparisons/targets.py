"""What the ranking is to reach, beside what it reaches.

Published baselines are those of `shared/data/retrieval`, on the test queries of each set.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Final

from lab.comparisons.line import ComparisonResult, Line, half_width
from lab.comparisons.rivals import Bm25, Dense, Untrained

# Neither the embedding model nor the coefficients have seen a query of these.
UNSEEN_SETS: Final = frozenset(("toollens", "ultratool", "mcpcatalog"))
JUDGED_SYSTEM: Final = "ours, balanced"
_NDCG: Final = "nDCG@10"


@dataclass(frozen=True)
class Target:
    """What a set asks for.

    Attributes:
        measure: of the ranking.
        reach: its value, at least.
        published: what others or baselines have.
    """

    measure: str
    reach: float
    published: str


def _ndcg(reach: float, bm25: float, minilm: float, rrf: float) -> Target:
    return Target(_NDCG, reach, f"BM25 {bm25:.3f}, MiniLM {minilm:.3f}, RRF {rrf:.3f}")


TARGETS: Final[Mapping[str, tuple[Target, ...]]] = {
    "toolbench": (_ndcg(0.74, 0.638, 0.557, 0.627),),
    "metatool": (_ndcg(0.80, 0.519, 0.625, 0.655),),
    "toollinkos": (_ndcg(0.95, 0.803, 0.896, 0.892),),
    "bfcl": (_ndcg(0.91, 0.760, 0.788, 0.839),),
    "sealtools": (_ndcg(0.95, 0.855, 0.660, 0.797),),
    "livemcpbench": (_ndcg(0.50, 0.346, 0.377, 0.398),),
    "toollens": (_ndcg(0.48, 0.342, 0.315, 0.367),),
    "ultratool": (_ndcg(0.77, 0.656, 0.624, 0.699),),
    "mcpcatalog": (
        _ndcg(0.42, 0.265, 0.199, 0.273),
        Target("pool_recall@100", 0.82, "RRF 0.651"),
    ),
    "mcpproxy-golden": (Target("Recall@5", 0.681, "mcpproxy-go 0.681"),),
}


@dataclass(frozen=True)
class ComparisonVerdict:
    """A figure beside what it is to reach.

    Attributes:
        on: name of the result.
        measure: what was measured, of which system.
        beside: whose figure is to be reached, or what was published.
        reach: the figure.
        measured: what came out.
        half_width: half of the 95 % interval, of `measured` where `reach` is a fixed figure, of
            the difference where both were measured on the same queries.
        missed_by: 0 where the figure is reached.
    """

    on: str
    measure: str
    beside: str
    reach: float
    measured: float
    half_width: float
    missed_by: float

    def __str__(self) -> str:
        return f"MISSED by {self.missed_by:.3f}" if self.missed_by else "met"


def verdicts(results: Mapping[str, ComparisonResult]) -> list[ComparisonVerdict]:
    """Returns every target that these results answer, in their order.

    Args:
        results: by name.
    """
    return [one for name, result in results.items() for one in _of(name, result)]


def _of(name: str, result: ComparisonResult) -> Generator[ComparisonVerdict]:
    ours = result.line(JUDGED_SYSTEM)
    if ours is not None:
        for target in TARGETS.get(result.set, ()) if result.is_whole else ():
            yield _fixed(name, ours, target)
        channels = [line for key in (Bm25.name, Dense.name) if (line := result.line(key))]
        if channels:
            best = max(channels, key=lambda line: line.metrics[_NDCG])
            yield _compared(name, ours, best, f"best single channel: {best.system}")
    trained, untrained = result.line(Dense.name), result.line(Untrained.name)
    if trained and untrained:
        yield _compared(name, trained, untrained, untrained.system)


def _fixed(name: str, ours: Line, target: Target) -> ComparisonVerdict:
    measured = ours.metrics[target.measure]
    return ComparisonVerdict(
        on=name,
        measure=f"{target.measure}, {ours.system}",
        beside=f"target; published: {target.published}",
        reach=target.reach,
        measured=measured,
        half_width=ours.half_widths[target.measure],
        missed_by=_missed(target.reach, measured),
    )


def _compared(name: str, ours: Line, other: Line, beside: str) -> ComparisonVerdict:
    pairs = zip(ours.each[_NDCG], other.each[_NDCG], strict=True)
    reach, measured = other.metrics[_NDCG], ours.metrics[_NDCG]
    return ComparisonVerdict(
        on=name,
        measure=f"{_NDCG}, {ours.system}",
        beside=beside,
        reach=reach,
        measured=measured,
        half_width=half_width([one - another for one, another in pairs]),
        missed_by=_missed(reach, measured),
    )


def _missed(reach: float, measured: float) -> float:
    return round(max(reach - measured, 0.0), 4)
