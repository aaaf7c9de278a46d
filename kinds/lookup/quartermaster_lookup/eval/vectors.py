"""Tests whether vectors improve the answers of a lookup table, and finds their best weight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from quartermaster.eval.examples import INTERCEPT_NAME, Numbers, RankingExamples
from quartermaster.eval.metrics import CORE, recalls
from quartermaster_lookup.eval.fitting import FOLDS
from quartermaster_lookup.eval.lookups import SCORE

LEAST_GAIN: Final = 0.01
"""Vectors are worth their cost if Recall@1 rises by at least this share of the pairs."""

COSINE: Final = "sem"
_WEIGHTS: Final = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


@dataclass(frozen=True)
class VectorTrial:
    """The effect of vectors on a table, measured by cross-validation. All pairs of an entity are in
    the same fold.

    Attributes:
        pairs: number of core pairs on which the effect is measured.
        dense: Recall@1 and @5 with vectors alone.
        without, combined: Recall@1 and @5 of the table's score, without and with vectors.
        weights: the weights of the vectors, chosen on all pairs, for api.configure_lookup_vectors.
    """

    pairs: int
    dense: tuple[float, float]
    without: tuple[float, float]
    combined: tuple[float, float]
    weights: dict[str, dict[str, float]]

    @property
    def pays(self) -> bool:
        """Whether Recall@1 rises by at least `LEAST_GAIN`, and Recall@5 does not fall."""
        gain = self.combined[0] - self.without[0]
        return gain >= LEAST_GAIN and self.combined[1] >= self.without[1]


def core_of(examples: RankingExamples) -> RankingExamples:
    """Returns the goals whose difficulty is in `CORE`."""
    return examples.where(lambda task: task.tier in CORE)


def weigh_vectors(without: RankingExamples, combined: RankingExamples) -> VectorTrial:
    """Chooses the weight with which the cosine is added to the table's score: the weight with which
    the largest number of right rows ranks first.

    The mean cosine is subtracted, so that adding the cosine does not change the confidence on
    average.

    Args:
        without: candidates for the pairs in one table, found without vectors.
        combined: candidates for the same pairs, found with vectors.
    """
    asked = core_of(combined)
    folds = np.array([task.fold(FOLDS) for task in asked.tasks])
    ranks = {weight: asked.ranks({SCORE: 1, COSINE: weight}) for weight in _WEIGHTS}
    judged = np.zeros(len(folds), dtype=np.int64)
    for fold in np.unique(folds):
        held = folds == fold
        judged[held] = ranks[_best(ranks, ~held)][held]
    weight = _best(ranks, np.ones(len(folds), dtype=np.bool_))
    return VectorTrial(
        pairs=len(folds),
        dense=recalls(asked.ranks({COSINE: 1})),
        without=recalls(core_of(without).ranks({SCORE: 1})),
        combined=recalls(judged),
        weights={"score": {COSINE: weight, INTERCEPT_NAME: round(-weight * _mean(combined), 4)}},
    )


def _best(ranks: Mapping[float, Numbers], known: NDArray[np.bool_]) -> float:
    """Returns the weight with which the largest number of right rows ranks first. If several
    weights are equally good, the better ranks of the other right rows decide, and then the smaller
    weight.
    """

    def worth(weight: float) -> tuple[int, float, float]:
        own = ranks[weight][known]
        return int((own == 1).sum()), float((1 / own[own > 0]).sum()), -weight

    return max(ranks, key=worth)


def _mean(examples: RankingExamples) -> float:
    """Returns the mean cosine of the names that rank first by the score."""
    scores, best = examples.best(examples.values({SCORE: 1}))
    firsts = examples.order(scores)[examples.starts]
    return float(examples.values({COSINE: 1})[best[firsts]].mean())
