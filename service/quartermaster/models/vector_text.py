"""Writes vectors in the format that the database reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def vector_texts(vectors: NDArray[np.float32]) -> list[str]:
    """Returns a pgvector literal for each row of [texts, dimension]."""
    # Nine digits represent a 32-bit float exactly.
    return [f"[{','.join(f'{number:.9g}' for number in row)}]" for row in vectors.tolist()]


def stored_vectors(
    model: str, rows: Sequence[Mapping[str, Any]], vectors: NDArray[np.float32]
) -> dict[str, Any]:
    """Builds the arguments for api.store_embeddings.

    Args:
        model: name of the model.
        rows: rows returned by api.claim_unembedded.
        vectors: vectors of the texts in those rows.
    """
    return {
        "model": model,
        "kinds": [row["kind"] for row in rows],
        "text_hashes": [row["text_hash"] for row in rows],
        "vectors": vector_texts(vectors),
    }
