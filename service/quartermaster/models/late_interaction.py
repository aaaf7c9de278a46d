"""Compares a question with the texts of objects token by token, and reorders the objects by the
result.
"""

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
        """Returns the vectors of the tokens of each text; each vector has norm 1. Returns None if
        the model has no token vectors.
        """
        ...


def compare_tokens(
    model: EmbeddingModel, question: str, texts: Sequence[str]
) -> dict[str, list[float]]:
    """Returns the similarity of a question and each text, token by token, as arguments for
    api.rerank_symbols.

    Returns:
        Two lists with a number for each text. Both are empty if the model has no token vectors.

        - asked: the highest cosine of a token of the question with any token of the text, averaged
          over the tokens of the question.
        - told: the highest cosine of a token of the text with any token of the question, averaged
          over the tokens of the text.
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
    """Returns the texts of the objects to compare. The database returns a text only for these
    objects.
    """
    return [row["text"] for row in rows if row["text"] is not None]


def reordered(
    rows: Sequence[Mapping[str, Any]], places: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Returns the objects in the order that api.rerank_symbols returned, with their new scores."""
    return [{**rows[each["place"] - 1], "score": each["score"]} for each in places]
