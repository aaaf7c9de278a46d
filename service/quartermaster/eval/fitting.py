"""Learns feature weights, and the probability of the first answer, from examples.

The score is linear, and a softmax over a goal's answers converts it to a probability (ListNet with
binary gains: Cao et al., Learning to Rank: From Pairwise Approach to Listwise Approach, 2007). A
`Recipe` contains what differs between kinds of cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from quartermaster.eval.examples import (
    INTERCEPT,
    Doubles,
    Examples,
    Floats,
    Numbers,
    Weights,
)
from quartermaster.eval.gold import Task
from quartermaster.eval.hard_lookups import REMOVED, is_learnable
from quartermaster.eval.metrics import TIERS, Answer

FOLDS: Final = 5
# These are required, not learned: a card that destroys something comes after similar harmless
# cards, unless the goal is about destroying something. The last three say whether a card fits at
# all, not which card fits better (docs/lab/selection.md).
REQUIRED: Final = {
    "destroys_unasked": -8.0,
    "origin_dense": 0.0,
    "common_nearest": 0.0,
    "common_mean": 0.0,
}
FUSION: Final = {"lexical_relative": 1.0, "dense_relative": 1.5}
# A better match never lowers a score. A weight below 0 can help on the sets from which it was
# learned, but it does harm on others (docs/lab/minilm-tools-2.md).
MATCHES: Final = frozenset(
    {
        *("lexical_relative", "lexical_share", "lexical_rank", "lexical_coverage"),
        *("dense", "dense_relative", "dense_gap", "dense_rank"),
        *("fuzzy", "name_share", "name_coverage", "origin_share"),
    }
)
_ABBREVIATES: Final = "abbreviates"
_ODDS: Final = ("odds", "odds_squared", "odds_high")
# The weight is given, not learned: among equally good rows, rows in the requested language must
# come first.
_PREFERENCES: Final = {"language": 0.5}
_KNOWLEDGE: Final = 0.25
# The weights of goals when the probability is learned. Unanswerable goals get a larger weight: they
# are rarer in gold pairs than in users' tables, and errors on them are worse. Hard goals get a
# smaller one, because they are made in any number, except for names of removed rows: nothing else
# teaches that the nearest name may be another one.
_DOUBTS: Final = {"nil": 8.0, "knowledge": 0.85, REMOVED: 2.0}
_HARD: Final = 0.2
_RIDGE: Final = 3.0
_DOUBTED: Final = 3.5
Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Recipe:
    """The parameters for learning a score.

    Attributes:
        steps, rate: number of steps and learning rate of the gradient descent.
        cooling: function from the share of completed steps to the share of the rate.
        penalty: penalty on the squared weights of standardised features, because weights that only
            one set requires would mislead on other sets.
        has_none: whether the answer "none of them" competes with a score of 0. If so, one right
            answer is enough; otherwise, all right answers should get equal shares.
    """

    steps: int
    rate: float
    cooling: Callable[[float], float]
    penalty: float
    has_none: bool


CARDS: Final = Recipe(800, 0.05, lambda done: 1 - 0.9 * done, 0.01, has_none=False)
NAMES: Final = Recipe(300, 0.12, lambda done: 1 if done < 0.7 else 0.25, 0.03, has_none=True)


@dataclass(frozen=True)
class Firsts:
    """The first answers to goals, by a score that was not learned from these goals.

    Attributes:
        odds: logarithm of the odds of each first answer, shape (goals,).
        features: features of the best name, shape (goals, features).
        ranks: rank of the first right answer, from 1; 0 if there is none.
        right: whether the first answer, with all rows that share it, contains a right row.
        names: number of rows that share the first answer because the goal abbreviates all of them.
    """

    odds: Doubles
    features: Floats
    ranks: Numbers
    right: NDArray[np.bool_]
    names: Numbers


def learn(examples: Examples, importance: Doubles, recipe: Recipe) -> Weights:
    """Learn weights and intercept that make the right answers most probable, by Adam (Kingma and
    Ba, 2015).

    Args:
        examples: examples to learn from.
        importance: importance of each goal, shape (goals,).
        recipe: recipe for the kind of card.
    """
    mean, spread = examples.features.mean(0), examples.features.std(0)
    spread[spread < 1e-5] = 1
    standard = (examples.features - mean) / spread
    goal, starts = examples.goal, examples.starts
    each = (importance / importance.sum())[goal]
    weights = np.zeros(standard.shape[1] + 1)
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, recipe.steps + 1):
        values = standard @ weights[:-1].astype(np.float32) + np.float32(weights[-1])
        scores, best = examples.best(values)
        chance = _chances(scores, starts, goal, has_none=recipe.has_none)
        wanted = examples.right * (chance if recipe.has_none else 1)
        wanted = wanted / np.maximum(np.add.reduceat(wanted, starts), 1e-12)[goal]
        pull = np.zeros(len(values), dtype=np.float32)
        pull[best] = (chance - wanted) * each
        slope = np.append(pull @ standard, pull.sum()).astype(np.float64)
        slope[:-1] += recipe.penalty * weights[:-1]
        first = 0.9 * first + 0.1 * slope
        second = 0.99 * second + 0.01 * slope**2
        rate = recipe.rate * recipe.cooling(step / recipe.steps)
        weights -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-9)
    own = weights[:-1] / spread
    found = dict(zip(examples.names, own.tolist(), strict=True))
    return {INTERCEPT: float(weights[-1] - own @ mean), **found}


def _chances(scores: Doubles, starts: Numbers, goal: Numbers, *, has_none: bool) -> Doubles:
    """Return the probability of each answer. The probabilities of a goal's answers add up to less
    than 1; the rest is the probability that none is right.
    """
    top = np.maximum(np.maximum.reduceat(scores, starts), 0 if has_none else -np.inf)
    weight = np.exp(scores - top[goal])
    none = np.exp(-top) if has_none else 0
    return weight / (np.add.reduceat(weight, starts) + none)[goal]


def logistic(given: Doubles, target: Doubles, weight: Doubles, ridge: float = 0.0) -> Doubles:
    """Fit slopes and, as the last value, the intercept of a logistic curve (Platt, 1999), by
    Newton's method with halved steps.

    Args:
        given: inputs, shape (cases, inputs).
        target: target probability of each case.
        weight: weight of each case.
        ridge: penalty on the squared slopes.
    """
    inputs = np.column_stack([given, np.ones(len(given))])
    penalty = np.append(np.full(given.shape[1], ridge), 0.0)

    def loss(at: Doubles) -> float:
        margin = inputs @ at
        return float(weight @ (np.logaddexp(0, margin) - target * margin) + penalty @ at**2 / 2)

    # The given values are kept unless a case contradicts them.
    line = np.append(np.ones(given.shape[1]), 0.0)
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(inputs @ line, -30, 30)))
        bend = inputs.T @ (inputs * (weight * chance * (1 - chance))[:, None])
        slope = inputs.T @ (weight * (chance - target)) + penalty * line
        step = np.linalg.solve(bend + np.diag(penalty + 1e-9), slope).astype(np.float64)
        while loss(line - step) > loss(line) and np.abs(step).max() > 1e-9:
            step /= 2
        line -= step
    return line


def standardised(given: Doubles, target: Doubles, weight: Doubles, ridge: float) -> Doubles:
    """Fit like `logistic`, with the penalty on the slopes of the standardised inputs."""
    mean, spread = given.mean(0), given.std(0) + 1e-6
    line = logistic((given - mean) / spread, target, weight, ridge)
    slopes = line[:-1] / spread
    return np.append(slopes, line[-1] - mean @ slopes)


def chances_at(line: Doubles, given: Doubles) -> Doubles:
    """Return the probabilities that a logistic curve gives for inputs."""
    return np.asarray(1 / (1 + np.exp(-(given @ line[:-1] + line[-1]))))


def fit_cards(examples: Examples, penalty: float = 0.01, fusion: float = 8.0) -> Weights:
    """Learn feature weights and an intercept such that scores are logarithms of odds.

    The features in `REQUIRED` are not learned. Features in `MATCHES` get no weight below 0: while
    one of them has such a weight, the feature with the lowest weight is left out and the other
    weights are learned again.

    Every scope has the same weight, regardless of its size. Learned weights are biased towards the
    sets that they were learned on. Therefore a multiple of the weights of plain fusion is added,
    which preserved the quality of fusion on other sets (docs/lab/minilm-tools.md).

    Args:
        examples: examples from one or more sets; goals without a right candidate have no effect.
        penalty: see `Recipe`.
        fusion: factor for the added weights of plain fusion; 0 if no other sets will be used.

    Raises:
        ValueError: no goal has a right card among its candidates.
    """
    if not examples.right.any():
        raise ValueError("no goal has a right card among its candidates")
    required = {name: weight for name, weight in REQUIRED.items() if name in examples.names}
    for name in required:
        examples = examples.without(name)
    teaches = np.add.reduceat(examples.right, examples.starts, dtype=np.float64) > 0
    scopes = [task.scope for task in examples.tasks]
    sizes = Counter(scope for scope, is_one in zip(scopes, teaches, strict=True) if is_one)
    importance = teaches / np.array([max(sizes[scope], 1) for scope in scopes])
    left_out: Weights = {}
    slopes = _slopes(examples, importance, penalty, fusion)
    while lowest := _lowest(examples, slopes):
        left_out[lowest] = 0.0
        examples = examples.without(lowest)
        slopes = _slopes(examples, importance, penalty, fusion)
    scores, _ = examples.best(examples.values(slopes))
    # Platt's targets stay below 1 and above 0, so that the scale is bounded.
    yes, no = int(examples.right.sum()), int((~examples.right).sum())
    target: Doubles = np.where(examples.right, (yes + 1) / (yes + 2), 1 / (no + 2))
    weight = (importance / importance.sum())[examples.goal]
    unit = scores.std() + 1e-9
    scale, intercept = logistic(scores[:, None] / unit, target, weight)
    found = {name: float(scale / unit * slope) for name, slope in slopes.items()}
    return {INTERCEPT: float(intercept), **found, **left_out, **required}


def _slopes(examples: Examples, importance: Doubles, penalty: float, fusion: float) -> Weights:
    learned = learn(examples, importance, replace(CARDS, penalty=penalty))
    return {name: learned[name] + fusion * FUSION.get(name, 0.0) for name in examples.names}


def _lowest(examples: Examples, slopes: Weights) -> str | None:
    """The feature in `MATCHES` with the lowest standardised weight, if this weight is below 0."""
    spread = dict(zip(examples.names, examples.features.std(0).tolist(), strict=True))
    below = {name: slopes[name] * spread[name] for name in MATCHES & slopes.keys()}
    lowest = min(below, key=lambda name: (below[name], name), default=None)
    return lowest if lowest is not None and below[lowest] < 0 else None


def fit_names(
    examples: Examples, told: Told, hard: Examples | None = None
) -> tuple[dict[str, Weights], list[Answer]]:
    """Learn score and confidence from all goals, and measure their quality on parts of the goals
    that were left out of the learning.

    Args:
        examples: examples from lookup tables.
        told: function that is called with the number of learned scores and their total.
        hard: examples of hard strings; the confidence is also learned from those that are
            learnable.

    Returns:
        The weights of score and confidence by feature, and the answers to held-out goals: all goals
        of `examples`, and the hard strings that are not learnable.
    """
    folds = np.array([task.fold(FOLDS) for task in examples.tasks])
    firsts = held_out(examples, folds, told)
    told(FOLDS, FOLDS + 1)
    score = learn(examples, _importance(examples), NAMES)
    cases = _Cases.of(firsts, examples.tasks, folds)
    if hard is not None:
        fold = np.array([-1 if is_learnable(task) else FOLDS for task in hard.tasks])
        cases = cases.and_also(_Cases.of(_firsts(hard, score), hard.tasks, fold))
    answers: list[Answer] = []
    learnable = cases.folds != FOLDS
    # The last fold is never learned from, so what is learned without it is learned from all.
    lines = [_confidence(cases, learnable & (cases.folds != fold)) for fold in range(FOLDS + 1)]
    for fold, line in enumerate(lines):
        held = np.flatnonzero(cases.folds == fold)
        chances = chances_at(line, cases.inputs[held])
        answers += [
            Answer(cases.tasks[place], int(cases.ranks[place]), float(chance / cases.names[place]))
            for place, chance in zip(held, chances, strict=True)
        ]
    confidence = dict(zip((*_ODDS, *examples.names, INTERCEPT), lines[-1].tolist(), strict=True))
    return {"score": {**score, **_PREFERENCES}, "confidence": confidence}, answers


@dataclass(frozen=True)
class _Cases:
    """Cases from which the confidence is learned; see `Firsts` for the arrays.

    Attributes:
        inputs: inputs to the confidence, in the order of `_ODDS` and the features.
        tasks: the goals.
        folds: part of the cross-validation; -1 is always learned from, `FOLDS` never.
    """

    inputs: Doubles
    right: NDArray[np.bool_]
    ranks: Numbers
    names: Numbers
    tasks: list[Task]
    folds: Numbers

    @classmethod
    def of(cls, firsts: Firsts, tasks: list[Task], folds: Numbers) -> _Cases:
        odds = np.clip(firsts.odds, -10, 12)
        features = firsts.features.astype(np.float64)
        inputs = np.column_stack([odds, odds**2, np.maximum(odds - 3, 0), features])
        return cls(inputs, firsts.right, firsts.ranks, firsts.names, tasks, folds)

    def and_also(self, other: _Cases) -> _Cases:
        return _Cases(
            np.concatenate([self.inputs, other.inputs]),
            np.concatenate([self.right, other.right]),
            np.concatenate([self.ranks, other.ranks]),
            np.concatenate([self.names, other.names]),
            [*self.tasks, *other.tasks],
            np.concatenate([self.folds, other.folds]),
        )


def held_out(
    examples: Examples,
    groups: NDArray[np.generic],
    told: Told,
    asked: Sequence[str] | None = None,
) -> Firsts:
    """Return the first answers to each requested group of goals, by a score that was learned from
    the other groups. By default, all groups are requested.
    """
    names = np.unique(groups) if asked is None else np.array(asked)
    count = len(groups)
    found = Firsts(
        np.zeros(count),
        np.zeros((count, len(examples.names)), dtype=np.float32),
        np.zeros(count, dtype=np.int64),
        np.zeros(count, dtype=np.bool_),
        np.ones(count, dtype=np.int64),
    )
    for number, name in enumerate(names):
        told(number, len(names) + 1)
        held = groups == name
        others = examples.select(~held)
        score = learn(others, _importance(others), NAMES)
        own = _firsts(examples.select(held), score)
        for part, values in vars(own).items():
            getattr(found, part)[held] = values
    return found


def _firsts(own: Examples, score: Weights) -> Firsts:
    scores, best = own.best(own.values(score))
    order = own.order(scores)
    firsts = order[own.starts]
    features = own.features[best[firsts]]
    shares = own.labels == own.labels[firsts][own.goal]
    names = np.add.reduceat(shares.astype(np.int64), own.starts)
    if _ABBREVIATES in own.names:
        names[features[:, own.names.index(_ABBREVIATES)] == 0] = 1
    else:
        names[:] = 1
    return Firsts(
        log_odds(scores, own.starts, own.labels)[firsts],
        features,
        own.ranks_of(order),
        np.logical_or.reduceat(own.right & shares, own.starts),
        names,
    )


def log_odds(scores: Doubles, starts: Numbers, labels: Numbers) -> Doubles:
    """Return log odds of each answer against "none" and the answers with other labels.

    Args:
        scores: scores of the answers.
        starts: index of the first answer to each goal.
        labels: labels of the answers.
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


