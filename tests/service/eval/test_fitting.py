"""What the learned score learns."""

from __future__ import annotations

import numpy as np
import pytest

from quartermaster.eval.examples import Examples
from quartermaster.eval.fitting import INTERCEPT, fit


def _examples(goals: int, telling: int, seed: int) -> Examples:
    """Ten candidates a goal; the needed one has the largest of the feature that tells."""
    random = np.random.default_rng(seed)
    features = random.uniform(size=(goals, 10, 2))
    needed = np.zeros((goals, 10), dtype=np.bool_)
    needed[np.arange(goals), features[:, :, telling].argmax(axis=1)] = True
    goal = np.repeat(np.arange(goals), 10)
    return Examples(("first", "second"), features.reshape(-1, 2), needed.ravel(), goal)


def _probability(weights: dict[str, float], features: list[float]) -> float:
    score = weights[INTERCEPT] + weights["first"] * features[0] + weights["second"] * features[1]
    return float(1 / (1 + np.exp(-score)))


def test_what_tells_weighs_more_than_what_does_not() -> None:
    weights = fit([_examples(200, telling=1, seed=1)])
    assert weights["second"] > 10 * abs(weights["first"])


def test_scores_are_probabilities() -> None:
    examples = _examples(200, telling=0, seed=2)
    weights = fit([examples])
    mean = np.mean([_probability(weights, row.tolist()) for row in examples.features])
    assert mean == pytest.approx(examples.needed.mean(), abs=0.01)


def test_sets_count_the_same_whatever_their_size() -> None:
    weights = fit([_examples(400, telling=0, seed=3), _examples(40, telling=1, seed=4)])
    assert weights["second"] > 0.4 * weights["first"] > 0


def test_a_goal_without_a_needed_candidate_teaches_nothing() -> None:
    one = _examples(100, telling=0, seed=5)
    lost = _examples(100, telling=1, seed=6)
    both = Examples(
        one.names,
        np.concatenate([one.features, lost.features]),
        np.concatenate([one.needed, np.zeros_like(lost.needed)]),
        np.concatenate([one.goal, lost.goal + 100]),
    )
    alone, together = fit([one], penalty=0.1), fit([both], penalty=0.1)
    ratio = together["second"] / together["first"]
    assert ratio == pytest.approx(alone["second"] / alone["first"], abs=0.05)


def test_nothing_needed_is_refused() -> None:
    one = _examples(10, telling=0, seed=7)
    with pytest.raises(ValueError, match="no goal has a needed candidate"):
        fit([Examples(one.names, one.features, np.zeros_like(one.needed), one.goal)])
