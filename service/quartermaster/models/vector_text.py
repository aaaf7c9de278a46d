"""Vectors as the database reads them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def vector_texts(vectors: NDArray[np.float32]) -> list[str]:
    """Literals of pgvector, one for each row of [texts, dimension]."""
    # Nine digits hold a 32-bit float exactly.
    return [f"[{','.join(f'{number:.9g}' for number in row)}]" for row in vectors.tolist()]
