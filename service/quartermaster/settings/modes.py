"""Settings for the selection modes and the canary."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from quartermaster.settings.base import NotNegative, Positive, Section, Share, Weight

Effort = Annotated[int, Field(ge=1, le=1000)]
Scoring = Literal["fusion", "learned"]


class Mode(Section):
    """One selection mode: candidates per channel, number of reranked and returned cards, weights.

    ``lambda`` is the share of novelty in MMR, and ``weight_rerank`` is the share of the
    cross-encoder in the score. The next five weights are the utility coefficients. If ``scoring``
    is learned, the coefficients in the database replace the fusion weights, provided that there
    are coefficients for the embedding model. A channel whose weight is 0 has no effect in either
    case. ``floor``: below so many expected right cards, a list consists of weak matches; ``tail``:
    a card with less than this share of the best card's probability is not shown.
    """

    lexical: NotNegative
    dense: NotNegative
    fuzzy: NotNegative
    rerank: NotNegative
    top: Positive
    ef_search: Effort
    mmr_lambda: Share = Field(default=0.3, alias="lambda")
    weight_lexical: Weight = 1.0
    weight_dense: Weight = 1.5
    weight_fuzzy: Weight = 0.3
    weight_rerank: Share = 0.3
    weight_score: Weight = 1.0
    weight_success: Weight = 0.05
    weight_latency: Weight = 0.02
    weight_risk: Weight = 0.0
    weight_unavailable: Share = 0.5
    floor: Share = 0.46
    tail: Share = 0.04
    scoring: Scoring = "learned"


class Modes(Section):
    """The three modes; a missing key keeps its default."""

    fast: Mode = Mode(lexical=24, dense=24, fuzzy=8, rerank=16, top=5, ef_search=240)
    balanced: Mode = Mode(lexical=48, dense=48, fuzzy=16, rerank=32, top=8, ef_search=240)
    thorough: Mode = Mode(lexical=100, dense=100, fuzzy=24, rerank=64, top=10, ef_search=300)


class CanaryMode(Section):
    """The settings that a canary changes in its mode; missing keys stay as they are."""

    lexical: NotNegative | None = None
    dense: NotNegative | None = None
    fuzzy: NotNegative | None = None
    rerank: NotNegative | None = None
    top: Positive | None = None
    ef_search: Effort | None = None
    mmr_lambda: Share | None = Field(default=None, alias="lambda")
    weight_lexical: Weight | None = None
    weight_dense: Weight | None = None
    weight_fuzzy: Weight | None = None
    weight_rerank: Share | None = None
    weight_score: Weight | None = None
    weight_success: Weight | None = None
    weight_latency: Weight | None = None
    weight_risk: Weight | None = None
    weight_unavailable: Share | None = None
    floor: Share | None = None
    tail: Share | None = None
    scoring: Scoring | None = None

    @model_serializer(mode="wrap")
    def _without_absent(self, serialize: SerializerFunctionWrapHandler) -> dict[str, object]:
        return {key: value for key, value in serialize(self).items() if value is not None}


class Canary(Section):
    """Answers a percentage of one mode's selections with other settings; 0 disables the canary."""

    mode: Literal["fast", "balanced", "thorough"] = "balanced"
    percent: Annotated[float, Field(ge=0, le=100)] = 0.0
    changes: CanaryMode = CanaryMode()
