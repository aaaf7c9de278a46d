"""What the score of lookup tables and its confidence learn from examples with named features."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from quartermaster.eval.examples import INTERCEPT_NAME, CandidateName, RankingExamples, Weights
from quartermaster.eval.fitting import learn
from quartermaster.eval.gold import Need, Task
from quartermaster_lookup.eval.fitting import NAMES, fit_names, log_odds


def _names(goals: int) -> RankingExamples:
    """Returns three rows a goal, the first of two names; the first feature tells the right one, and
    every third goal has none.
    """
    random = np.random.default_rng(1)

    def candidates(goal: int) -> list[CandidateName]:
        rights = [row == goal % 3 and goal % 3 != 2 for row in (0, 0, 1, 2)]
        noise = random.normal(size=(4, 4))
        noise[:, 0] = rights + 0.05 * noise[:, 0]
        rows = zip("0012", rights, noise.tolist(), strict=True)
        return [CandidateName(key, key, is_right, features) for key, is_right, features in rows]

    def task(goal: int) -> Task:
        if goal % 3 == 2:
            return Task("", str(goal), (), tier="nil")
        return Task("", str(goal), (Need(f"{goal}", frozenset({f"{goal}"})),), tier="lexical")

    found = [(task(goal), candidates(goal)) for goal in range(goals)]
    return RankingExamples.of(("telling", "a", "b", "c"), found)


def test_what_tells_right_rows_weighs_and_noise_does_not():
    examples = _names(300)
    learned = learn(examples, np.ones(300), NAMES)
    assert learned["telling"] > 5 * max(abs(learned[name]) for name in "abc")
    scores, _ = examples.best(examples.values(learned))
    chance = log_odds(scores, examples.starts, np.arange(len(scores)))
    assert ((chance > 0) == examples.right).mean() > 0.99
    assert recalls_of(examples, learned) == [1.0, 0.0]


def recalls_of(examples: RankingExamples, weights: Weights) -> list[float]:
    """Returns the share of answerable and of other goals whose first answer is right."""
    ranks, answerable = examples.ranks(weights), [bool(task.needs) for task in examples.tasks]
    is_one: NDArray[np.bool_] = np.array(answerable)
    return [float((ranks[is_one] == 1).mean()), float((ranks[~is_one] == 1).mean())]


def test_folds_tell_how_sure_an_answer_may_be():
    weights, answers = fit_names(_names(300), lambda _done, _total: None)
    assert weights["score"]["language"] == 0.5
    assert {INTERCEPT_NAME, "odds", "odds_high", "telling"} < weights["confidence"].keys()
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
