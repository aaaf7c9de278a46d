"""Thresholds are learned at a stated precision."""

from __future__ import annotations

import numpy as np
import pytest

from quartermaster.eval.threshold import GoldAnswers, choose, judge


def _firsts(wrong_below: float, count: int = 200) -> GoldAnswers:
    scores = np.linspace(0.5, 1, count)
    return GoldAnswers(scores, np.ones(count), scores >= wrong_below, count)


def test_no_cut_is_better_than_a_wrong_one() -> None:
    assert choose(_firsts(wrong_below=2), 0.9) is None
    assert choose(_firsts(wrong_below=0, count=20), 0.9) is None, "too few to say so"


def test_the_cut_keeps_the_precision_and_matches_most() -> None:
    cut = choose(_firsts(wrong_below=0.75), 0.98)
    assert cut is not None
    assert cut.threshold == pytest.approx(0.75, abs=0.011)
    assert 0.98 <= cut.precision <= 1
    assert cut.low < cut.precision <= cut.high + 1e-9
    assert cut.recall == pytest.approx(0.5, abs=0.01)


def test_a_gap_sets_right_answers_apart_where_scores_do_not() -> None:
    close = np.tile([0.02, 0.5], 50)
    firsts = GoldAnswers(np.full(100, 0.9), close, close > 0.1, 100)
    cut = choose(firsts, 0.98)
    assert cut is not None
    assert cut.gap > 0.02
    assert cut.matches == 50


def test_below_one_half_nothing_is_a_match() -> None:
    assert (
        judge(GoldAnswers(np.array([0.4]), np.array([0.4]), np.array([True]), 1), 0, 0).matches == 0
    )
