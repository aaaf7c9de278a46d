"""Arms change what the settings has and what they would change."""

from __future__ import annotations

from quartermaster.eval.ablation import arms, idle

SETTINGS = {"lexical": 48, "dense": 32, "fuzzy": 16, "rerank": 32, "lambda": 0.0} | {
    f"weight_{channel}": 1.0 for channel in ("lexical", "dense", "fuzzy")
}


def test_each_channel_is_taken_away_and_left_alone():
    found = arms(SETTINGS)
    assert found["without dense"] == {"dense": 0, "weight_dense": 0}
    assert found["fuzzy only"] == {
        "lexical": 0,
        "weight_lexical": 0,
        "dense": 0,
        "weight_dense": 0,
    }


def test_what_would_change_nothing_is_left_out():
    found = arms(SETTINGS)
    assert "without rerank" in found
    assert "without MMR" not in found
    assert "plain fusion" not in found
    learned = arms(SETTINGS | {"scoring": "learned"})
    assert learned["plain fusion"] == {"scoring": "fusion"}
    assert learned["dense only"]["scoring"] == "fusion"


def test_what_cannot_change_anything_is_named_with_its_reason():
    found = idle(SETTINGS | {"scoring": "learned"}, reranks=False, is_learned=True)
    assert found == {
        "without rerank": "no reranker is configured",
        "without MMR": "the mode already has these settings",
        "without utility": "no tools have been called in the evaluation, and risk has no weight",
    }
    risky = SETTINGS | {"scoring": "learned", "lambda": 0.3, "weight_risk": 0.1}
    assert idle(risky, reranks=True, is_learned=True) == {}
    assert idle(risky, reranks=True, is_learned=False).keys() == {"plain fusion"}
