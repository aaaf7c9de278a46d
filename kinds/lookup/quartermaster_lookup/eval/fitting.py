"""Learns the score of lookup tables, and the probability that the first answer is right.

"None of them" is a possible answer, because a string may not refer to any row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from quartermaster.eval.examples import (
    INTERCEPT_NAME,
    Doubles,
    Floats,
    Numbers,
    RankingExamples,
    Weights,
)
from quartermaster.eval.fitting import Recipe, chances_at, learn, logistic, standardised
from quartermaster.eval.gold import Task
from quartermaster.eval.metrics import TIERS, RankedAnswer
from quartermaster_lookup.eval.hard_lookups import REMOVED_CLASS, is_learnable

FOLDS: Final = 5
_ABBREVIATION_FEATURE: Final = "abbreviates"
_ODDS: Final = ("odds", "odds_squared", "odds_high")
# The weight is given, not learned: among equally good rows, rows in the requested language must
# come first.
_PREFERENCES: Final = {"language": 0.5}
_KNOWLEDGE: Final = 0.25
# The weights of goals when the probability is learned. Unanswerable goals get a larger weight: they
# are rarer in gold pairs than in users' tables, and errors on them are worse. Hard goals get a
# smaller one, because they are made in any number, except for names of removed rows: nothing else
# teaches that the nearest name may be another one.
_DOUBTS: Final = {"nil": 8.0, "knowledge": 0.85, REMOVED_CLASS: 2.0}
_HARD_WEIGHT: Final = 0.2
_RIDGE: Final = 3.0
_DOUBT_LOG_ODDS: Final = 3.5
FoldProgress = Callable[[int, int], None]
NAMES: Final = Recipe(300, 0.12, lambda done: 1 if done < 0.7 else 0.25, 0.03, has_none=True)


@dataclass(frozen=True)
class OutOfFoldAnswers:
    """The first answers to goals. The score that ranks them was not learned from these goals.

    Attributes:
        odds: logarithm of the odds of each first answer, shape (goals,).
        features: features of the best name, shape (goals, features).
        ranks: rank of the first right answer, from 1. 0 if there is none.
        right: whether the first answer is right, that is, whether any of the rows that share it is
            right.
        names: number of rows that share the first answer because the goal abbreviates all of them.
    """

    odds: Doubles
    features: Floats
    ranks: Numbers
    right: NDArray[np.bool_]
    names: Numbers


def fit_names(
    examples: RankingExamples, progress: FoldProgress, hard: RankingExamples | None = None
) -> tuple[dict[str, Weights], list[RankedAnswer]]:
    """Learns the score and the confidence from all goals. Measures their quality by
    cross-validation, on goals that were not used for learning.

    Args:
        examples: examples from lookup tables.
        progress: function that is called with the number of learned scores and the number of all
            scores.
        hard: examples of hard strings. The confidence is also learned from those hard strings that
            may be used for learning.

    Returns:
        The weights of the score and of the confidence, by feature, and the answers to goals that
        were not used for learning. These answers are for all goals of `examples`, and for the hard
        strings that must not be used for learning.
    """
    folds = np.array([task.fold(FOLDS) for task in examples.tasks])
    firsts = held_out(examples, folds, progress)
    progress(FOLDS, FOLDS + 1)
    score = learn(examples, _importance(examples), NAMES)
    cases = _ConfidenceCases.of(firsts, examples.tasks, folds)
    if hard is not None:
        fold = np.array([-1 if is_learnable(task) else FOLDS for task in hard.tasks])
        cases = cases.and_also(_ConfidenceCases.of(_firsts(hard, score), hard.tasks, fold))
    answers: list[RankedAnswer] = []
    learnable = cases.folds != FOLDS
    # The last fold is never learned from, so what is learned without it is learned from all.
    lines = [_confidence(cases, learnable & (cases.folds != fold)) for fold in range(FOLDS + 1)]
    for fold, line in enumerate(lines):
        held = np.flatnonzero(cases.folds == fold)
        chances = chances_at(line, cases.inputs[held])
        answers += [
            RankedAnswer(
                cases.tasks[place], int(cases.ranks[place]), float(chance / cases.names[place])
            )
            for place, chance in zip(held, chances, strict=True)
        ]
    confidence = dict(
        zip((*_ODDS, *examples.names, INTERCEPT_NAME), lines[-1].tolist(), strict=True)
    )
    return {"score": {**score, **_PREFERENCES}, "confidence": confidence}, answers


@dataclass(frozen=True)
class _ConfidenceCases:
    """The cases from which the confidence is learned. See `OutOfFoldAnswers` for the arrays.

    Attributes:
        inputs: inputs to the confidence: `_ODDS`, followed by the features.
        tasks: the goals.
        folds: the part of the cross-validation to which each case belongs. Cases in part -1 are
            always used for learning. Cases in part `FOLDS` are never used for learning.
    """

    inputs: Doubles
    right: NDArray[np.bool_]
    ranks: Numbers
    names: Numbers
    tasks: list[Task]
    folds: Numbers

    @classmethod
    def of(cls, firsts: OutOfFoldAnswers, tasks: list[Task], folds: Numbers) -> _ConfidenceCases:
        odds = np.clip(firsts.odds, -10, 12)
        features = firsts.features.astype(np.float64)
        inputs = np.column_stack([odds, odds**2, np.maximum(odds - 3, 0), features])
        return cls(inputs, firsts.right, firsts.ranks, firsts.names, tasks, folds)

    def and_also(self, other: _ConfidenceCases) -> _ConfidenceCases:
        return _ConfidenceCases(
            np.concatenate([self.inputs, other.inputs]),
            np.concatenate([self.right, other.right]),
            np.concatenate([self.ranks, other.ranks]),
            np.concatenate([self.names, other.names]),
            [*self.tasks, *other.tasks],
            np.concatenate([self.folds, other.folds]),
        )


def held_out(
    examples: RankingExamples,
    groups: NDArray[np.generic],
    progress: FoldProgress,
    asked: Sequence[str] | None = None,
) -> OutOfFoldAnswers:
    """Returns the first answers to each requested group of goals. The score that ranks them was
    learned from the other groups. By default, all groups are requested.
    """
    names = np.unique(groups) if asked is None else np.array(asked)
    count = len(groups)
    found = OutOfFoldAnswers(
        np.zeros(count),
        np.zeros((count, len(examples.names)), dtype=np.float32),
        np.zeros(count, dtype=np.int64),
        np.zeros(count, dtype=np.bool_),
        np.ones(count, dtype=np.int64),
    )
    for number, name in enumerate(names):
        progress(number, len(names) + 1)
        held = groups == name
        others = examples.select(~held)
        score = learn(others, _importance(others), NAMES)
        own = _firsts(examples.select(held), score)
        for part, values in vars(own).items():
            getattr(found, part)[held] = values
    return found


def _firsts(own: RankingExamples, score: Weights) -> OutOfFoldAnswers:
    scores, best = own.best(own.values(score))
    order = own.order(scores)
    firsts = order[own.starts]
    features = own.features[best[firsts]]
    shares = own.labels == own.labels[firsts][own.goal]
    names = np.add.reduceat(shares.astype(np.int64), own.starts)
    if _ABBREVIATION_FEATURE in own.names:
        names[features[:, own.names.index(_ABBREVIATION_FEATURE)] == 0] = 1
    else:
        names[:] = 1
    return OutOfFoldAnswers(
        log_odds(scores, own.starts, own.labels)[firsts],
        features,
        own.ranks_of(order),
        np.logical_or.reduceat(own.right & shares, own.starts),
        names,
    )


def log_odds(scores: Doubles, starts: Numbers, labels: Numbers) -> Doubles:
    """Returns the log odds of each answer, compared with "none" and with the answers that have
    other labels.

    Args:
        scores: scores of the answers.
        starts: index of the first answer to each goal.
        labels: labels of the answers. Answers with the same label count as one.
    """
    rows = np.diff(np.append(starts, len(scores)))
    goal = np.repeat(np.arange(len(starts)), rows)
    _, firsts, group = np.unique(
        np.stack([goal, labels]), axis=1, return_index=True, return_inverse=True
    )
    group = group.ravel()
    # Rows with the same label are one answer, which counts once, with its best score.
    best = np.full(len(firsts), -np.inf)
    np.maximum.at(best, group, np.minimum(scores, 60))
    weight = np.exp(best)
    total = np.bincount(goal[firsts], weights=weight, minlength=len(starts))
    return best[group] - np.log1p(np.maximum(total[goal] - weight[group], 0))


def _importance(examples: RankingExamples) -> Doubles:
    """Returns the importance of each goal. The importance is low if the right name can be found
    only with a table of synonyms.
    """
    return np.array([_KNOWLEDGE if task.tier == "knowledge" else 1.0 for task in examples.tasks])


def _confidence(cases: _ConfidenceCases, known: NDArray[np.bool_]) -> Doubles:
    """Fits the odds that a first answer is right, with ridge logistic regression and Platt
    scaling.
    """
    tiers = np.array([task.tier for task in cases.tasks])
    # Goals that need a property are easy for those who state it, and would mislead the others.
    known = known & (tiers != "property")
    tiers = tiers[known]
    given, right = cases.inputs[known], cases.right[known].astype(np.float64)
    weight = np.where(np.isin(tiers, (*TIERS, "nil")), 1.0, _HARD_WEIGHT)
    for tier, doubt in _DOUBTS.items():
        weight[tiers == tier] = doubt
    line = standardised(given, right, weight, _RIDGE)
    sure = given @ line[:-1] + line[-1]
    # Obvious cases are left out: their few wrong answers are errors in the labels, and would
    # distort the curve.
    bends = np.abs(sure) < _DOUBT_LOG_ODDS
    stretch, shift = logistic(sure[bends, None], right[bends], np.ones(int(bends.sum())))
    return np.append(line[:-1] * stretch, line[-1] * stretch + shift)
