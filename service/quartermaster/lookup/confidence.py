"""How probable it is that the first answer is right: logistic in its odds and its features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from quartermaster.lookup.score import Floats, calibrate

Doubles = NDArray[np.float64]

_RIDGE: Final = 3.0
_DOUBTED: Final = 3.5


@dataclass(frozen=True)
class Confidence:
    """Weights of odds, odds squared and odds above 3, then of the features; and the intercept."""

    weights: Doubles
    intercept: float

    def of(self, odds: Doubles, features: Floats) -> Doubles:
        """Log odds that each first answer is right, shape (queries,)."""
        return _given(odds, features) @ self.weights + self.intercept


def learn_confidence(
    odds: Doubles,
    features: Floats,
    is_right: NDArray[np.bool_],
    importance: Doubles,
    bends: NDArray[np.bool_],
) -> Confidence:
    """Logistic regression by Newton's method, then Platt's curve over it.

    Args:
        odds: of first answers whose queries the score has not learned from, shape (queries,).
        features: of the name that fits best, shape (queries, features).
        is_right: whether the first answer is right.
        importance: of each query.
        bends: whether the query has a say in the curve.
    """
    given = _given(odds, features)
    mean, spread = given.mean(0), given.std(0) + 1e-6
    standard = np.column_stack([(given - mean) / spread, np.ones(len(given))])
    line = _fitted(standard, is_right.astype(np.float64), importance)
    own = line[:-1] / spread
    intercept = float(line[-1] - mean @ own)
    sure = given @ own + intercept
    # Of what nobody doubts the few that are wrong, noise of the labels, would bend the curve.
    doubted = bends & (np.abs(sure) < _DOUBTED)
    stretch, shift = calibrate(sure[doubted], is_right[doubted].tolist())
    return Confidence(own * stretch, intercept * stretch + shift)


def _fitted(given: Doubles, right: Doubles, weight: Doubles) -> Doubles:
    """Coefficients of a ridge logistic regression; the last column stands for the intercept."""
    line = np.zeros(given.shape[1], dtype=np.float64)
    ridge = np.full(len(line), _RIDGE)
    ridge[-1] = 0
    across = np.transpose(given)
    for _ in range(40):
        chance = cast("Doubles", 1 / (1 + np.exp(-np.matmul(given, line))))
        slope = cast("Doubles", np.matmul(across, (chance - right) * weight) + ridge * line)
        bend = cast("Doubles", np.matmul(across * (weight * chance * (1 - chance) + 1e-9), given))
        step = cast("Doubles", np.linalg.solve(bend + np.diag(ridge + 1e-6), slope))
        line = line - step
    return line


def _given(odds: Doubles, features: Floats) -> Doubles:
    held = np.clip(odds, -10, 12)
    columns = [held, held**2, np.maximum(held - 3, 0), features.astype(np.float64)]
    return np.column_stack(columns)
