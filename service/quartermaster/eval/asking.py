"""Asks one goal the way the service does, with the time of each step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from quartermaster.eval.metrics import POOL
from quartermaster.eval.problems import bad_file
from quartermaster.eval.weights_file import Weights
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.retrieval import LONGEST_READ, Found
from quartermaster.service import Service

_STAGES: Final = ("pool", "value", "choose", "report")
_WARM_UP: Final = (
    "what time is it in Tokyo",
    "open a ticket for the failing login test",
    "send the report of last week to everybody who has asked for it",
)


class Asker:
    """Asks through the service's own connection, models and api.

    Args:
        service: on the database of the evaluation.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    @property
    def embedding_model(self) -> EmbeddingModel:
        """The embedding model."""
        return self._service.retriever.embedder.model

    @property
    def reranker(self) -> str | None:
        """Name of the cross-encoder, if there is one."""
        reranker = self._service.retriever.reranker
        return reranker.model.name if reranker else None

    async def warm_up(self, mode: str) -> None:
        """Asks what no evaluation asks, so that the first goal meets warm models and plans."""
        for goal in _WARM_UP:
            await self._service.retriever.search(self._service.worker, goal, mode=mode)

    async def is_learned(self) -> bool:
        """Whether the score was learned with the embedding model in use; else it is fusion."""
        found = await self._service.retriever.search(
            self._service.worker, _WARM_UP[0], explain=True
        )
        features = [one for row in found.rows for one in row["scores"]["features"].values()]
        return any("share" in one for one in features)

    async def embed(self, goal: str) -> tuple[NDArray[np.float32], float]:
        """The vectors of a goal, of `AsyncEmbedder.embed_goal`, and the seconds they took."""
        begun = perf_counter()
        vector = await self._service.retriever.embedder.embed_goal(goal[:LONGEST_READ])
        return vector, perf_counter() - begun

    async def ask(
        self, goal: str, mode: str, vector: NDArray[np.float32], *, explain: bool = False
    ) -> Found:
        """The first hundred tools for a goal.

        Args:
            goal: in plain words.
            mode: a mode of the database.
            vector: of the goal, of `embed`.
            explain: also the candidates that were withheld, with the features of all.

        Raises:
            QmError: of api.search_tools.
        """
        service = self._service
        return await service.retriever.search(
            service.worker,
            goal,
            mode=mode,
            query_vector=vector,
            top=POOL,
            explain=explain or None,
        )

    async def stages(self, receipts: Sequence[int]) -> list[dict[str, float]]:
        """Seconds of each stage of searches, as the database measured them: pool (the engine),
        value, choose, report.

        Args:
            receipts: of the searches.
        """
        rows = await self._service.database.call(
            "list_stages", self._service.worker, receipts=receipts
        )
        return [{name: row["stages"][f"{name}_ms"] / 1000 for name in _STAGES} for row in rows]

    async def modes(self) -> dict[str, dict[str, Any]]:
        """Every mode with its settings."""
        rows = await self._service.database.call("list_modes", self._service.worker)
        return {row["name"]: row["settings"] for row in rows}

    async def configure(self, modes: Mapping[str, Mapping[str, Any]]) -> None:
        """Writes modes.

        Raises:
            QmError: QM422 profile_invalid.
        """
        await self._service.database.call("configure_modes", self._service.worker, modes=modes)

    async def score_by(self, weights: Weights) -> None:
        """From now on the learned score has these weights.

        Raises:
            QmError: QM422 evaluation_file_invalid where they are of another embedding model;
                scoring_invalid.
        """
        if weights.model != self.embedding_model.name:
            what = f"its weights were learned with {weights.model}, not {self.embedding_model.name}"
            raise bad_file(weights.path, None, what, "Name that model: QM_EMBEDDING__MODEL=...")
        await self._service.database.call(
            "configure_scoring",
            self._service.worker,
            kind="tool",
            model=weights.model,
            weights=weights.by_feature,
        )
