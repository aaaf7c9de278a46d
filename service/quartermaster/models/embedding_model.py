"""The interface of all embedding models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class EmbeddingModel(Protocol):
    """An embedding model."""

    @property
    def name(self) -> str:
        """The name under which its vectors are kept."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        ...

    @property
    def query_prefix(self) -> str:
        """The prefix of a goal, such as `query: `; `embed` does not add it."""
        ...

    @property
    def passage_prefix(self) -> str:
        """The prefix of a text of the catalog; `embed` does not add it."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts: float32 [len(texts), dimension], each of L2 norm 1, in their order."""
        ...
