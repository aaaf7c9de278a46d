"""Measures the quality of rankings: recall, nDCG, MRR, completeness, share of useless results, and
calibration of the scores.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from statistics import fmean
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quartermaster.eval.gold import Need, Task

POOL: Final = 100
CUTS: Final = (1, 5, 10)
CORE: Final = ("lexical", "alias", "abbreviation")
TIERS: Final = (*CORE, "property", "knowledge")
PRECISION: Final = 0.98
JUDGED_PLACES: Final = 3
CONFIDENT_SCORE: Final = 0.8
_BINS: Final = 10


@dataclass(frozen=True)
class Offer:
    """A card that is shown for a goal.

    Attributes:
        key: id of the item.
        score: its score, which is the probability that the card is right.
        is_right: whether the card meets a need of the goal.
        is_weak: whether it is marked as a weak match.
    """

    key: str
    score: float
    is_right: bool
    is_weak: bool = False


@dataclass(frozen=True)
class RankedAnswer:
    """The ranked answers to a goal that has one need, or that nothing serves.

    Attributes:
        task: the goal and its right answers.
        rank: rank of the first right answer, from 1; 0 if there is none.
        score: score of the first answer; 0 if nothing was found.
        found: ids found with their probabilities, best first.
    """

    task: Task
    rank: int
    score: float
    found: tuple[tuple[str, float], ...] = ()


def collapsed(ranking: Iterable[str], groups: Mapping[str, str]) -> list[str]:
    """Converts a ranking of ids to a ranking of groups. Each group gets the best rank of its
    items.
    """
    return list(dict.fromkeys(groups.get(item, item) for item in ranking))


def hit_ranks(ranking: Sequence[str], needs: Iterable[Need]) -> list[int]:
    """Returns the ranks of the hits, from 1. A hit is a group that meets a need which no
    better-ranked group has met. Each hit meets exactly one need.

    Args:
        ranking: the ranked groups, best first.
        needs: needs of the goal.
    """
    open_needs = list(needs)
    ranks: list[int] = []
    for rank, group in enumerate(ranking, start=1):
        fitting = [need for need in open_needs if group in need.accepted]
        if fitting:
            open_needs.remove(next((need for need in fitting if need.group == group), fitting[0]))
            ranks.append(rank)
    return ranks


def measures(
    ranking: Sequence[str], needs: Sequence[Need], groups: Mapping[str, str]
) -> dict[str, float]:
    """Returns the quality measures for a ranking, each between 0 and 1.

    Args:
        ranking: the ranked ids, best first, as many as the pool contains.
        needs: needs of the goal, one or more.
        groups: groups of near-duplicates, by id.
    """
    return quality(hit_ranks(collapsed(ranking, groups), needs), len(needs))


def quality(ranks: Sequence[int], total: int) -> dict[str, float]:
    """Returns the quality measures for a ranking from the ranks of its hits.

    Recall is the share of needs that are met; nDCG has binary gains (Jarvelin and Kekalainen,
    2002); MRR considers only the first hit; completeness is 1 if all needs are met.

    Args:
        ranks: ranks of the hits, from 1, in ascending order.
        total: number of needs, one or more.
    """
    found = {cut: sum(rank <= cut for rank in ranks) / total for cut in (*CUTS, POOL)}
    gain = sum(1 / log2(rank + 1) for rank in ranks if rank <= 10)
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(total, 10) + 1))
    return {
        **{f"Recall@{cut}": found[cut] for cut in CUTS},
        "nDCG@10": gain / ideal,
        "MRR": 1 / ranks[0] if ranks else 0.0,
        "completeness@10": float(found[10] == 1),
        "pool_recall@100": found[POOL],
    }


def exposure_waste(
    exposed: Sequence[str], needs: Sequence[Need], groups: Mapping[str, str]
) -> float:
    """Returns the share of shown items that met no open need, such as a second near-duplicate.

    Args:
        exposed: ids in the order shown.
        needs: needs of the goal.
        groups: groups of near-duplicates, by id.
    """
    if not exposed:
        return 0.0
    hits = hit_ranks([groups.get(item, item) for item in exposed], needs)
    return 1 - len(hits) / len(exposed)


def graded_ndcg(ranking: Sequence[str], grades: Mapping[str, float]) -> float:
    """Returns nDCG@10 over grades. The gain of a card is ``2 ** grade - 1`` (Burges et al.,
    Learning to rank using gradient descent, ICML 2005). Its discount is ``1 / log2(rank + 1)``
    (Jarvelin and Kekalainen, 2002). The ideal ranking sorts the cards by grade. The result is 0 if
    no grade is above 0.

    Args:
        ranking: the ranked groups, best first.
        grades: grades by group; a group without a grade has 0.
    """
    ideal = _gain(sorted(grades.values(), reverse=True))
    return _gain([grades.get(group, 0.0) for group in ranking]) / ideal if ideal else 0.0


def _gain(grades: Sequence[float]) -> float:
    return sum((2**grade - 1) / log2(rank + 1) for rank, grade in enumerate(grades[:10], start=1))


def shown_recall(exposed: Sequence[str], needs: Sequence[Need], groups: Mapping[str, str]) -> float:
    """Returns the share of needs that the shown items meet.

    Args:
        exposed: ids in the order shown.
        needs: needs of the goal, one or more.
        groups: groups of near-duplicates, by id.
    """
    return len(hit_ranks([groups.get(item, item) for item in exposed], needs)) / len(needs)


def says_nothing_fits(offers: Sequence[Offer]) -> bool:
    """Returns whether an answer says that nothing fits, because it shows no cards, or only weak
    matches.
    """
    return all(offer.is_weak for offer in offers)


def calibration_error(offers: Sequence[Offer]) -> float | None:
    """Returns the expected calibration error of scores; None if there are no scores.

    The scores are divided into ten bins of equal width. The result is the mean of ``|share of right
    cards - mean score|`` over the bins, weighted by the number of scores in the bin (Naeini, Cooper
    and Hauskrecht, AAAI 2015; Guo et al., ICML 2017).
    """
    if not offers:
        return None
    scores = np.clip([offer.score for offer in offers], 0, 1)
    surplus = np.array([offer.is_right for offer in offers]) - scores
    bins = np.minimum((scores * _BINS).astype(np.int64), _BINS - 1)
    return float(np.abs(np.bincount(bins, weights=surplus)).sum() / len(offers))


def brier_skill(offers: Sequence[Offer]) -> float | None:
    """Returns the Brier skill score, ``1 - B / B0``. Returns None if all cards are right, or all
    are wrong.

    B is the mean squared difference between the score and the outcome (1 for a right card, 0
    otherwise). B0 is the same for a forecast that always predicts the share of right cards. 1 is
    perfect; 0 is no better than that forecast (Brier 1950; Wilks, Statistical methods in the
    atmospheric sciences).
    """
    right = np.array([offer.is_right for offer in offers], dtype=np.float64)
    if not right.size or right.min() == right.max():
        return None
    scores = np.array([offer.score for offer in offers])
    return float(1 - ((scores - right) ** 2).mean() / right.var())


def summary(
    answers: Sequence[RankedAnswer], latency_ms: dict[str, float], apart: Collection[str] = ()
) -> dict[str, Any]:
    """Returns the figures for ranked answers: the quality in each tier, how well the probabilities
    separate right from wrong answers, and the latencies.

    Args:
        answers: the answers, one or more.
        latency_ms: latencies to include in the result.
        apart: keys of tasks whose right rows have different names. No single row can be matched, so
            these tasks do not count in the recall of automatic matches.
    """
    core = [answer for answer in answers if answer.task.tier in CORE]
    judged = [*core, *(answer for answer in answers if answer.task.tier == "nil")]
    groups = {"core": core, "core_real": [a for a in core if a.task.source == "real"]}
    groups |= {tier: [a for a in answers if a.task.tier == tier] for tier in TIERS}
    clear = [answer for answer in judged if answer.task.key not in apart]
    total = sum(answer.task.tier != "nil" for answer in clear)
    scores, right = curve(clear)
    cut = cut_at(scores, right, PRECISION)
    recall = (float(right[cut] / total) if cut is not None else 0.0) if total else None
    sure = [answer.rank == 1 for answer in judged if 0.875 <= answer.score < 0.925]
    certainty = {
        "auto_match_recall@p98": recall,
        "nil_auroc": auroc(
            [a.score for a in judged if a.task.needs and a.rank == 1],
            [a.score for a in judged if not a.task.needs],
        ),
        "calibration": fmean(sure) if sure else None,
    }
    return {
        "tiers": {name: _tier(group) for name, group in groups.items() if group},
        **{name: value if value is None else round(value, 4) for name, value in certainty.items()},
        "latency_ms": latency_ms,
    }


def _tier(answers: Sequence[RankedAnswer]) -> dict[str, float | int]:
    each = [quality([answer.rank] if answer.rank else [], 1) for answer in answers]
    shown = {"R@1": "Recall@1", "R@5": "Recall@5", "MRR": "MRR"}
    means = {key: round(fmean(one[name] for one in each), 4) for key, name in shown.items()}
    return {**means, "n": len(answers)}


def recalls(ranks: ArrayLike) -> tuple[float, float]:
    """Returns Recall@1 and Recall@5. Ranks start at 1, and 0 means not found. Both are 0 if there
    are no ranks.
    """
    given = np.asarray(ranks)
    if not given.size:
        return 0.0, 0.0
    return float((given == 1).mean()), float(((given > 0) & (given <= 5)).mean())


def curve(answers: Sequence[RankedAnswer]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Returns the scores of the first answers in descending order, and the cumulative number of
    right answers.
    """
    ordered = sorted(answers, key=lambda answer: -answer.score)
    scores = np.array([answer.score for answer in ordered])
    return scores, np.cumsum([answer.rank == 1 for answer in ordered])


def cut_at(scores: NDArray[np.float64], right: NDArray[np.int64], precision: float) -> int | None:
    """Returns the index of the last answer in `curve` for which this answer and all answers before
    it together have the required precision; None if there is none.
    """
    share = right / np.arange(1, len(right) + 1)
    # Answers with equal scores are kept together.
    is_last = np.append(scores[1:] < scores[:-1], True)
    holds = np.flatnonzero((share >= precision) & is_last)
    return int(holds[-1]) if len(holds) else None


def auroc(right: Sequence[float], wrong: Sequence[float]) -> float | None:
    """Returns the probability that a score in `right` exceeds a score in `wrong`. Ties count as one
    half. Returns None if one of the lists is empty.
    """
    if not right or not wrong:
        return None
    ordered = np.sort(wrong)
    below = np.searchsorted(ordered, right, "left") + np.searchsorted(ordered, right, "right")
    return float(below.mean() / (2 * len(wrong)))


def percentiles(seconds: Sequence[float], digits: int = 3) -> dict[str, float]:
    """Returns the median and the 95th percentile of durations, in milliseconds."""
    p50, p95 = np.percentile(np.array(seconds) * 1000, [50, 95]).tolist()
    return {"p50": round(p50, digits), "p95": round(p95, digits)}
