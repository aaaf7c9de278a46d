"""What answers of lookup tables are worth, tier by tier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from quartermaster.eval.lookup_gold import Pair

CORE: Final = ("lexical", "alias", "abbreviation")
TIERS: Final = (*CORE, "property", "knowledge")
PRECISION: Final = 0.98


@dataclass(frozen=True)
class Answer:
    """What was answered to a query.

    Attributes:
        pair: the query and its answers.
        rank: of the first right row, from 1; None where there is none.
        score: of the first row; 0 where nothing was found.
        matched: whether the first row is called a match.
        found: ids of the rows and their probabilities, best first.
    """

    pair: Pair
    rank: int | None
    score: float
    matched: bool = False
    found: tuple[tuple[str, float], ...] = ()

    @property
    def is_right(self) -> bool:
        """Whether the first row is right."""
        return self.rank == 1


def summary(answers: Sequence[Answer], latency_ms: dict[str, float]) -> dict[str, Any]:
    """All numbers of an evaluation.

    Args:
        answers: one or more.
        latency_ms: as it is to stand there.
    """
    core = [answer for answer in answers if answer.pair.tier in CORE]
    judged = [*core, *(answer for answer in answers if answer.pair.tier == "nil")]
    groups = {"core": core, "core_real": [a for a in core if a.pair.origin == "real"]}
    groups |= {tier: [a for a in answers if a.pair.tier == tier] for tier in TIERS}
    scores, right = curve(judged)
    return {
        "tiers": {name: _tier(group) for name, group in groups.items() if group},
        "auto_match_recall@p98": _rounded(recall_at(scores, right, len(core), PRECISION)),
        "nil_auroc": _rounded(_auroc(judged)),
        "calibration": _rounded(_share_right(judged, 0.875, 0.925)),
        "latency_ms": latency_ms,
    }


def curve(answers: Sequence[Answer]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Scores of first answers, falling, and how many of those up to each are right."""
    ordered = sorted(answers, key=lambda answer: -answer.score)
    scores = np.array([answer.score for answer in ordered])
    return scores, np.cumsum([answer.is_right for answer in ordered])


def recall_at(
    scores: NDArray[np.float64], right: NDArray[np.int64], total: int, precision: float
) -> float | None:
    """Share of the answerable whose right answer stands above the lowest score at which so many
    answers are right; None where nothing is answerable."""
    cut = cut_at(scores, right, precision)
    if not total:
        return None
    return float(right[cut] / total) if cut is not None else 0.0


def cut_at(scores: NDArray[np.float64], right: NDArray[np.int64], precision: float) -> int | None:
    """Number of the last answer, of those ordered by `curve`, at which precision still holds."""
    share = right / np.arange(1, len(right) + 1)
    # Answers of one score stand or fall together.
    is_last = np.append(scores[1:] < scores[:-1], True)
    holds = np.flatnonzero((share >= precision) & is_last)
    return int(holds[-1]) if len(holds) else None


def _tier(answers: Sequence[Answer]) -> dict[str, float | int]:
    ranks = [answer.rank or 0 for answer in answers]
    return {
        "R@1": round(fmean(rank == 1 for rank in ranks), 4),
        "R@5": round(fmean(0 < rank <= 5 for rank in ranks), 4),
        "MRR": round(fmean(1 / rank if rank else 0.0 for rank in ranks), 4),
        "n": len(ranks),
    }


def _auroc(answers: Sequence[Answer]) -> float | None:
    """How often a right first answer scores above the answer to an unanswerable query."""
    right = np.array([a.score for a in answers if a.pair.expected and a.is_right])
    none = np.sort([a.score for a in answers if not a.pair.expected])
    if not len(right) or not len(none):
        return None
    below = np.searchsorted(none, right, "left") + np.searchsorted(none, right, "right")
    return float(below.mean() / (2 * len(none)))


def _share_right(answers: Sequence[Answer], low: float, high: float) -> float | None:
    inside = [answer.is_right for answer in answers if low <= answer.score < high]
    return fmean(inside) if inside else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
