"""Sorts the objects that a documentation lookup finds, for commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from quartermaster.cli.command import Command
from quartermaster.cli.session import Row
from quartermaster_knowledge import api

if TYPE_CHECKING:
    from quartermaster.models.embedding_model import EmbeddingModel


def rerank_symbols(
    qm: Command, model: EmbeddingModel | None, topic: str, rows: Sequence[Row]
) -> Sequence[Row]:
    """Returns the objects of a lookup in a new order, after the model has compared the first of
    them with the topic again.

    Args:
        qm: the command whose database is used.
        model: the active model. If None, the order stays the same.
        topic: the topic of the lookup.
        rows: rows of api.lookup_symbols.
    """
    from quartermaster.models.late_interaction import compare_tokens, reordered, texts_to_compare

    texts = texts_to_compare(rows)
    if model is None or not texts:
        return rows
    scores = [row["score"] for row in rows]
    compared = compare_tokens(model, topic, texts)
    return reordered(rows, qm.call(api.rerank_symbols(scores=scores, **compared)))
