"""Learns the probability that a card in a list is right, and how to recognise lists in which no
card fits.

The probability is a logistic function (Platt, Probabilistic Outputs for Support Vector Machines,
1999) of features of the card's place in its list, as in selection.rate_cards. Lists without a right
card have a smaller weight, because goals that no card serves are rarer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, log1p
from typing import Final

import numpy as np
from numpy.typing import NDArray

from quartermaster.eval.examples import INTERCEPT_NAME, Doubles
from quartermaster.eval.fitting import chances_at, standardised
from quartermaster.eval.gold import Task
from quartermaster.eval.metrics import Offer, brier_skill, calibration_error

PLACES: Final = ("odds", "lead", "rank", "best", "nearest")
# Features of the card itself, besides its place in the list.
OWN_FEATURES: Final = ("origin_dense", "common_nearest", "common_mean")
# The numbers of a list, from which selection.fit_of computes whether anything in it fits.
FIT: Final = ("fit_expected", "fit_odds", "fit_words", "fit")
FOLDS: Final = 5
# Among the goals that a card fits, at most this share may wrongly get the answer that nothing fits.
WRONG_REPORT: Final = 0.05
_READ_PLACES: Final = 10
_EXPECTED_SCORES: Final = 5
_SHOWN_CARDS: Final = 3
_RIDGE: Final = 3.0
# The scores in an explanation are rounded to four decimals.
_MIN_SCORE: Final = 5e-5


@dataclass(frozen=True)
class Listed:
    """A list of candidates for a goal.

    Attributes:
        task: the goal.
        served: whether a right card was in the catalog.
        scores: scores of the cards, best first, shape (cards,).
        nearest: largest cosine similarity between the goal and a card in the list.
        own: the features `OWN_FEATURES` of each card, shape (cards, features).
        right: whether each card is right, shape (cards,).
    """

    task: Task
    served: bool
    scores: Doubles
    nearest: float
    own: Doubles
    right: NDArray[np.bool_]

    @property
    def places(self) -> Doubles:
        """The features of the first cards, one row per card, in the order of `PLACES` and
        `OWN_FEATURES`.
        """
        chance = np.clip(self.scores, _MIN_SCORE, 1 - _MIN_SCORE)
        odds = np.log(chance / (1 - chance))
        others = np.full(len(odds), odds[0])
        others[0] = odds[1] if len(odds) > 1 else odds[0]
        same = np.ones(len(odds))
        rank = np.log(np.arange(1, len(odds) + 1))
        columns = [odds, odds - others, rank, same * odds[0], same * self.nearest, self.own]
        return np.column_stack(columns)[:_READ_PLACES]


@dataclass(frozen=True)
class Calibrated:
    """The learned weights, and their quality on goals that were not used for learning.

    Attributes:
        confidence: weights by feature.
        floor: threshold for the probability that a card fits; 95 % of the goals with a right card
            reach it.
        said: among the goals without a right card, the share whose probability is below `floor`.
        error: expected calibration error of the first three cards for goals with a right card.
        skill: Brier skill score of the same cards.
    """

    confidence: dict[str, float]
    floor: float
    said: float
    error: float
    skill: float


def calibrate(lists: Sequence[Listed], unserved: float = 0.2) -> Calibrated:
    """Learns the probability from lists.

    Args:
        lists: lists with a right card, and lists from which the right cards were left out.
        unserved: weight of a list without a right card. Other lists have the weight 1.

    Raises:
        ValueError: no list has a right card, or every list has one.
    """
    if len({one.served for one in lists}) < 2:
        raise ValueError("lists with and without right cards are needed")
    folds = np.array([one.task.fold(FOLDS) for one in lists])
    lines = {
        fold: _fit([one for one, own in zip(lists, folds, strict=True) if own != fold], unserved)
        for fold in set(folds.tolist())
    }
    chances = [
        chances_at(lines[fold], one.places) for one, fold in zip(lists, folds.tolist(), strict=True)
    ]
    served = np.array([one.served for one in lists])
    numbers = np.array([_numbers(*pair) for pair in zip(lists, chances, strict=True)])
    fits = np.zeros(len(lists))
    for fold in np.unique(folds):
        inside = folds == fold
        own = _fit_lists(numbers[~inside], served[~inside])
        fits[inside] = chances_at(own, numbers[inside])
    floor = float(np.quantile(fits[served], WRONG_REPORT))
    offers = [
        Offer("", float(chance), bool(is_right), is_weak=False)
        for one, own in zip(lists, chances, strict=True)
        if one.served
        for chance, is_right in zip(own[:_SHOWN_CARDS], one.right, strict=False)
    ]
    line = np.append(_fit(lists, unserved), _fit_lists(numbers, served))
    return Calibrated(
        confidence=dict(
            zip((*PLACES, *OWN_FEATURES, INTERCEPT_NAME, *FIT), line.tolist(), strict=True)
        ),
        floor=floor,
        said=float((fits[~served] < floor).mean()),
        error=calibration_error(offers) or 0.0,
        skill=brier_skill(offers) or 0.0,
    )


def _fit(lists: Sequence[Listed], unserved: float) -> Doubles:
    given = np.concatenate([one.places for one in lists])
    right = np.concatenate([one.right[:_READ_PLACES] for one in lists]).astype(np.float64)
    sizes = [min(len(one.right), _READ_PLACES) for one in lists]
    weight = np.repeat([1.0 if one.served else unserved for one in lists], sizes)
    return standardised(given, right, weight, _RIDGE)


def _numbers(listed: Listed, chances: Doubles) -> list[float]:
    score = np.clip(np.sort(listed.scores)[::-1][:_EXPECTED_SCORES], _MIN_SCORE, 1 - _MIN_SCORE)
    expected = float(np.sort(chances)[::-1][:_EXPECTED_SCORES].sum())
    odds = float((score / (1 - score)).sum())
    return [log(expected), log(odds), log1p(len(listed.task.goal.split()))]


def _fit_lists(given: Doubles, served: NDArray[np.bool_]) -> Doubles:
    return standardised(given, served.astype(np.float64), np.ones(len(given)), _RIDGE)
