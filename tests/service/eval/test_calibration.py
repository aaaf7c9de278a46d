"""The probability of a result is learned from lists in which something fits or nothing does."""

from __future__ import annotations

import numpy as np
import pytest

from quartermaster.eval.calibration import FIT, OWN_FEATURES, PLACES, Listed, calibrate
from quartermaster.eval.examples import INTERCEPT_NAME
from quartermaster.eval.gold import Need, Task


def _lists(count: int, seed: int) -> list[Listed]:
    """Lists of five cards; where something fits, the best of the list is nearer and right."""
    random = np.random.default_rng(seed)
    lists: list[Listed] = []
    for number in range(count):
        served = number % 2 == 0
        scores = np.sort(random.uniform(0.02, 0.4, size=5))[::-1]
        scores[0] = random.uniform(0.5, 0.9) if served else random.uniform(0.3, 0.6)
        right = np.zeros(5, dtype=np.bool_)
        right[0] = served and random.uniform() < scores[0]
        right[1] = served and not right[0]
        need = Need(f"tool {number}", frozenset({f"tool {number}"}))
        task = Task(str(number), f"goal {number}", (need,))
        nearest = random.normal(0.7 if served else 0.4, 0.05)
        own = random.normal(0.4 if served else 0.3, 0.1, size=(5, len(OWN_FEATURES)))
        lists.append(Listed(task, served, scores, nearest, own, right))
    return lists


def test_it_is_calibrated_on_goals_that_it_was_not_learned_from():
    found = calibrate(_lists(600, seed=1))
    assert found.confidence.keys() == {*PLACES, *OWN_FEATURES, INTERCEPT_NAME, *FIT}
    assert found.error < 0.1
    assert found.skill > 0.25


def test_a_list_in_which_nothing_fits_is_improbable():
    found = calibrate(_lists(600, seed=2))
    assert found.said > 0.9
    assert 0 < found.floor < 1
    assert found.confidence["nearest"] > 0
    assert found.confidence["fit_expected"] > 0


def test_lists_of_one_sort_teach_nothing():
    served = [one for one in _lists(20, seed=3) if one.served]
    with pytest.raises(ValueError, match="with and without right cards"):
        calibrate(served)
