"""The learned score finds what separates right rows from wrong ones, and from none."""

from __future__ import annotations

import numpy as np

from quartermaster.eval.lookup_gold import Pair
from quartermaster.eval.lookup_metrics import Answer, summary
from quartermaster.lookup.confidence import learn_confidence
from quartermaster.lookup.score import Candidates, calibrate, learn, log_odds


def candidates(queries: int) -> Candidates:
    """Three rows a query, the first of two names; the first feature tells the right one, and every
    third query has none."""
    random = np.random.default_rng(1)
    right = np.zeros((queries, 3), dtype=bool)
    right[np.arange(queries), np.arange(queries) % 3] = np.arange(queries) % 3 != 2
    names = np.repeat(right.reshape(-1), np.tile([2, 1, 1], queries))
    features = random.normal(size=(len(names), 4)).astype(np.float32)
    features[:, 0] = names + 0.05 * features[:, 0]
    return Candidates(
        features=features,
        row_starts=np.flatnonzero(np.tile([1, 0, 1, 1], queries)),
        query_starts=np.arange(queries) * 3,
        is_right=right.reshape(-1),
        labels=np.arange(queries * 3),
    )


def test_what_tells_right_rows_weighs_and_noise_does_not():
    learned = learn(candidates(300), np.ones(300, dtype=np.float32))
    assert learned.weights[0] > 5 * np.abs(learned.weights[1:]).max()
    chance = log_odds(
        learned.of_rows(candidates(60)), candidates(60).query_starts, candidates(60).labels
    )
    assert ((chance > 0) == candidates(60).is_right).mean() > 0.99


def test_rows_of_the_same_name_do_not_compete():
    scores, starts = np.array([3.0, 3.0, -9.0]), np.array([0])
    apart = log_odds(scores, starts, np.array([0, 1, 2]))
    alike = log_odds(scores, starts, np.array([0, 0, 2]))
    assert apart[0] < 0 < 2.9 < alike[0]


def test_calibrated_odds_are_shares():
    random = np.random.default_rng(2)
    odds = random.normal(size=4000) * 2
    right = random.random(4000) < 1 / (1 + np.exp(-(0.5 * odds + 1)))
    slope, intercept = calibrate(odds, right.tolist())
    assert abs(slope - 0.5) < 0.1
    assert abs(intercept - 1) < 0.15


def test_confidence_learns_what_speaks_for_none():
    random = np.random.default_rng(3)
    features = random.random((600, 2)).astype(np.float32)
    none = features[:, 1] > 0.7
    importance, bends = np.where(none, 3.0, 1.0), np.ones(600, dtype=np.bool_)
    learned = learn_confidence(random.normal(size=600), features, ~none, importance, bends)
    assert learned.of(np.zeros(2), np.array([[0.5, 0.1], [0.5, 0.9]], np.float32))[0] > 2


def test_the_figures_of_an_evaluation_are_those_defined():
    def pair(tier: str, *, answered: bool = True) -> Pair:
        expected = frozenset({"1"}) if answered else frozenset[str]()
        return Pair("t", "q", expected, tier, "", "real", None, None)

    answers = [
        Answer(pair("lexical"), 1, 0.99),
        Answer(pair("alias"), 2, 0.9),
        Answer(pair("nil", answered=False), None, 0.2),
        Answer(pair("property"), None, 0.1),
    ]
    found = summary(answers, {"p50": 1.0})
    assert found["tiers"]["core"] == {"R@1": 0.5, "R@5": 1.0, "MRR": 0.75, "n": 2}
    assert found["tiers"]["property"]["R@1"] == 0
    assert (found["auto_match_recall@p98"], found["nil_auroc"], found["calibration"]) == (0.5, 1, 0)
