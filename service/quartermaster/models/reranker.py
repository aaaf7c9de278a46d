"""The interface of all rerankers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Reranker(Protocol):
    """A model that scores how well texts fit a query."""

    @property
    def name(self) -> str:
        """The name under which the model's scores are stored."""
        ...

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Scores how well each text fits the query: float32 [len(texts)]. A higher score is better;
        the scale depends on the model.
        """
        ...

    def score_pairs(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Scores pairs of a query and a text. The pairs may have different queries."""
        ...
