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
        """The name under which its vectors are stored."""
        ...

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        ...

    @property
    def query_prefix(self) -> str:
        """The prefix for a goal, such as `query: `; `embed` does not add it."""
        ...

    @property
    def passage_prefix(self) -> str:
        """The prefix for a text from the catalog; `embed` does not add it."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts in order: float32 [len(texts), dimension]; each vector has L2 norm 1."""
        ...
