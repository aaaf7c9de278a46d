"""What scores and their confidence learn from examples with named features."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from quartermaster.eval.examples import INTERCEPT, Candidate, Examples, Weights
from quartermaster.eval.fitting import (
    NAMES,
    REQUIRED,
    fit_cards,
    fit_names,
    learn,
    log_odds,
    logistic,
)
from quartermaster.eval.gold import Need, Task

NEEDED = (Need("right", frozenset({"right"})),)


def _cards(
    goals: int, telling: int, seed: int, scope: str = "", *, teaches: bool = True
) -> list[tuple[Task, list[Candidate]]]:
    """Ten candidates a goal; the needed one has the largest of the feature that tells."""
    features = np.random.default_rng(seed).uniform(size=(goals, 10, 2))
    return [
        (
            Task("", "", NEEDED, scope=scope),
            [
                Candidate(str(n), str(n), teaches and n == own[:, telling].argmax(), row.tolist())
                for n, row in enumerate(own)
            ],
        )
        for own in features
    ]


def _examples(*found: list[tuple[Task, list[Candidate]]]) -> Examples:
    return Examples.of(("first", "second"), [one for part in found for one in part])


def test_what_tells_weighs_more_than_what_does_not():
    weights = fit_cards(_examples(_cards(200, telling=1, seed=1)))
    assert weights["second"] > 10 * abs(weights["first"])


def test_scores_are_probabilities():
    examples = _examples(_cards(200, telling=0, seed=2))
    probable = 1 / (1 + np.exp(-examples.values(fit_cards(examples))))
    assert probable.mean() == pytest.approx(examples.right.mean(), abs=0.01)


def test_sets_count_the_same_whatever_their_size():
    large, small = _cards(400, 0, seed=3, scope="large"), _cards(40, 1, seed=4, scope="small")
    weights = fit_cards(_examples(large, small))
    assert weights["second"] > 0.4 * weights["first"] > 0


def test_a_goal_without_a_needed_candidate_teaches_nothing():
    one, lost = _cards(100, telling=0, seed=5), _cards(100, telling=1, seed=6, teaches=False)
    alone = fit_cards(_examples(one), penalty=0.1)
    together = fit_cards(_examples(one, lost), penalty=0.1)
    ratio = together["second"] / together["first"]
    assert ratio == pytest.approx(alone["second"] / alone["first"], abs=0.05)


def test_what_is_required_is_not_learned():
    [(task, candidates)] = _cards(1, telling=1, seed=8)
    examples = Examples.of(("destroys_unasked", "second"), [(task, candidates)])
    assert fit_cards(examples)["destroys_unasked"] == REQUIRED["destroys_unasked"]


def test_a_better_match_never_lowers_a_score():
    found = _cards(200, telling=1, seed=9)
    against = [
        (task, [one._replace(features=[-one.features[1], one.features[1]]) for one in candidates])
        for task, candidates in found
    ]
    assert fit_cards(Examples.of(("second", "length"), against))["second"] < 0
    weights = fit_cards(Examples.of(("fuzzy", "length"), against))
    assert weights["fuzzy"] == 0 < weights["length"]


def test_nothing_needed_is_refused():
    with pytest.raises(ValueError, match="no goal has a right card among its candidates"):
        fit_cards(_examples(_cards(10, telling=0, seed=7, teaches=False)))


def _names(goals: int) -> Examples:
    """Three rows a goal, the first of two names; the first feature tells the right one, and every
    third goal has none."""
    random = np.random.default_rng(1)

    def candidates(goal: int) -> list[Candidate]:
        rights = [row == goal % 3 and goal % 3 != 2 for row in (0, 0, 1, 2)]
        noise = random.normal(size=(4, 4))
        noise[:, 0] = rights + 0.05 * noise[:, 0]
        rows = zip("0012", rights, noise.tolist(), strict=True)
        return [Candidate(key, key, is_right, features) for key, is_right, features in rows]

    def task(goal: int) -> Task:
        if goal % 3 == 2:
            return Task("", str(goal), (), tier="nil")
        return Task("", str(goal), (Need(f"{goal}", frozenset({f"{goal}"})),), tier="lexical")

    found = [(task(goal), candidates(goal)) for goal in range(goals)]
    return Examples.of(("telling", "a", "b", "c"), found)


def test_what_tells_right_rows_weighs_and_noise_does_not():
    examples = _names(300)
    learned = learn(examples, np.ones(300), NAMES)
    assert learned["telling"] > 5 * max(abs(learned[name]) for name in "abc")
    scores, _ = examples.best(examples.values(learned))
    chance = log_odds(scores, examples.starts, np.arange(len(scores)))
    assert ((chance > 0) == examples.right).mean() > 0.99
    assert recalls_of(examples, learned) == [1.0, 0.0]


def recalls_of(examples: Examples, weights: Weights) -> list[float]:
    """The share of answerable and of other goals whose first answer is right."""
    ranks, answerable = examples.ranks(weights), [bool(task.needs) for task in examples.tasks]
    is_one: NDArray[np.bool_] = np.array(answerable)
    return [float((ranks[is_one] == 1).mean()), float((ranks[~is_one] == 1).mean())]


def test_folds_tell_how_sure_an_answer_may_be():
    weights, answers = fit_names(_names(300), lambda _done, _total: None)
    assert weights["score"]["language"] == 0.5
    assert {INTERCEPT, "odds", "odds_high", "telling"} < weights["confidence"].keys()
    sure = {answer.score > 0.5 for answer in answers if answer.task.needs}
    assert sure == {True}
    assert max(answer.score for answer in answers if not answer.task.needs) < 0.5


def test_without_what_tells_nothing_is_found():
    examples = _names(300)
    blind = examples.without("telling")
    assert blind.names == ("a", "b", "c")
    assert recalls_of(blind, learn(blind, np.ones(300), NAMES))[0] < 0.6


def test_rows_of_the_same_name_do_not_compete():
    scores, starts = np.array([3.0, 3.0, -9.0]), np.array([0])
    apart = log_odds(scores, starts, np.array([0, 1, 2]))
    alike = log_odds(scores, starts, np.array([0, 0, 2]))
    assert apart[0] < 0 < 2.9 < alike[0]


def test_calibrated_odds_are_shares():
    random = np.random.default_rng(2)
    odds = random.normal(size=4000) * 2
    right = (random.random(4000) < 1 / (1 + np.exp(-(0.5 * odds + 1)))).astype(np.float64)
    slope, intercept = logistic(odds[:, None], right, np.ones(4000))
    assert abs(slope - 0.5) < 0.1
    assert abs(intercept - 1) < 0.15
