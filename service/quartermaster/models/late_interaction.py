"""Compares a question with texts token by token, and puts them in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from quartermaster.models.embedding_model import EmbeddingModel


@runtime_checkable
class TokenModel(Protocol):
    """An embedding model that also returns the vectors of single tokens."""

    def tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]] | None:
        """Returns the vectors of the tokens of each text, of norm 1; None if the model has none."""
        ...


def compare_tokens(
    model: EmbeddingModel, question: str, texts: Sequence[str]
) -> dict[str, list[float]]:
    """Returns how near tokens of a question and of texts are to each other, as api.rerank_symbols
    takes it.

    Returns:
        asked: for each text, the mean over the tokens of the question of the best cosine with a
        token of the text; told: the same with question and text exchanged. Empty lists: the model
        has no vectors of tokens.
    """
    asked = model.goal_text(question)
    found = model.tokens([asked, *texts]) if texts and isinstance(model, TokenModel) else None
    if found is None:
        return {"asked": [], "told": []}
    cosines = [found[0] @ each.T for each in found[1:]]
    return {
        "asked": [float(each.max(axis=1).mean()) for each in cosines],
        "told": [float(each.max(axis=0).mean()) for each in cosines],
    }


def texts_to_compare(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Returns the texts of the first objects; the database says how many are worth it."""
    return [row["text"] for row in rows if row["text"] is not None]


def reordered(
    rows: Sequence[Mapping[str, Any]], places: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Returns the objects in the order of api.rerank_symbols, with their new scores."""
    return [{**rows[each["place"] - 1], "score": each["score"]} for each in places]
