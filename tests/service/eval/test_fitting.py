"""What scores and their confidence learn from examples with named features."""

from __future__ import annotations

import numpy as np
import pytest

from quartermaster.eval.examples import CandidateName, RankingExamples
from quartermaster.eval.fitting import REQUIRED_WEIGHTS, fit_cards, logistic
from quartermaster.eval.gold import Need, Task

NEEDED = (Need("right", frozenset({"right"})),)


def _cards(
    goals: int, telling: int, seed: int, scope: str = "", *, teaches: bool = True
) -> list[tuple[Task, list[CandidateName]]]:
    """Ten candidates a goal; the needed one has the largest of the feature that tells."""
    features = np.random.default_rng(seed).uniform(size=(goals, 10, 2))
    return [
        (
            Task("", "", NEEDED, scope=scope),
            [
                CandidateName(
                    str(n), str(n), teaches and n == own[:, telling].argmax(), row.tolist()
                )
                for n, row in enumerate(own)
            ],
        )
        for own in features
    ]


def _examples(*found: list[tuple[Task, list[CandidateName]]]) -> RankingExamples:
    return RankingExamples.of(("first", "second"), [one for part in found for one in part])


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
    examples = RankingExamples.of(("destroys_unasked", "second"), [(task, candidates)])
    assert fit_cards(examples)["destroys_unasked"] == REQUIRED_WEIGHTS["destroys_unasked"]


def test_a_better_match_never_lowers_a_score():
    found = _cards(200, telling=1, seed=9)
    against = [
        (task, [one._replace(features=[-one.features[1], one.features[1]]) for one in candidates])
        for task, candidates in found
    ]
    assert fit_cards(RankingExamples.of(("second", "length"), against))["second"] < 0
    weights = fit_cards(RankingExamples.of(("fuzzy", "length"), against))
    assert weights["fuzzy"] == 0 < weights["length"]


def test_nothing_needed_is_refused():
    with pytest.raises(ValueError, match="no goal has a right card among its candidates"):
        fit_cards(_examples(_cards(10, telling=0, seed=7, teaches=False)))


def test_calibrated_odds_are_shares():
    random = np.random.default_rng(2)
    odds = random.normal(size=4000) * 2
    right = (random.random(4000) < 1 / (1 + np.exp(-(0.5 * odds + 1)))).astype(np.float64)
    slope, intercept = logistic(odds[:, None], right, np.ones(4000))
    assert abs(slope - 0.5) < 0.1
    assert abs(intercept - 1) < 0.15
