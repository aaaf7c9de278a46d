"""Learns the score of lookup tables from gold pairs, with folds by entity or by table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from quartermaster.eval.lookup_examples import Examples
from quartermaster.eval.lookup_gold import Pair
from quartermaster.eval.lookup_metrics import CORE, Answer
from quartermaster.lookup.confidence import Confidence, learn_confidence
from quartermaster.lookup.score import Candidates, Floats, Score, learn, log_odds

FOLDS: Final = 5
_KNOWLEDGE: Final = 0.25
# Unanswerable queries are rarer in gold pairs than in tables of people, and worse to get wrong.
_NONE: Final = 5.0
Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Firsts:
    """The first answers of queries, by a score that has not seen them.

    Attributes:
        odds: shape (queries,).
        features: of the names that fit best, shape (queries, features).
        ranks: of the first right row, from 1; 0 where there is none.
    """

    odds: NDArray[np.float64]
    features: Floats
    ranks: NDArray[np.int64]


@dataclass(frozen=True)
class Fitted:
    """What was learned, and what it answers to queries it has not seen."""

    score: Score
    confidence: Confidence
    answers: list[Answer]


def fit(examples: Examples, told: Told) -> Fitted:
    """Learns from all pairs; what it is worth is said by folds that leave entities out."""
    folds = np.array([pair.fold(FOLDS) for pair in examples.pairs])
    firsts = held_out(examples, folds, told)
    is_right = firsts.ranks == 1
    tiers = np.array([pair.tier for pair in examples.pairs])
    # Names that only a table of synonyms knows teach what a near miss looks like. The curve is
    # that of the core and of what nobody can answer.
    judged = np.isin(tiers, (*CORE, "knowledge", "nil"))
    weight = np.select([tiers == "nil", tiers == "knowledge"], [_NONE, _KNOWLEDGE], 1.0)
    bends = tiers != "knowledge"

    def learned(known: NDArray[np.bool_]) -> Confidence:
        return learn_confidence(
            firsts.odds[known],
            firsts.features[known],
            is_right[known],
            weight[known],
            bends[known],
        )

    chances = np.zeros(len(folds))
    for fold in range(FOLDS):
        confidence = learned(judged & (folds != fold))
        held = folds == fold
        chances[held] = confidence.of(firsts.odds[held], firsts.features[held])
    answers = [
        Answer(pair, int(rank) or None, float(1 / (1 + np.exp(-chance))))
        for pair, rank, chance in zip(examples.pairs, firsts.ranks, chances, strict=True)
    ]
    pairs, candidates = examples.chosen(np.arange(len(folds)))
    told(FOLDS, FOLDS + 1)
    return Fitted(
        score=learn(candidates, _importance(pairs)),
        confidence=learned(judged),
        answers=answers,
    )


def held_out(
    examples: Examples,
    groups: NDArray[np.generic],
    told: Told,
    asked: Sequence[str] | None = None,
) -> Firsts:
    """First answers to each group of pairs, or to those asked for, by a score learned from the
    other groups."""
    names = np.unique(groups) if asked is None else np.array(asked)
    odds = np.zeros(len(groups))
    ranks = np.zeros(len(groups), dtype=np.int64)
    features = np.zeros((len(groups), len(examples.found[0][0]["features"])), dtype=np.float32)
    for number, name in enumerate(names):
        told(number, len(names) + 1)
        known, candidates = examples.chosen(np.flatnonzero(groups != name))
        score = learn(candidates, _importance(known))
        held = np.flatnonzero(groups == name)
        _, candidates = examples.chosen(held)
        _answer(candidates, score, odds, features, ranks, held)
    return Firsts(odds, features, ranks)


def _answer(
    asked: Candidates,
    score: Score,
    odds: NDArray[np.float64],
    features: Floats,
    ranks: NDArray[np.int64],
    numbers: NDArray[np.int64],
) -> None:
    names = asked.features @ score.weights
    scores = score.of_rows(asked)
    every = log_odds(scores, asked.query_starts, asked.labels)
    row_ends = np.append(asked.row_starts[1:], len(names))
    query_ends = np.append(asked.query_starts[1:], len(scores))
    for number, start, end in zip(numbers, asked.query_starts, query_ends, strict=True):
        order = start + np.argsort(-scores[start:end], kind="stable")
        best = order[0]
        odds[number] = every[best]
        first, last = asked.row_starts[best], row_ends[best]
        features[number] = asked.features[first + np.argmax(names[first:last])]
        hits = np.flatnonzero(asked.is_right[order])
        ranks[number] = hits[0] + 1 if len(hits) else 0


def _importance(pairs: Sequence[Pair]) -> Floats:
    """Of queries without a link on the surface there is little to learn."""
    return np.array(
        [_KNOWLEDGE if pair.tier == "knowledge" else 1.0 for pair in pairs], dtype=np.float32
    )
