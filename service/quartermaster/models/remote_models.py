"""Embeds and reranks with models on a server, through the same interfaces as local models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from quartermaster.core.errors import QmError
from quartermaster.models.remote import ModelServerClient, objects
from quartermaster_db.sentences import goal_parts

_TRIAL = "the vector of this text shows the dimension of the model"


class RemoteEmbedding:
    """An embedding model behind `POST /v1/embeddings`.

    Args:
        server: the server that runs the model.
        name: name of the model on the server.
        dimension: expected length of a vector; None requests one vector to determine it.
        query_prefix, passage_prefix: prefixes for a goal and for a text from the catalog.
        batch_size: largest number of texts in one request.

    Raises:
        QmError: the errors of `ModelServerClient.post`, 422 dimension_mismatch.
    """

    def __init__(
        self,
        server: ModelServerClient,
        name: str,
        *,
        dimension: int | None = None,
        query_prefix: str = "",
        passage_prefix: str = "",
        batch_size: int = 32,
    ) -> None:
        self._server = server
        self._batch_size = batch_size
        self.name = name
        self.query_prefix = query_prefix
        self.passage_prefix = passage_prefix
        self.dimension = dimension or len(self._request([_TRIAL])[0])

    def goal_text(self, goal: str) -> str:
        """Returns the goal with the prefix for queries. The goal stays in its own language, because
        the server's model may be able to read it.
        """
        return self.query_prefix + goal

    def goal_texts(self, goal: str) -> list[str]:
        """Returns the texts to embed for a goal and for its sentences."""
        return [self.goal_text(part) for part in goal_parts(goal)]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embeds texts in order: float32 [len(texts), dimension]; each vector has L2 norm 1.

        Raises:
            QmError: the errors of `ModelServerClient.post`, 422 dimension_mismatch.
        """
        vectors = np.empty((len(texts), self.dimension), np.float32)
        for start in range(0, len(texts), self._batch_size):
            part = self._request(texts[start : start + self._batch_size])
            if part.shape[1] != self.dimension:
                raise QmError(
                    422,
                    "dimension_mismatch",
                    f"The vectors of the model {self.name} have {part.shape[1]} dimensions, not "
                    f"{self.dimension}.",
                    f"Set embedding.dimension to {part.shape[1]}, or choose another model.",
                )
            vectors[start : start + len(part)] = part
        return vectors

    def _request(self, texts: Sequence[str]) -> NDArray[np.float32]:
        body = {"model": self.name, "input": list(texts), "encoding_format": "float"}
        answer = self._server.post("/embeddings", body)
        try:
            rows = sorted(objects(answer["data"]), key=itemgetter("index"))
            vectors = np.array([row["embedding"] for row in rows], np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise self._server.invalid("the answer contains no vectors") from error
        if vectors.ndim != len(("texts", "numbers")) or len(vectors) != len(texts):
            raise self._server.invalid(
                f"the answer contains {len(vectors)} vectors for {len(texts)} texts"
            )
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.all(np.isfinite(norms) & (norms > 0)):
            raise self._server.invalid("a vector is zero or not finite")
        return vectors / norms


@dataclass(frozen=True)
class RemoteReranker:
    """A reranker behind `POST /v1/rerank`, as offered by Cohere, Jina, vLLM and others.

    Attributes:
        server: the server that runs the model.
        name: name of the model on the server.
        documents_field: name of the request member with the texts.
    """

    server: ModelServerClient
    name: str
    documents_field: str = "documents"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Scores how well each text fits the query: float32 [len(texts)]; higher is better.

        Raises:
            QmError: the errors of `ModelServerClient.post`.
        """
        if not texts:
            return np.empty(0, np.float32)
        # The number is given, because by default some servers score only the first few texts.
        body = {"model": self.name, "query": query, "top_n": len(texts), "return_documents": False}
        answer = self.server.post("/rerank", body | {self.documents_field: list(texts)})
        rows = objects(answer.get("results") if isinstance(answer, dict) else answer)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        try:
            found = {
                int(row["index"]): float(
                    row["relevance_score" if "relevance_score" in row else "score"]
                )
                for row in rows
            }
            scores = np.array([found[index] for index in range(len(texts))], np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise self.server.invalid(f"some of {len(texts)} texts have no score") from error
        if not np.all(np.isfinite(scores)):
            raise self.server.invalid("a score is not finite")
        return scores

    def score_pairs(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Scores pairs of a query and a text, with one request for successive pairs with the same
        query.

        Raises:
            QmError: the errors of `ModelServerClient.post`.
        """
        parts = [
            self.score(query, [text for _, text in run])
            for query, run in groupby(pairs, key=itemgetter(0))
        ]
        return np.concatenate([np.empty(0, np.float32), *parts])
