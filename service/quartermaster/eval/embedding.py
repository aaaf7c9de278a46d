"""Embeds the texts that wait for a vector, through the api functions of the database under test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from quartermaster import api
from quartermaster.core.api_call import ApiCaller
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.models.vector_text import stored_vectors

_CLAIM: Final = 512
Progress = Callable[[str, int, int], None]


def embed_names(caller: ApiCaller, model: EmbeddingModel, progress: Progress) -> int:
    """Embeds every text that is waiting for a vector; returns their number.

    Args:
        caller: caller for a database in which this model is active.
        model: model that embeds the texts.
        progress: function that reports progress.

    Raises:
        QmError: errors from the database.
    """
    done = 0
    while rows := caller.call(api.claim_unembedded(model=model.name, maximum=_CLAIM)):
        texts = [model.passage_prefix + row["embedding_text"] for row in rows]
        caller.call(api.store_embeddings(**stored_vectors(model.name, rows, model.embed(texts))))
        done += len(rows)
        progress("embedding", done, done + (len(rows) == _CLAIM) * _CLAIM)
    return done
