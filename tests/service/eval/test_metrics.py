"""The scorer against cases computed by hand."""

from __future__ import annotations

from math import log2

import pytest

from quartermaster.eval.gold import Need, Task, needs_of
from quartermaster.eval.metrics import Answer, exposure_waste, hit_ranks, measures, summary


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


def test_the_figures_of_answers_are_those_defined():
    def task(tier: str, *, answered: bool = True) -> Task:
        needs = (Need("1", frozenset({"1"})),) if answered else ()
        return Task("", "q", needs, scope="t", tier=tier, source="real")

    answers = [
        Answer(task("lexical"), 1, 0.99),
        Answer(task("alias"), 2, 0.9),
        Answer(task("nil", answered=False), 0, 0.2),
        Answer(task("property"), 0, 0.1),
    ]
    found = summary(answers, {"p50": 1.0})
    assert found["tiers"]["core"] == {"R@1": 0.5, "R@5": 1.0, "MRR": 0.75, "n": 2}
    assert found["tiers"]["property"]["R@1"] == 0
    assert (found["auto_match_recall@p98"], found["nil_auroc"], found["calibration"]) == (0.5, 1, 0)
