"""Learns what people often ask for: centres of clusters of goals.

``python -m lab.training.common_goals FOLDER MODEL`` prints the rows for search.common_goal
(sql/seeds/search.sql).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from lab.training.destroying import read_goals
from quartermaster.eval.examples import Doubles, Numbers
from quartermaster.models.registry import open_encoder

_CLUSTERS: Final = 64
_ROUNDS: Final = 15
_SEED: Final = 1
_MAX_COMPONENT: Final = 99


def find_centres(vectors: Doubles, clusters: int = _CLUSTERS) -> Doubles:
    """Finds the centres of clusters by spherical k-means (Dhillon, Modha, Concept Decompositions
    for Large Sparse Text Data Using Clustering, 2001).

    Args:
        vectors: unit vectors of goals, shape (goals, dimensions).
        clusters: number of clusters, at most that of the goals.

    Returns:
        Unit vectors, shape (clusters, dimensions).
    """
    chosen = np.random.default_rng(_SEED).choice(len(vectors), clusters, replace=False)
    centres = vectors[chosen]
    for _ in range(_ROUNDS):
        nearest = (vectors @ centres.T).argmax(1)
        sums = np.zeros_like(centres)
        np.add.at(sums, nearest, vectors)
        sizes = np.linalg.norm(sums, axis=1, keepdims=True)
        centres = np.where(sizes > 0, sums / np.maximum(sizes, 1e-12), centres)
    return centres


def as_integers(centre: Doubles) -> Numbers:
    """Returns the direction of a vector in integers of two digits."""
    return (centre / np.abs(centre).max() * _MAX_COMPONENT).round().astype(np.int64)


def main(arguments: Sequence[str]) -> None:
    """Prints a vector for each cluster."""
    parser = argparse.ArgumentParser(prog="python -m lab.training.common_goals")
    parser.add_argument("folder", type=Path, help="folder that has a folder for each retrieval set")
    parser.add_argument("model", type=Path, help="folder with model.onnx")
    given = parser.parse_args(arguments)
    model = open_encoder(given.model)
    goals = [model.goal_text(goal) for goal, _ in read_goals(given.folder)]
    for centre in find_centres(model.embed(goals).astype(np.float64)):
        sys.stdout.write(f"[{','.join(map(str, as_integers(centre).tolist()))}]\n")


if __name__ == "__main__":
    main(sys.argv[1:])
