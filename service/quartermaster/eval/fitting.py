"""Learns the weights of the score: a linear model that puts what was needed first.

The loss of a goal is the cross-entropy between the softmax of its candidates' scores and the
needed ones, each an equal share (ListNet with binary gains: Cao et al., Learning to Rank: From
Pairwise Approach to Listwise Approach, 2007). Every set counts the same, whatever its size.
What was learned knows the sets it was learned on; so the weights of plain fusion are added, so many
times: over sets it was not learned on that kept what fusion has (docs/lab/minilm-tools.md).
The scores are then made probabilities by a scale and an intercept (Platt, 1999).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from quartermaster.eval.examples import Examples

INTERCEPT: Final = "intercept"
FUSION: Final = {"lexical_relative": 1.0, "dense_relative": 1.5}
_STEPS: Final = 800
_RATE: Final = 0.05
_NEWTON_STEPS: Final = 50

Floats = NDArray[np.float64]


def fit(sets: Sequence[Examples], penalty: float = 3e-3, fusion: float = 8.0) -> dict[str, float]:
    """The weight of each feature, and the intercept.

    Args:
        sets: with the same features. Goals with no needed candidate teach nothing.
        penalty: of the squared weights of standardised features.
        fusion: how many times the weights of plain fusion are added; 0 for sets that are all
            there will be.

    Raises:
        ValueError: no goal has a needed candidate.
    """
    features = np.concatenate([one.features for one in sets])
    needed = np.concatenate([one.needed for one in sets]).astype(np.float64)
    starts, importance = _queries(sets, needed)
    mean, deviation = features.mean(axis=0), features.std(axis=0) + 1e-6
    standard = (features - mean) / deviation
    weights = _rank(standard, needed, starts, importance, penalty)
    weights += fusion * deviation * [FUSION.get(name, 0.0) for name in sets[0].names]
    scale, intercept = _calibrate(standard @ weights, needed, starts, importance)
    slopes = scale * weights / deviation
    found = dict(zip(sets[0].names, slopes.tolist(), strict=True))
    return {INTERCEPT: float(intercept - mean @ slopes), **found}


def _queries(sets: Sequence[Examples], needed: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Where each goal begins, and how much it counts."""
    first = 0
    importance: list[Floats] = []
    starts: list[NDArray[np.int64]] = []
    for one in sets:
        begins = np.flatnonzero(np.diff(one.goal, prepend=-1))
        teaches = np.add.reduceat(one.needed.astype(np.float64), begins) > 0
        starts.append(begins + first)
        importance.append(teaches / max(1.0, float(teaches.sum())))
        first += len(one.goal)
    whole = np.concatenate(importance)
    if whole.sum() == 0 or needed.sum() == 0:
        raise ValueError("no goal has a needed candidate")
    return np.concatenate(starts), whole / whole.sum()


def _rank(
    features: Floats, needed: Floats, starts: NDArray[np.int64], importance: Floats, penalty: float
) -> Floats:
    """Gradient descent with Adam's step sizes (Kingma and Ba, 2015): few weights, all data."""
    spread = _spread(starts, len(needed))
    target = needed / np.maximum(np.add.reduceat(needed, starts), 1)[spread]
    weights = np.zeros(features.shape[1])
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        scores = features @ weights
        scores -= np.maximum.reduceat(scores, starts)[spread]
        share = np.exp(scores)
        share /= np.add.reduceat(share, starts)[spread]
        gradient = features.T @ ((share - target) * importance[spread]) + penalty * weights
        first = 0.9 * first + 0.1 * gradient
        second = 0.99 * second + 0.01 * gradient**2
        rate = _RATE * (1 - 0.9 * step / _STEPS)
        weights -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-9)
    return weights


def _calibrate(
    scores: Floats, needed: Floats, starts: NDArray[np.int64], importance: Floats
) -> tuple[float, float]:
    """Scale and intercept of the logistic function, by Newton's method with halved steps."""
    weight = importance[_spread(starts, len(needed))]
    unit = float(scores.std()) + 1e-9
    inputs = np.stack([scores / unit, np.ones_like(scores)], axis=1)
    # Platt's targets stay short of 0 and 1, so that the scale has an end.
    yes, no = float(needed.sum()), float((1 - needed).sum())
    low, high = 1 / (no + 2), (yes + 1) / (yes + 2)
    target = low + (high - low) * needed

    def loss(at: Floats) -> float:
        margin = inputs @ at
        return float(weight @ (np.logaddexp(0, margin) - target * margin))

    found = np.zeros(2)
    for _ in range(_NEWTON_STEPS):
        probable = 1 / (1 + np.exp(-np.clip(inputs @ found, -30, 30)))
        slope = weight * probable * (1 - probable)
        curvature = inputs.T @ (inputs * slope[:, None]) + 1e-9 * np.eye(2)
        step = np.linalg.solve(curvature, inputs.T @ (weight * (probable - target)))
        while loss(found - step) > loss(found) and np.abs(step).max() > 1e-9:
            step /= 2
        found -= step
    return float(found[0]) / unit, float(found[1])


def _spread(starts: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Number of the goal of each candidate."""
    begins = np.zeros(count, dtype=np.int64)
    begins[starts[1:]] = 1
    return np.cumsum(begins)
