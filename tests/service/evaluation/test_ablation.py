"""Arms change what the profile has and what they would change."""

from __future__ import annotations

from quartermaster.evaluation.ablation import arms

PROFILE = {"lexical": 48, "dense": 32, "fuzzy": 16, "rerank": 32, "lambda": 0.0} | {
    f"weight_{channel}": 1.0 for channel in ("lexical", "dense", "fuzzy")
}


def test_each_channel_is_taken_away_and_left_alone():
    found = arms(PROFILE)
    assert found["without dense"] == {"dense": 0, "weight_dense": 0}
    assert found["fuzzy only"] == {
        "lexical": 0,
        "weight_lexical": 0,
        "dense": 0,
        "weight_dense": 0,
    }


def test_what_would_change_nothing_is_left_out():
    found = arms(PROFILE)
    assert "without rerank" in found
    assert "without MMR" not in found
    assert "plain fusion" not in found
    learned = arms(PROFILE | {"scoring": "learned"})
    assert learned["plain fusion"] == {"scoring": "fusion"}
    assert learned["dense only"]["scoring"] == "fusion"
