"""The learned score of lookup tables as the database keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from quartermaster.lookup.confidence import Confidence
from quartermaster.lookup.score import Score

_ODDS: Final = ("odds", "odds_squared", "odds_high")
# Asked for, not learned: of rows as near as each other those of the language come first.
_PREFERENCES: Final = {"language": 0.5}


def weights(
    names: Sequence[str], score: Score, confidence: Confidence
) -> dict[str, dict[str, float]]:
    """Weights by feature, of the score that orders and of the confidence.

    Args:
        names: of the features, in their order.
        score, confidence: what was learned.
    """
    ordering = zip(("intercept", *names), (score.intercept, *score.weights), strict=True)
    sure = zip(
        ("intercept", *_ODDS, *names),
        (confidence.intercept, *confidence.weights),
        strict=True,
    )
    return {
        "score": {name: round(float(weight), 4) for name, weight in ordering} | _PREFERENCES,
        "confidence": {name: round(float(weight), 4) for name, weight in sure},
    }
