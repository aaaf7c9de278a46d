"""The scorer against cases computed by hand."""

from __future__ import annotations

from math import log2

import pytest

from quartermaster.eval.gold import Need, Task, needs_of
from quartermaster.eval.metrics import (
    Offer,
    RankedAnswer,
    brier_skill,
    calibration_error,
    exposure_waste,
    graded_ndcg,
    hit_ranks,
    measures,
    says_nothing_fits,
    shown_recall,
    summary,
)


def test_two_needs_at_ranks_one_and_three():
    found = measures(["a", "x", "b"], needs_of(["a", "b"], {}, {}), {})
    assert found == {
        "Recall@1": 0.5,
        "Recall@5": 1,
        "Recall@10": 1,
        "nDCG@10": pytest.approx((1 + 1 / log2(4)) / (1 + 1 / log2(3))),
        "MRR": 1,
        "completeness@10": 1,
        "pool_recall@100": 1,
    }


def test_a_hit_behind_rank_ten_counts_for_the_pool_and_mrr_only():
    ranking = [f"x{number}" for number in range(10)] + ["a"]
    found = measures(ranking, needs_of(["a"], {}, {}), {})
    assert (found["Recall@10"], found["nDCG@10"], found["completeness@10"]) == (0, 0, 0)
    assert (found["pool_recall@100"], found["MRR"]) == (1, pytest.approx(1 / 11))


def test_nothing_found_is_zero_everywhere():
    assert set(measures([], needs_of(["a", "b"], {}, {}), {}).values()) == {0}


def test_more_needs_than_ten_can_still_be_ideal():
    tools = [f"t{number:02}" for number in range(12)]
    found = measures(tools, needs_of(tools, {}, {}), {})
    assert found["nDCG@10"] == pytest.approx(1)
    assert found["Recall@10"] == pytest.approx(10 / 12)
    assert found["completeness@10"] == 0


def test_an_accepted_alternative_meets_the_need_once():
    needs = needs_of(["a"], {"a": ["b", "c"]}, {})
    assert hit_ranks(["x", "b", "a", "c"], needs) == [2]


def test_a_hit_meets_its_own_need_before_that_of_another():
    needs = needs_of(["a", "b"], {"a": ["b"]}, {})
    assert hit_ranks(["b", "a"], needs) == [1, 2]


def test_near_duplicates_are_one_hit_and_take_one_rank():
    groups = {"a1": "A", "a2": "A", "x1": "X", "x2": "X"}
    found = measures(["x1", "x2", "a2", "a1"], needs_of(["a1"], {}, groups), groups)
    assert found["MRR"] == 0.5
    both = needs_of(["a1", "a2"], {}, groups)
    assert len(both) == 1


def test_what_was_shown_in_vain():
    needs = needs_of(["a", "b"], {}, {"a2": "a"})
    assert exposure_waste(["a", "x", "a2", "y"], needs, {"a2": "a"}) == 0.75
    assert exposure_waste([], needs, {}) == 0


def test_what_was_shown_of_what_is_needed():
    needs = needs_of(["a", "b"], {}, {"a2": "a"})
    assert shown_recall(["x", "a2"], needs, {"a2": "a"}) == 0.5
    assert shown_recall([], needs, {}) == 0


def test_grades_gain_by_their_power_of_two():
    grades = {"a": 3.0, "b": 1.0, "c": 0.0}
    ideal = 7 / log2(2) + 1 / log2(3)
    assert graded_ndcg(["a", "b", "c"], grades) == pytest.approx(1)
    assert graded_ndcg(["x", "b", "a"], grades) == pytest.approx((1 / log2(3) + 7 / 2) / ideal)
    behind = [f"x{number}" for number in range(10)] + ["a"]
    assert graded_ndcg(behind, grades) == 0
    assert graded_ndcg(["a"], {"a": 0.0}) == 0


def offers(*pairs: tuple[float, bool]) -> list[Offer]:
    """Offers with these scores, right or wrong."""
    return [Offer(str(number), *pair) for number, pair in enumerate(pairs)]


def test_the_calibration_error_is_that_of_the_bins():
    # .95 and 1 are in the last bin: one of two is right, where .975 was promised.
    shown = offers((0.95, True), (1.0, False), (0.12, False), (0.18, False))
    assert calibration_error(shown) == pytest.approx((2 * 0.475 + 2 * 0.15) / 4)
    # In different bins, errors of opposite signs do not cancel out; in one bin they do.
    assert calibration_error(offers((0.6, True), (0.4, False))) == pytest.approx(0.4)
    assert calibration_error(offers((0.5, True), (0.5, False))) == 0
    assert calibration_error([]) is None


def test_the_brier_skill_compares_with_the_share_of_right_ones():
    shown = offers((0.8, True), (0.4, False), (0.0, False), (0.2, False))
    before = 0.25 * 0.75
    assert brier_skill(shown) == pytest.approx(1 - (0.04 + 0.16 + 0 + 0.04) / 4 / before)
    assert brier_skill(offers((0.5, True), (0.5, False))) == 0
    assert brier_skill(offers((0.9, True))) is None
    assert brier_skill([]) is None


def test_nothing_fits_is_said_by_showing_nothing_or_weak_matches_only():
    weak = Offer("a", 0.1, is_right=False, is_weak=True)
    assert says_nothing_fits([])
    assert says_nothing_fits([weak, weak])
    assert not says_nothing_fits([weak, Offer("b", 0.1, is_right=False)])


def test_the_figures_of_answers_are_those_defined():
    def task(tier: str, *, answered: bool = True) -> Task:
        needs = (Need("1", frozenset({"1"})),) if answered else ()
        return Task("", "q", needs, scope="t", tier=tier, source="real")

    answers = [
        RankedAnswer(task("lexical"), 1, 0.99),
        RankedAnswer(task("alias"), 2, 0.9),
        RankedAnswer(task("nil", answered=False), 0, 0.2),
        RankedAnswer(task("property"), 0, 0.1),
    ]
    found = summary(answers, {"p50": 1.0})
    assert found["tiers"]["core"] == {"R@1": 0.5, "R@5": 1.0, "MRR": 0.75, "n": 2}
    assert found["tiers"]["property"]["R@1"] == 0
    assert (found["auto_match_recall@p98"], found["nil_auroc"], found["calibration"]) == (0.5, 1, 0)
