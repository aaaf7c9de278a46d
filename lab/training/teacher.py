"""The teacher: encoders side by side, and the same in as many dimensions as its pupil has."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import torch
from torch import Tensor
from torch.nn import functional


def side_by_side(vectors: Sequence[Tensor], weights: Sequence[float]) -> Tensor:
    """Returns unit vectors whose cosine is the weighted mean of the cosines of all encoders.

    Args:
        vectors: unit vectors of the same texts by each encoder, [texts, its dimension].
        weights: weight of each encoder's cosine.
    """
    parts = [sqrt(weight) * one for weight, one in zip(weights, vectors, strict=True)]
    return functional.normalize(torch.cat(parts, dim=1), dim=-1)


def strongest_directions(wide: Tensor, narrow: Tensor) -> Tensor:
    """Returns the strongest directions of vectors, rotated towards those of another encoder.

    Args:
        wide: vectors of texts, [texts, dimension].
        narrow: the other encoder's vectors of the same texts, [texts, fewer dimensions].

    Returns:
        A matrix, [dimension, fewer dimensions]: the product of `wide` with it is near `narrow`.
    """
    _, _, rows = torch.linalg.svd((wide.T @ wide).double())
    strongest = rows[: narrow.shape[1]].T.float()
    left, _, right = torch.linalg.svd((wide @ strongest).T @ narrow)
    return strongest @ left @ right
