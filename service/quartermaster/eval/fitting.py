"""Learns feature weights, and the probability of the first answer, from examples.

The score is linear. A softmax over a goal's answers converts it to a probability. This is ListNet
with binary gains (Cao et al., Learning to Rank: From Pairwise Approach to Listwise Approach, 2007).
A `Recipe` contains the parameters that differ between kinds of cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from quartermaster.eval.examples import (
    INTERCEPT_NAME,
    Doubles,
    Numbers,
    RankingExamples,
    Weights,
)

# These are required, not learned: a card that destroys something comes after similar harmless
# cards, unless the goal is about destroying something. The last three say whether a card fits at
# all, not which card fits better (lab/notes/selection.md).
REQUIRED_WEIGHTS: Final = {
    "destroys_unasked": -8.0,
    "origin_dense": 0.0,
    "common_nearest": 0.0,
    "common_mean": 0.0,
}
FUSION: Final = {"lexical_relative": 1.0, "dense_relative": 1.5}
# A better match never lowers a score. A weight below 0 can help on the sets from which it was
# learned, but it does harm on others.
MATCHES: Final = frozenset(
    {
        *("lexical_relative", "lexical_share", "lexical_rank", "lexical_coverage"),
        *("dense", "dense_relative", "dense_gap", "dense_rank"),
        *("fuzzy", "name_share", "name_coverage", "origin_share"),
    }
)


@dataclass(frozen=True)
class Recipe:
    """The parameters for learning a score.

    Attributes:
        steps, rate: number of steps and learning rate of the gradient descent.
        cooling: function that maps the share of completed steps to the share of the learning rate
            to use.
        penalty: penalty on the squared weights of standardised features. It prevents large weights
            that fit only one set and mislead on other sets.
        has_none: whether the answer "none of them" competes, with the score 0. If so, one probable
            right answer is enough; otherwise, all right answers should get equal shares of the
            probability.
    """

    steps: int
    rate: float
    cooling: Callable[[float], float]
    penalty: float
    has_none: bool


CARDS: Final = Recipe(800, 0.05, lambda done: 1 - 0.9 * done, 0.01, has_none=False)


def learn(examples: RankingExamples, importance: Doubles, recipe: Recipe) -> Weights:
    """Learns with Adam (Kingma and Ba, 2015) the weights and the intercept that make the right
    answers most probable.

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
    return {INTERCEPT_NAME: float(weights[-1] - own @ mean), **found}


def _chances(scores: Doubles, starts: Numbers, goal: Numbers, *, has_none: bool) -> Doubles:
    """Returns the probability of each answer. With `has_none`, the probabilities of a goal's
    answers add up to less than 1; the remainder is the probability that no answer is right.
    Otherwise, they add up to 1.
    """
    top = np.maximum(np.maximum.reduceat(scores, starts), 0 if has_none else -np.inf)
    weight = np.exp(scores - top[goal])
    none = np.exp(-top) if has_none else 0
    return weight / (np.add.reduceat(weight, starts) + none)[goal]


def logistic(given: Doubles, target: Doubles, weight: Doubles, ridge: float = 0.0) -> Doubles:
    """Fits slopes and, as the last value, the intercept of a logistic curve (Platt, 1999), by
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
    """Fits a curve like `logistic`, but the penalty applies to the slopes of the standardised
    inputs.
    """
    mean, spread = given.mean(0), given.std(0) + 1e-6
    line = logistic((given - mean) / spread, target, weight, ridge)
    slopes = line[:-1] / spread
    return np.append(slopes, line[-1] - mean @ slopes)


def chances_at(line: Doubles, given: Doubles) -> Doubles:
    """Returns the probabilities that a logistic curve gives for inputs."""
    return np.asarray(1 / (1 + np.exp(-(given @ line[:-1] + line[-1]))))


def fit_cards(examples: RankingExamples, penalty: float = 0.01, fusion: float = 8.0) -> Weights:
    """Learns feature weights and an intercept with which scores are logarithms of odds.

    The features in `REQUIRED_WEIGHTS` are not learned. Features in `MATCHES` must not have a weight
    below 0. If one has, the feature with the lowest weight is left out, and the other weights are
    learned again, until none is below 0.

    Every scope has the same weight, regardless of its size. Learned weights are biased towards the
    sets that they were learned on. Therefore a multiple of the weights of plain fusion is added. In
    measurements, this kept the quality that fusion has on other sets.

    Args:
        examples: examples from one or more sets; goals without a right candidate have no effect.
        penalty: see `Recipe`.
        fusion: factor for the added weights of plain fusion; 0 if no other sets will be used.

    Raises:
        ValueError: no goal has a right card among its candidates.
    """
    if not examples.right.any():
        raise ValueError("no goal has a right card among its candidates")
    required = {name: weight for name, weight in REQUIRED_WEIGHTS.items() if name in examples.names}
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
    return {INTERCEPT_NAME: float(intercept), **found, **left_out, **required}


def _slopes(
    examples: RankingExamples, importance: Doubles, penalty: float, fusion: float
) -> Weights:
    learned = learn(examples, importance, replace(CARDS, penalty=penalty))
    return {name: learned[name] + fusion * FUSION.get(name, 0.0) for name in examples.names}


def _lowest(examples: RankingExamples, slopes: Weights) -> str | None:
    """Returns the feature in `MATCHES` with the lowest standardised weight, if this weight is below
    0.
    """
    spread = dict(zip(examples.names, examples.features.std(0).tolist(), strict=True))
    below = {name: slopes[name] * spread[name] for name in MATCHES & slopes.keys()}
    lowest = min(below, key=lambda name: (below[name], name), default=None)
    return lowest if lowest is not None and below[lowest] < 0 else None
