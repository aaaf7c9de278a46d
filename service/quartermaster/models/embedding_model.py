"""The interface of all embedding models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class EmbeddingModel(Protocol):
    """A model that converts texts to vectors."""

    @property
    def name(self) -> str:
        """The name under which the model's vectors are stored."""
        ...

    @property
    def dimension(self) -> int:
        """The length of the model's vectors."""
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
        a language that the model can read. Do not use this function for a name that is looked up.
        """
        ...

    def goal_texts(self, goal: str) -> list[str]:
        """Returns the texts to embed for a goal: one for the goal, and one for each of its
        sentences (see `goal_parts`). The model may leave out the last sentences.
        """
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embeds texts in order: float32 [len(texts), dimension]; each vector has L2 norm 1."""
        ...
