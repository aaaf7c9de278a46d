"""Embeds queries to lookup tables whose names have vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from quartermaster.core.logs import get_logger
from quartermaster.models.async_embedder import AsyncEmbedder
from quartermaster.models.vector_text import vector_texts

_LONGEST: Final = 1_000

log = get_logger(part="lookup")


async def query_vectors(
    embedder: AsyncEmbedder, queries: Sequence[str | Mapping[str, Any]]
) -> list[str | None] | None:
    """Return the vector of each query; None for a query without text.

    Args:
        embedder: embedder of the active model.
        queries: queries in the format of api.search_lookups and api.reconcile_lookups.

    Returns:
        The vectors; None if the model fails, in which case the answers are worse.
    """
    texts = [_text(query) for query in queries]
    asked = [*dict.fromkeys(text for text in texts if text)]
    try:
        vectors = vector_texts(await embedder.embed_queries(asked))
    except Exception as error:  # noqa: BLE001 - whatever a model raises, words still find
        log.warning("embedding_failed", model=embedder.model.name, error=str(error))
        return None
    known = dict(zip(asked, vectors, strict=True))
    return [known.get(text) for text in texts]


def _text(query: str | Mapping[str, Any]) -> str:
    text = query.get("query") if isinstance(query, Mapping) else query
    # The database rejects other types and texts that are too long, one query at a time.
    return text.strip()[:_LONGEST] if isinstance(text, str) else ""
