"""What others rank with, over the same tools: exact BM25 and dense search, by our model and by the
one it was trained from, and the fusion of the two.
"""

from __future__ import annotations

import re
from typing import Any, Protocol, cast

import bm25s
import numpy as np
import Stemmer
from numpy.typing import NDArray

from quartermaster.eval.items import ItemSet
from quartermaster.models.embedding_model import EmbeddingModel

Vector = NDArray[np.float32]


class Rival(Protocol):
    """Ranks tools for a goal.

    Attributes:
        name: of the system.
        embeds: whether it needs the goal's vector, so that making it counts.
    """

    name: str
    embeds: bool

    def search(self, goal: str, vector: Vector, k: int) -> list[int]:
        """Returns positions of the best k tools, best first; vector: of the goal, float32
        [dimension].
        """
        ...


def split_identifiers(text: str) -> str:
    """Returns the text with camelCase, snake_case, kebab-case and dotted names taken apart."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\-./]+", " ", text)


def baseline_text(tool: dict[str, Any]) -> str:
    """Returns name, description and parameters, identifiers taken apart: as in published
    baselines.
    """
    properties: dict[str, Any] = tool.get("input_schema", {}).get("properties") or {}
    parameters = " ".join(
        f"{key} {value.get('description', '')}" if isinstance(value, dict) else key
        for key, value in properties.items()
    )
    return split_identifiers(f"{tool['name']} {tool.get('description', '')} {parameters}")


class Bm25:
    """bm25s: Lucene's BM25 (k1 1.2, b 0.75), English stop words, Snowball stemmer, every tool."""

    name, embeds = "BM25 (bm25s)", False

    def __init__(self, tools: ItemSet) -> None:
        self._stemmer = Stemmer.Stemmer("english")
        self._index: Any = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
        self._tools = len(tools.ids)
        texts = [baseline_text(tool) for tool in tools.definitions]
        self._index.index(self._tokens(texts), show_progress=False)

    def search(self, goal: str, vector: Vector, k: int) -> list[int]:
        """See `Rival`."""
        found, scores = self._index.retrieve(
            self._tokens([split_identifiers(goal)]), k=min(k, self._tools), show_progress=False
        )
        hits = zip(found[0].tolist(), scores[0].tolist(), strict=True)
        return [position for position, score in hits if score > 0]

    def _tokens(self, texts: list[str]) -> Any:
        tokenize: Any = cast("Any", bm25s).tokenize
        return tokenize(texts, stopwords="en", stemmer=self._stemmer, show_progress=False)


class Dense:
    """Cosine with every tool's vector, by numpy."""

    name, embeds = "dense (numpy)", True

    def __init__(self, tools: ItemSet, model: EmbeddingModel) -> None:
        prefix = model.passage_prefix
        self._matrix = model.embed([prefix + baseline_text(tool) for tool in tools.definitions])

    def search(self, goal: str, vector: Vector, k: int) -> list[int]:
        """See `Rival`."""
        scores = self._matrix @ vector
        k = min(k, len(scores))
        best = np.argpartition(scores, -k)[-k:]
        return best[np.argsort(-scores[best], kind="stable")].tolist()


class Untrained:
    """Cosine with every tool's vector, by the published model that ours was trained from.

    Its time holds that of embedding the goal.

    Args:
        tools: to search.
        model: embeds goals.
        remembered: the same model, embeds tools.
    """

    name, embeds = "untrained MiniLM (numpy)", False

    def __init__(self, tools: ItemSet, model: EmbeddingModel, remembered: EmbeddingModel) -> None:
        self._model = model
        self._dense = Dense(tools, remembered)

    def search(self, goal: str, vector: Vector, k: int) -> list[int]:
        """See `Rival`; the vector is another model's and not used."""
        [own] = self._model.embed([self._model.goal_text(goal)])
        return self._dense.search(goal, own, k)


class Fused:
    """Reciprocal rank fusion (Cormack, Clarke and Buettcher, 2009), k = 60, of two top hundreds."""

    name, embeds = "RRF of the two", True

    def __init__(self, lexical: Rival, dense: Rival) -> None:
        self._channels = (lexical, dense)

    def search(self, goal: str, vector: Vector, k: int) -> list[int]:
        """See `Rival`."""
        scores: dict[int, float] = {}
        for channel in self._channels:
            for rank, position in enumerate(channel.search(goal, vector, 100), start=1):
                scores[position] = scores.get(position, 0) + 1 / (60 + rank)
        return sorted(scores, key=lambda position: (-scores[position], position))[:k]
