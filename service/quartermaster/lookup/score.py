"""The learned score: a softmax over the rows that a query may mean, and "none of them"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_STEPS: Final = 300
_RATE: Final = 0.12
_RIDGE: Final = 0.03


@dataclass(frozen=True)
class Candidates:
    """Names that queries may mean, in the order of queries, and of rows within a query.

    Attributes:
        features: one row a name, float32, shape (names, features).
        row_starts: first name of each row, shape (rows,).
        query_starts: first row of each query, shape (queries,).
        is_right: whether a row is the answer, shape (rows,).
        labels: number of the normalised name of a row within all queries, shape (rows,).
    """

    features: Floats
    row_starts: NDArray[np.int64]
    query_starts: NDArray[np.int64]
    is_right: NDArray[np.bool_]
    labels: NDArray[np.int64]


@dataclass(frozen=True)
class Score:
    """Weights of the features and the intercept."""

    weights: Floats
    intercept: float

    def of_rows(self, candidates: Candidates) -> NDArray[np.float64]:
        """The score of each row: that of its best name, shape (rows,)."""
        names = candidates.features @ self.weights + self.intercept
        return np.maximum.reduceat(names.astype(np.float64), candidates.row_starts)


def learn(candidates: Candidates, importance: Floats) -> Score:
    """Finds the weights under which right rows, or none, are most probable.

    Gradient descent (Adam: Kingma and Ba, 2015) on standardised features, with a ridge: weights
    for which one kind of table asks alone would mislead on others.

    Args:
        candidates: of the queries to learn from.
        importance: of each query, shape (queries,).
    """
    mean, spread = candidates.features.mean(0), candidates.features.std(0)
    spread[spread < 1e-5] = 1
    standard = (candidates.features - mean) / spread
    right = candidates.is_right.astype(np.float64)
    rows = _lengths(candidates.query_starts, len(right))
    has_answer = np.repeat(np.maximum.reduceat(right, candidates.query_starts), rows)
    each = np.repeat(importance, rows) / importance.sum()
    weights = np.zeros(standard.shape[1] + 1, dtype=np.float64)
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        names = standard @ weights[:-1].astype(np.float32) + np.float32(weights[-1])
        scores, best = _best(names, candidates.row_starts)
        chance = _chances(scores, candidates.query_starts, rows)
        found = np.repeat(np.add.reduceat(chance * right, candidates.query_starts), rows)
        wanted = has_answer * chance * right / np.maximum(found, 1e-12)
        pull = np.zeros(len(names), dtype=np.float32)
        pull[best] = (chance - wanted) * each
        slope = np.append(pull @ standard, pull.sum()).astype(np.float64)
        slope[:-1] += _RIDGE * weights[:-1]
        first = 0.9 * first + 0.1 * slope
        second = 0.99 * second + 0.01 * slope**2
        rate = _RATE * (1 if step < 0.7 * _STEPS else 0.25)
        weights -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-9)
    own = (weights[:-1] / spread).astype(np.float32)
    return Score(own, float(weights[-1] - own @ mean))


def log_odds(
    scores: NDArray[np.float64],
    query_starts: NDArray[np.int64],
    labels: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Log of the odds of each row against "none" and the rows of another name, shape (rows,)."""
    rows = _lengths(query_starts, len(scores))
    weight = np.exp(np.minimum(scores, 60))
    total = np.repeat(np.add.reduceat(weight, query_starts), rows)
    query = np.repeat(np.arange(len(query_starts)), rows)
    _, group = np.unique(np.stack([query, labels]), axis=1, return_inverse=True)
    same = np.bincount(group, weights=weight)[group]
    return scores - np.log1p(np.maximum(total - same, 0))


def calibrate(odds: NDArray[np.float64], is_right: Sequence[bool]) -> tuple[float, float]:
    """Slope and intercept of Platt's logistic curve (Platt, 1999), by Newton's method.

    Args:
        odds: log odds of the first answers, shape (queries,).
        is_right: whether each is right.
    """
    given = np.stack([odds, np.ones_like(odds)], axis=1)
    right = np.asarray(is_right, dtype=np.float64)
    line = np.array([1.0, 0.0])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-(given @ line)))
        curve = (given * (chance * (1 - chance) + 1e-9)[:, None]).T @ given
        line -= np.linalg.solve(curve + 1e-6 * np.eye(2), given.T @ (chance - right))
    return float(line[0]), float(line[1])


def _best(
    names: Floats, row_starts: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Score of each row, and the number of the name that has it."""
    scores = np.maximum.reduceat(names, row_starts)
    owner = np.repeat(np.arange(len(row_starts)), _lengths(row_starts, len(names)))
    winners = np.flatnonzero(names == scores[owner])[::-1]
    best = np.zeros(len(row_starts), dtype=np.int64)
    best[owner[winners]] = winners
    return scores.astype(np.float64), best


def _chances(
    scores: NDArray[np.float64], query_starts: NDArray[np.int64], rows: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Probability of each row; what is left of a query's is that of none."""
    top = np.maximum(np.maximum.reduceat(scores, query_starts), 0)
    weight = np.exp(scores - np.repeat(top, rows))
    total = np.add.reduceat(weight, query_starts) + np.exp(-top)
    return weight / np.repeat(total, rows)


def _lengths(starts: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    return np.diff(np.append(starts, count))
