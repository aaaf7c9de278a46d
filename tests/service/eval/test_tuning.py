"""What may be tried, and what counts as better."""

from __future__ import annotations

import pytest

from quartermaster.eval.tuning import choices, objective

SETTINGS = {
    "lexical": 48,
    "dense": 32,
    "fuzzy": 16,
    "rerank": 32,
    "lambda": 0.3,
    "weight_lexical": 1.0,
    "weight_dense": 1.5,
    "weight_fuzzy": 0.3,
    "weight_rerank": 0.3,
    "weight_success": 0.05,
}


def test_a_set_below_its_best_channel_costs_what_it_lacks():
    assert objective({"a": 0.5, "b": 0.7}, {"a": 0.4, "b": 0.7}) == pytest.approx(0.6)
    assert objective({"a": 0.3, "b": 0.9}, {"a": 0.4, "b": 0.7}) == pytest.approx(0.5)


def test_what_has_no_effect_is_not_tried():
    assert {"rerank", "weight_rerank"} <= choices(SETTINGS, reranks=True, is_learned=True).keys()
    assert (
        not {"rerank", "weight_rerank", "weight_success"}
        & choices(SETTINGS, reranks=False, is_learned=True).keys()
    )
    learned = SETTINGS | {"scoring": "learned"}
    found = choices(learned, reranks=False, is_learned=True)
    assert found.keys() == {"lexical", "dense", "fuzzy", "lambda"}
    in_vain = choices(learned, reranks=False, is_learned=False)
    assert in_vain.keys() - found.keys() == {"weight_dense", "weight_fuzzy"}


def test_its_own_value_is_not_tried_again():
    found = choices(SETTINGS, reranks=True, is_learned=True)
    assert all(SETTINGS[name] not in values for name, values in found.items())
    assert found["lexical"] == [24, 36, 72, 96]
