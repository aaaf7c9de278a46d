"""The same questions answered in process: an exact scan with numpy, and bm25s."""

from __future__ import annotations

from typing import Any, cast

import bm25s
import numpy as np
from numpy.typing import NDArray

from lab.bench.server import BenchDatabase
from lab.bench.timing import timed

_VECTORS = """
select c.id, c.ref % 100 = 0, ext.vector_send(e.vector)
from search.card as c
inner join search.model as m on m.active
inner join search.embedding as e
    on e.model_id = m.id and e.kind = c.kind and e.text_hash = c.text_hash
order by c.id
"""
_TEXTS = "select embedding_text from search.card order by id"


class ExactScan:
    """One product with the matrix of all vectors, then a partition: what FAISS calls a flat index.

    Attributes:
        card_ids: int64 [cards].
        hundredth: which of them are seen under narrow rights, bool [cards].
    """

    def __init__(self, bench: BenchDatabase) -> None:
        rows = bench.owner.execute(_VECTORS).fetchall()
        self.card_ids = np.array([card for card, _, _ in rows], dtype=np.int64)
        self.hundredth = np.array([seen for _, seen, _ in rows], dtype=np.bool_)
        # Behind four bytes of dimension: 32-bit floats, the highest byte first.
        vectors = b"".join(bytes(sent)[4:] for _, _, sent in rows)
        self._matrix = np.frombuffer(vectors, dtype=">f4").reshape(len(rows), -1).astype(np.float32)

    def search(self, vector: NDArray[np.float32], k: int) -> NDArray[np.int64]:
        """Returns the nearest k cards, nearest first."""
        scores = self._matrix @ vector
        k = min(k, len(scores))
        best = np.argpartition(scores, -k)[-k:]
        return self.card_ids[best[np.argsort(-scores[best])]]

    def recall(
        self,
        vector: NDArray[np.float32],
        found: list[int],
        k: int,
        seen: NDArray[np.bool_] | None = None,
    ) -> float:
        """Returns share of the nearest k that were found; cards as near as the k-th count as well.

        Args:
            vector: of the goal.
            found: cards.
            k: how many were wanted.
            seen: the cards that count, bool [cards]; all without.
        """
        scores = self._matrix @ vector
        if seen is not None:
            scores[~seen] = -np.inf
        k = min(k, int(np.isfinite(scores).sum()))
        if k == 0:
            return 1.0
        threshold = float(np.partition(scores, -k)[-k]) - 1e-6
        rows = np.searchsorted(self.card_ids, found)
        return min(int((scores[rows] >= threshold).sum()) / k, 1.0)


class InProcessBm25:
    """bm25s with its own tokenizer and English stop words, over the text that is embedded.

    Attributes:
        build_seconds: to tokenize and index all cards.
    """

    def __init__(self, bench: BenchDatabase) -> None:
        texts = [str(text) for (text,) in bench.owner.execute(_TEXTS).fetchall()]
        # The package has no complete types.
        self._index: Any = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
        self._cards = len(texts)
        _, self.build_seconds = timed(lambda: self._build(texts))

    def search(self, goal: str, k: int) -> None:
        """Finds the best k cards."""
        tokens = self._tokenize([goal])
        self._index.retrieve(tokens, k=min(k, self._cards), show_progress=False)

    def _build(self, texts: list[str]) -> None:
        self._index.index(self._tokenize(texts), show_progress=False)

    @staticmethod
    def _tokenize(texts: list[str]) -> Any:
        tokenize: Any = cast("Any", bm25s).tokenize
        return tokenize(texts, stopwords="en", show_progress=False)
