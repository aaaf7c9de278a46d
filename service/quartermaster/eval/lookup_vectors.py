"""Whether vectors pay for the names of a lookup table, and what they are to weigh in its score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

import numpy as np
from numpy.typing import NDArray

from quartermaster.eval.lookup_examples import Examples
from quartermaster.eval.lookup_fitting import FOLDS
from quartermaster.eval.lookup_metrics import CORE
from quartermaster.eval.lookup_running import Caller, Progress
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.models.vector_text import vector_texts

LEAST_GAIN: Final = 0.01
"""Share of pairs that vectors must newly put first to pay."""

_CLAIM: Final = 512
_WEIGHTS: Final = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
Ranks = NDArray[np.int64]


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
        caller.call(
            "store_embeddings",
            model=model.name,
            kinds=[row["kind"] for row in rows],
            text_hashes=[row["text_hash"] for row in rows],
            vectors=vector_texts(model.embed(texts)),
        )
        done += len(rows)
        progress("embedding", done, done + (len(rows) == _CLAIM) * _CLAIM)
    return done


def weigh_vectors(without: Examples, combined: Examples) -> Trial:
    """Chooses what the cosine weighs beside the score a table has: the weight that puts most right
    rows first. How sure the score is must not change with it, so its mean is taken off.

    Args:
        without: candidates of the pairs of one table as they are found without vectors.
        combined: as they are found with them.
    """
    asked = [number for number, pair in enumerate(combined.pairs) if pair.tier in CORE]
    before = [number for number, pair in enumerate(without.pairs) if pair.tier in CORE]
    folds = np.array([combined.pairs[number].fold(FOLDS) for number in asked])
    ranks = {weight: _ranks(combined, asked, weight) for weight in _WEIGHTS}
    judged = np.zeros(len(asked), dtype=np.int64)
    for fold in range(FOLDS):
        held = folds == fold
        judged[held] = ranks[_best(ranks, ~held)][held]
    weight = _best(ranks, np.ones(len(asked), dtype=np.bool_))
    return Trial(
        pairs=len(asked),
        dense=recalls(_ranks(combined, asked, None)),
        without=recalls(_ranks(without, before, 0.0)),
        combined=recalls(judged),
        weights={"score": {"sem": weight, "intercept": round(-weight * _mean(combined), 4)}},
    )


def recalls(ranks: Ranks) -> tuple[float, float]:
    """Recall@1 and @5; 0 where there is nothing."""
    if not len(ranks):
        return 0.0, 0.0
    return float((ranks == 1).mean()), float(((ranks > 0) & (ranks <= 5)).mean())


def _best(ranks: Mapping[float, Ranks], known: NDArray[np.bool_]) -> float:
    """The weight of most first places; of those that of the best ranks, then the smallest."""

    def worth(weight: float) -> tuple[int, float, float]:
        own = ranks[weight][known]
        return int((own == 1).sum()), float((1 / own[own > 0]).sum()), -weight

    return max(ranks, key=worth)


def _ranks(examples: Examples, numbers: Sequence[int], weight: float | None) -> Ranks:
    """Ranks of the first right rows, from 1, 0 where there is none; by the score and the cosine
    so weighed, or by the cosine alone."""
    return np.array([_rank(examples, number, weight) for number in numbers], dtype=np.int64)


def _rank(examples: Examples, number: int, weight: float | None) -> int:
    best: dict[str, float] = {}
    for name in examples.found[number]:
        cosine = float(name["features"][-1])
        score = cosine if weight is None else name["score"] + weight * cosine
        best[name["id"]] = max(best.get(name["id"], -np.inf), score)
    expected = examples.pairs[number].expected
    ordered = sorted(best, key=lambda key: -best[key])
    return next((place for place, key in enumerate(ordered, start=1) if key in expected), 0)


def _mean(examples: Examples) -> float:
    """The cosine of names that the score puts first, on average."""
    firsts = [max(names, key=lambda name: name["score"]) for names in examples.found]
    return fmean(name["features"][-1] for name in firsts)
