"""Asks one goal as the service asks it, with the time of each step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quartermaster.db import Row
from quartermaster.evaluation.metrics import POOL
from quartermaster.service import Service

# The model reads a few hundred words; the service leaves the rest of a longer text out, too.
_LONGEST_EMBEDDED = 8_000


@dataclass
class Answer:
    """What came back.

    Attributes:
        rows: of api.search_tools, best first.
        seconds: of each step.
    """

    rows: list[Row]
    seconds: dict[str, float] = field(default_factory=dict[str, float])


class Asker:
    """Asks through the service's own connection, model and api.

    Args:
        service: on the database of the evaluation.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    @property
    def reranker(self) -> str | None:
        """Name of the cross-encoder, if there is one."""
        return None

    async def embed(self, goal: str) -> tuple[NDArray[np.float32], float]:
        """The vector of a goal, float32 [dimension], and the seconds it took."""
        begun = perf_counter()
        vectors = await self._service.embedder.embed([goal[:_LONGEST_EMBEDDED]])
        return vectors[0], perf_counter() - begun

    async def ask(self, goal: str, mode: str, vector: NDArray[np.float32]) -> Answer:
        """The first hundred tools for a goal.

        Args:
            goal: in plain words.
            mode: a mode of the database.
            vector: of the goal, float32 [dimension].

        Raises:
            QmError: of api.search_tools.
        """
        service, begun = self._service, perf_counter()
        rows = await service.database.call(
            "search_tools",
            service.worker,
            goal=goal,
            mode=mode,
            expose=POOL,
            query_vector=vector,
        )
        return Answer(rows, {"search": perf_counter() - begun})

    async def profiles(self) -> dict[str, dict[str, Any]]:
        """Every mode with the numbers of its profile."""
        rows = await self._service.database.call("list_modes", self._service.worker)
        return {row["name"]: row["profile"] for row in rows}

    async def configure(self, profiles: Mapping[str, Mapping[str, Any]]) -> None:
        """Writes modes.

        Raises:
            QmError: QM422 profile_invalid.
        """
        await self._service.database.call(
            "configure_modes", self._service.worker, profiles=profiles
        )
