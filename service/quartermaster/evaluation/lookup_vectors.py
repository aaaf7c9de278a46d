"""Whether vectors pay for the names of a lookup table, and what they are to weigh in its score."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from quartermaster.evaluation.lookup_examples import Examples, Row
from quartermaster.evaluation.lookup_fitting import FOLDS, importance
from quartermaster.evaluation.lookup_metrics import CORE
from quartermaster.evaluation.lookup_running import Caller, Progress
from quartermaster.lookup.score import Score, learn
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.models.vector_text import vector_texts

LEAST_GAIN: Final = 0.01
"""Share of pairs that vectors must newly put first to pay."""

_CLAIM: Final = 512
Ranks = NDArray[np.int64]


@dataclass(frozen=True)
class Trial:
    """What vectors do for a table, by folds that leave entities out.

    Attributes:
        pairs: of the core, by which it is judged.
        dense: Recall@1 and @5 by vectors alone.
        without, combined: by the score of the table, and with what vectors add to it.
        weights: that, as api.configure_lookup_vectors takes it, learned from all pairs.
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
    """Learns what the cosine adds to the score a table has: one weight, and an intercept.

    Args:
        without: candidates of the pairs of one table as they are found without vectors.
        combined: as they are found with them.
    """
    judged = [pair.tier in CORE for pair in combined.pairs]
    before = [pair.tier in CORE for pair in without.pairs]
    narrowed = Examples(combined.pairs, [[_narrow(name) for name in n] for n in combined.found])
    folds = np.array([pair.fold(FOLDS) for pair in combined.pairs])
    ranks = np.zeros(len(folds), dtype=np.int64)
    for fold in range(FOLDS):
        held = np.flatnonzero(folds == fold)
        if len(held) and len(held) < len(folds):
            added = _learned(narrowed, np.flatnonzero(folds != fold))
            ranks[held] = ranks_of(combined, held, added)
    every = np.arange(len(folds))
    added = _learned(narrowed, every)
    nothing = Score(np.zeros(1, dtype=np.float32), 0.0)
    return Trial(
        pairs=sum(judged),
        dense=recalls(ranks_of(combined, every, None)[judged]),
        without=recalls(ranks_of(without, np.arange(len(before)), nothing)[before]),
        combined=recalls(ranks[judged]),
        weights={
            "score": {
                "sem": round(float(added.weights[0]), 4),
                "intercept": round(added.intercept, 4),
            }
        },
    )


def ranks_of(examples: Examples, numbers: NDArray[np.int64], added: Score | None) -> Ranks:
    """Ranks of the first right rows, from 1; 0 where there is none.

    Args:
        examples: candidates.
        numbers: of the pairs asked for.
        added: what the cosine adds to the score; None: it alone orders.
    """
    return np.array([_rank(examples, int(number), added) for number in numbers], dtype=np.int64)


def recalls(ranks: Ranks) -> tuple[float, float]:
    """Recall@1 and @5; 0 where there is nothing."""
    if not len(ranks):
        return 0.0, 0.0
    return float((ranks == 1).mean()), float(((ranks > 0) & (ranks <= 5)).mean())


def _rank(examples: Examples, number: int, added: Score | None) -> int:
    best: dict[str, float] = {}
    for name in examples.found[number]:
        cosine = float(name["features"][-1])
        score = cosine if added is None else name["score"] + added.weights[0] * cosine
        best[name["id"]] = max(best.get(name["id"], -np.inf), score)
    expected = examples.pairs[number].expected
    ordered = sorted(best, key=lambda key: -best[key])
    return next((place for place, key in enumerate(ordered, start=1) if key in expected), 0)


def _learned(examples: Examples, numbers: NDArray[np.int64]) -> Score:
    pairs, candidates = examples.chosen(numbers)
    score, cosine = candidates.features[:, 0], candidates.features[:, 1:]
    return learn(replace(candidates, features=cosine), importance(pairs), score)


def _narrow(name: Row) -> Row:
    return name | {"features": [name["score"], name["features"][-1]]}
