"""Tests whether vectors improve the names of a lookup table, and with which weight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from quartermaster.eval.examples import INTERCEPT, Examples, Numbers
from quartermaster.eval.fitting import FOLDS
from quartermaster.eval.lookups import SCORE, Caller, Progress
from quartermaster.eval.metrics import CORE, recalls
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.models.vector_text import stored_vectors

LEAST_GAIN: Final = 0.01
"""Share of pairs that vectors must newly put first to pay."""

COSINE: Final = "sem"
_CLAIM: Final = 512
_WEIGHTS: Final = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


@dataclass(frozen=True)
class Trial:
    """What vectors do for a table, by folds that leave entities out.

    Attributes:
        pairs: of the core, by which it is judged.
        dense: Recall@1 and @5 by vectors alone.
        without, combined: by the score of the table, and with what vectors add to it.
        weights: that, as api.configure_lookup_vectors takes it, chosen by all pairs.
    """

    pairs: int
    dense: tuple[float, float]
    without: tuple[float, float]
    combined: tuple[float, float]
    weights: dict[str, dict[str, float]]

    @property
    def pays(self) -> bool:
        """Whether one string in a hundred more finds its row first, and none is lost to view."""
        gain = self.combined[0] - self.without[0]
        return gain >= LEAST_GAIN and self.combined[1] >= self.without[1]


def embed_names(caller: Caller, model: EmbeddingModel, progress: Progress) -> int:
    """Gives every text that waits for one its vector; returns how many did.

    Args:
        caller: to a database whose active model this is.
        model: embeds them.
        progress: told how far it is.

    Raises:
        QmError: of the database.
    """
    done = 0
    while rows := caller.call("claim_unembedded", model=model.name, maximum=_CLAIM):
        texts = [model.passage_prefix + row["embedding_text"] for row in rows]
        caller.call("store_embeddings", **stored_vectors(model.name, rows, model.embed(texts)))
        done += len(rows)
        progress("embedding", done, done + (len(rows) == _CLAIM) * _CLAIM)
    return done


def core_of(examples: Examples) -> Examples:
    """The goals of the core."""
    return examples.where(lambda task: task.tier in CORE)


def weigh_vectors(without: Examples, combined: Examples) -> Trial:
    """Chooses what the cosine weighs beside the score a table has: the weight that puts most right
    rows first. How sure the score is must not change with it, so its mean is taken off.

    Args:
        without: candidates of the pairs of one table as they are found without vectors.
        combined: as they are found with them.
    """
    asked = core_of(combined)
    folds = np.array([task.fold(FOLDS) for task in asked.tasks])
    ranks = {weight: asked.ranks({SCORE: 1, COSINE: weight}) for weight in _WEIGHTS}
    judged = np.zeros(len(folds), dtype=np.int64)
    for fold in np.unique(folds):
        held = folds == fold
        judged[held] = ranks[_best(ranks, ~held)][held]
    weight = _best(ranks, np.ones(len(folds), dtype=np.bool_))
    return Trial(
        pairs=len(folds),
        dense=recalls(asked.ranks({COSINE: 1})),
        without=recalls(core_of(without).ranks({SCORE: 1})),
        combined=recalls(judged),
        weights={"score": {COSINE: weight, INTERCEPT: round(-weight * _mean(combined), 4)}},
    )


def _best(ranks: Mapping[float, Numbers], known: NDArray[np.bool_]) -> float:
    """The weight of most first places; of those that of the best ranks, then the smallest."""

    def worth(weight: float) -> tuple[int, float, float]:
        own = ranks[weight][known]
        return int((own == 1).sum()), float((1 / own[own > 0]).sum()), -weight

    return max(ranks, key=worth)


def _mean(examples: Examples) -> float:
    """The cosine of names that the score puts first, on average."""
    scores, best = examples.best(examples.values({SCORE: 1}))
    firsts = examples.order(scores)[examples.starts]
    return float(examples.values({COSINE: 1})[best[firsts]].mean())
