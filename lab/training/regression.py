"""Fits a logistic regression over hashed features; the same data give the same weights.

It needs numpy alone. The steps are those of L-BFGS: the last gradients tell how the loss is curved.
"""

from __future__ import annotations

from collections import deque
from typing import Final

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
_REMEMBERED_STEPS: Final = 10
_LEAST_GAIN: Final = 1e-4
_MIN_STEP: Final = 1e-8


class Regression:
    """Logistic regression with several labels; all features are hashed into buckets.

    Args:
        buckets: a row for each example, with the bucket of each of its features.
        labels: the number of the label of each example.
        weights: how much each example counts.
        size: how many buckets and labels there are.
        penalty: how much high weights cost.
    """

    def __init__(
        self,
        buckets: NDArray[np.uint32],
        labels: NDArray[np.int64],
        weights: Doubles,
        size: tuple[int, int],
        penalty: float,
    ) -> None:
        self._columns = [np.ascontiguousarray(column, np.int64) for column in buckets.T]
        self._rows = np.arange(len(labels))
        self._labels = labels
        self._weights = weights / weights.sum()
        self._size = size
        self._penalty = penalty / weights.sum()

    def fit(self, steps: int) -> tuple[Doubles, Doubles]:
        """Returns the weight of each bucket for each label, and the constant of each label."""
        buckets, labels = self._size
        at = np.zeros((buckets + 1, labels))
        loss, slope = self._loss(at)
        past: deque[tuple[Doubles, Doubles]] = deque(maxlen=_REMEMBERED_STEPS)
        for _ in range(steps):
            way = _direction(slope, past)
            gain = _product(slope, way)
            length = 1.0 if past else min(1.0, 1 / np.sqrt(-gain))
            then, new_slope = self._loss(at + length * way)
            while then > loss + _LEAST_GAIN * length * gain and length > _MIN_STEP:
                length /= 2
                then, new_slope = self._loss(at + length * way)
            past.append((length * way, new_slope - slope))
            at, loss, slope = at + length * way, then, new_slope
        return at[:-1], at[-1]

    def _loss(self, at: Doubles) -> tuple[float, Doubles]:
        """Returns the loss and its gradient; the last row holds the constants."""
        scores = np.repeat(at[-1:], len(self._labels), axis=0)
        for column in self._columns:
            scores += at[column]
        scores -= scores.max(axis=1, keepdims=True)
        chances = np.exp(scores)
        totals = chances.sum(axis=1)
        misses = np.log(totals) - scores[self._rows, self._labels]
        loss = float((self._weights * misses).sum() + self._penalty / 2 * (at[:-1] ** 2).sum())
        chances /= totals[:, None]
        chances[self._rows, self._labels] -= 1
        chances *= self._weights[:, None]
        slope = np.zeros_like(at)
        for label in range(self._size[1]):
            pull = np.ascontiguousarray(chances[:, label])
            for column in self._columns:
                slope[:-1, label] += np.bincount(column, pull, self._size[0])
        slope[:-1] += self._penalty * at[:-1]
        slope[-1] = chances.sum(axis=0)
        return loss, slope


def _direction(slope: Doubles, past: deque[tuple[Doubles, Doubles]]) -> Doubles:
    """Returns where the loss falls, as far as the last steps tell."""
    way = -slope
    shares: list[float] = []
    for moved, bent in reversed(past):
        share = _product(moved, way) / _product(moved, bent)
        way = way - share * bent
        shares.append(share)
    if past:
        moved, bent = past[-1]
        way = way * (_product(moved, bent) / _product(bent, bent))
    for (moved, bent), share in zip(past, reversed(shares), strict=True):
        way = way + (share - _product(bent, way) / _product(moved, bent)) * moved
    return way


def _product(one: Doubles, other: Doubles) -> float:
    # Not by a library whose threads add in another order each time.
    return float((one * other).sum())
