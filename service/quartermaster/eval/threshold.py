"""Learns from gold pairs the two limits for a match: how probable the answer must be (threshold),
and how much more probable than the second answer it must be (gap).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from quartermaster.eval.metrics import RankedAnswer

MIN_MATCHES: Final = 30
_GAPS: Final = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
_MIN_THRESHOLD: Final = 0.5
_Z: Final = 1.96


@dataclass(frozen=True)
class GoldAnswers:
    """The first answers to gold pairs.

    Attributes:
        scores: probability of each first answer, shape (pairs,); 0 if nothing was found.
        gaps: difference between the probabilities of the first and the second answer, shape
            (pairs,).
        right: whether the first answer is an expected row, shape (pairs,).
        answerable: number of pairs that have an expected row.
    """

    scores: NDArray[np.float64]
    gaps: NDArray[np.float64]
    right: NDArray[np.bool_]
    answerable: int

    @classmethod
    def of(cls, answers: Sequence[RankedAnswer]) -> GoldAnswers:
        """Extracts the first answers from the answers to all pairs."""
        pairs = [[*(score for _, score in answer.found), 0.0, 0.0][:2] for answer in answers]
        first, second = np.array(pairs).T
        right = np.array([answer.rank == 1 for answer in answers])
        return cls(first, first - second, right, sum(bool(one.task.needs) for one in answers))


@dataclass(frozen=True)
class Cut:
    """The effect of a threshold and a gap.

    Attributes:
        threshold, gap: smallest probability and gap for a match.
        matches: number of matches.
        precision: share of matches that are right; low and high are its bounds with 95 %
            confidence (Wilson, 1927).
        recall: share of answerable pairs that are correctly matched.
    """

    threshold: float
    gap: float
    matches: int
    precision: float
    low: float
    high: float
    recall: float


def judge(firsts: GoldAnswers, threshold: float, gap: float) -> Cut:
    """Returns the number of matches that a threshold and a gap give, with precision and recall."""
    chosen = (firsts.scores >= max(threshold, _MIN_THRESHOLD)) & (firsts.gaps >= gap)
    matches, right = int(chosen.sum()), int(firsts.right[chosen].sum())
    low, high = wilson(right, matches)
    return Cut(
        threshold=threshold,
        gap=gap,
        matches=matches,
        precision=right / matches if matches else 1.0,
        low=low,
        high=high,
        recall=right / firsts.answerable if firsts.answerable else 0.0,
    )


def choose(firsts: GoldAnswers, precision: float) -> Cut | None:
    """Chooses a cut, that is, a threshold and a gap. Among the cuts that are precise enough, the
    cut with the most correct matches wins. Ties are decided by higher precision, then by a higher
    threshold, then by a smaller gap.

    Returns:
        The chosen cut; None if no cut with at least 30 matches is precise enough.
    """
    cuts = (judge(firsts, float(number / 100), gap) for number in range(50, 100) for gap in _GAPS)
    return max(
        (cut for cut in cuts if cut.matches >= MIN_MATCHES and cut.precision >= precision),
        key=lambda cut: (cut.recall, cut.precision, cut.threshold, -cut.gap),
        default=None,
    )


def wilson(right: int, count: int) -> tuple[float, float]:
    """Returns the 95 % confidence interval of a share (Wilson, 1927)."""
    if not count:
        return 0.0, 1.0
    share, z2 = right / count, _Z**2
    middle = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = _Z * sqrt(share * (1 - share) / count + z2 / (4 * count**2)) / (1 + z2 / count)
    return max(middle - half, 0.0), min(middle + half, 1.0)
