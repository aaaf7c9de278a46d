"""The teacher: two encoders side by side, in as many dimensions as its pupil has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt

import torch
from torch import Tensor
from torch.nn import functional

Embed = Callable[[Sequence[str]], Tensor]


class Teacher:
    """The strongest directions of the vectors of two encoders, rotated towards those of the first.

    The cosine of two of its vectors is nearly the weighted mean of the cosines of both encoders.

    Args:
        first, second: return unit vectors of texts.
        weight: weight of the second encoder's cosine.
    """

    def __init__(self, first: Embed, second: Embed, weight: float) -> None:
        self._first, self._second, self._weight = first, second, weight
        self._directions = torch.empty(0)

    def learn(self, texts: Sequence[str]) -> None:
        """Choose the directions by these texts."""
        both = self._both(texts)
        first = self._first(texts)
        _, _, rows = torch.linalg.svd((both.T @ both).double())
        strongest = rows[: first.shape[1]].T.float()
        left, _, right = torch.linalg.svd((both @ strongest).T @ first)
        self._directions = strongest @ left @ right

    def embed(self, texts: Sequence[str]) -> Tensor:
        """Return unit vectors of texts."""
        return functional.normalize(self._both(texts) @ self._directions, dim=-1)

    def _both(self, texts: Sequence[str]) -> Tensor:
        return torch.cat([self._first(texts), sqrt(self._weight) * self._second(texts)], dim=1)
