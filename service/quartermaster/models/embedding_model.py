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
        """The prefix for a name that is looked up; `embed` does not add it."""
        ...

    @property
    def passage_prefix(self) -> str:
        """The prefix for a text from the catalog; `embed` does not add it."""
        ...

    def goal_text(self, goal: str) -> str:
        """Returns the text to embed for a goal in plain words: with the prefix for queries, and in
        a language that the model reads. A name that is looked up is not a goal.
        """
        ...

    def goal_texts(self, goal: str) -> list[str]:
        """Returns the texts to embed for a goal: its own, and those of its sentences (see
        `goal_parts`), of which a model may leave out the last ones.
        """
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embeds texts in order: float32 [len(texts), dimension]; each vector has L2 norm 1."""
        ...