def _importance(examples: Examples) -> Doubles:
    """Return the importance of each goal, which is low if only a table of synonyms contains its
    name."""
    return np.array([_KNOWLEDGE if task.tier == "knowledge" else 1.0 for task in examples.tasks])


def _confidence(cases: _Cases, known: NDArray[np.bool_]) -> Doubles:
    """Fit the odds that a first answer is right, by ridge logistic regression and Platt's curve."""
    tiers = np.array([task.tier for task in cases.tasks])
    # Goals that need a property are easy for those who state it, and would mislead the others.
    known = known & (tiers != "property")
    tiers = tiers[known]
    given, right = cases.inputs[known], cases.right[known].astype(np.float64)
    weight = np.where(np.isin(tiers, (*TIERS, "nil")), 1.0, _HARD)
    for tier, doubt in _DOUBTS.items():
        weight[tiers == tier] = doubt
    line = standardised(given, right, weight, _RIDGE)
    sure = given @ line[:-1] + line[-1]
    # Obvious cases are left out: their few wrong answers are errors in the labels, and would
    # distort the curve.
    bends = np.abs(sure) < _DOUBTED
    stretch, shift = logistic(sure[bends, None], right[bends], np.ones(int(bends.sum())))
    return np.append(line[:-1] * stretch, line[-1] * stretch + shift)
