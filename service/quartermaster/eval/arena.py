"""Loads a set of items and goals into a temporary database, and searches it in the same way as the
service.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any, Final

import anyio.to_thread
import numpy as np
from numpy.typing import NDArray

from quartermaster import api
from quartermaster.core.api_call import AnyRow, ApiCall
from quartermaster.core.kinds import TOOL
from quartermaster.db import Row
from quartermaster.eval.evaluation import Evaluation, GoalMeasurement, judge
from quartermaster.eval.evaluation_files import bad_file
from quartermaster.eval.examples import CandidateName
from quartermaster.eval.gold import GoldSet, Task
from quartermaster.eval.metrics import POOL, Offer
from quartermaster.eval.remembered import RememberedModel, memory_dir, memory_file
from quartermaster.eval.weights_file import WeightsFile
from quartermaster.install.throw_away import settle, without_vector_indexes
from quartermaster.instance import open_instance
from quartermaster.models.asynchronous import AsyncEmbedder
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.models.vector_text import stored_vectors
from quartermaster.retrieval import LONGEST_READ, SearchResult
from quartermaster.service import Service
from quartermaster.settings.settings import Settings

Progress = Callable[[str, int, int], None]
"""Called with a description of the work, the number of completed steps, and the total."""


def no_progress(what: str, done: int, total: int, /) -> None:
    """Does nothing; for callers that need no progress reports."""


EXPOSED_SIZE: Final = (
    "the number of characters in the name, description and input schema (compact JSON) of the"
    " tools that are shown, divided by four"
)
_STAGES: Final = ("pool", "value", "choose", "report")
_WARM_UP: Final = (
    "what time is it in Tokyo",
    "open a ticket for the failing login test",
    "send the report of last week to everybody who has asked for it",
)
_BATCH_ITEMS: Final = 500
_CLAIM: Final = 512
_SAVE_S: Final = 60.0


@dataclass(frozen=True)
class EvaluationEnvironment:
    """The environment for measurements.

    Attributes:
        settings: settings of the service to measure.
        data_dir: data directory of the service; its runtime directory contains models and cached
            vectors.
        dsns: administrator DSNs of temporary databases, one for each set.
        progress: function that reports progress.
        keeps: DSN of a database that can store results; None if there is none.
    """

    settings: Settings
    data_dir: Path
    dsns: Sequence[str]
    progress: Progress = no_progress
    keeps: str | None = None


@dataclass(frozen=True)
class Arena:
    """Searches for goals through the service's own connection, models and api.

    Attributes:
        service: service with the evaluation database.
        gold: the loaded items, and the goals to search for.
        progress: function that reports progress.
        ids: ids of the stored items by public name.
        rejected: reasons why items were not stored, by id.
        vectors: vector of each goal, and the seconds for computing it; see `embed_goals`.
    """

    service: Service
    gold: GoldSet
    progress: Progress = no_progress
    ids: dict[str, str] = field(default_factory=dict[str, str])
    rejected: list[str] = field(default_factory=list[str])
    vectors: dict[str, tuple[NDArray[np.float32], float]] = field(
        default_factory=dict[str, tuple[NDArray[np.float32], float]]
    )

    @property
    def model(self) -> EmbeddingModel:
        """The embedding model."""
        return self.service.retriever.embedder.model

    @property
    def reranker(self) -> str | None:
        """The name of the cross-encoder; None if there is no cross-encoder."""
        reranker = self.service.retriever.reranker
        return reranker.model.name if reranker else None

    async def call(self, asked: ApiCall[AnyRow]) -> list[AnyRow]:
        """Calls an api function, and returns its rows.

        Raises:
            QmError: errors from the function.
        """
        return await self.service.database.call(asked, self.service.worker)

    async def search(self, goal: str, **arguments: Any) -> SearchResult:
        """Searches for the cards for a goal.

        Raises:
            QmError: errors from the api function.
        """
        operation, more = self._operation
        return await self.service.retriever.search(
            self.service.worker, goal, operation=operation, **more, **arguments
        )

    async def warm_up(self, mode: str | None = None) -> None:
        """Searches for goals that no evaluation contains, so that models and query plans are warm
        for the first goal.
        """
        for goal in _WARM_UP:
            await self.search(goal, mode=mode)

    async def is_learned(self) -> bool:
        """Returns whether the score was learned with the embedding model in use. Otherwise, the
        score is plain fusion.
        """
        found = await self.search(_WARM_UP[0], explain=True)
        features = [one for row in found.rows for one in row["scores"]["features"].values()]
        return any("share" in one for one in features)

    async def load(self) -> None:
        """Stores the items.

        Raises:
            QmError: errors from the database.
        """
        items = self.gold.items
        for start in range(0, len(items.ids), _BATCH_ITEMS):
            batch = items.definitions[start : start + _BATCH_ITEMS]
            keys = items.ids[start : start + _BATCH_ITEMS]
            rows = await self.call(api.import_items(kind=items.kind, items=batch))
            for key, row in zip(keys, rows, strict=True):
                if row["outcome"] == "rejected" or row["public_name"] is None:
                    self.rejected.append(f"{key}: {row['reason']}")
                else:
                    self.ids[row["public_name"]] = key
            self.progress("importing", start + len(batch), len(items.ids))

    async def embed_items(self, model: RememberedModel) -> None:
        """Embeds every text that is waiting for a vector.

        Raises:
            QmError: errors from the database.
        """
        embedder = AsyncEmbedder(model)
        done, saved = 0, monotonic()
        try:
            while rows := await self.call(api.claim_unembedded(model=model.name, maximum=_CLAIM)):
                vectors = await embedder.embed([row["embedding_text"] for row in rows])
                await self.call(api.store_embeddings(**stored_vectors(model.name, rows, vectors)))
                done += len(rows)
                self.progress("embedding", done, max(len(self.ids), done))
                if monotonic() - saved > _SAVE_S:
                    saved = monotonic()
                    model.save()
        finally:
            model.save()

    async def embed_goals(self) -> None:
        """Embeds the goals one at a time, as the service does, and records the seconds for each
        goal.
        """
        for number, task in enumerate(self.gold.tasks, start=1):
            if task.goal not in self.vectors:
                begun = perf_counter()
                vector = await self.service.retriever.embedder.embed_goal(task.goal[:LONGEST_READ])
                self.vectors[task.goal] = vector, perf_counter() - begun
            self.progress("embedding goals", number, len(self.gold.tasks))

    async def ask(self, task: Task, mode: str) -> SearchResult:
        """Returns the cards that the service shows for a goal.

        Args:
            task: task whose goal has been embedded.
            mode: name of a mode in the database.

        Raises:
            QmError: errors from the api function.
        """
        return await self.search(task.goal, mode=mode, query_vector=self.vectors[task.goal][0])

    async def rank(self, task: Task, mode: str, prepared: Mapping[str, object]) -> list[Row]:
        """Returns every candidate for a goal with its features, best first. Candidates beyond a
        limit or below a threshold come last, sorted by value.

        Args:
            task: the goal.
            mode: name of a mode in the database.
            prepared: the models' results for the goal, `SearchResult.arguments`.

        Raises:
            QmError: errors from the api function.
        """
        operation, more = self._operation
        rows = await self.call(
            operation(goal=task.goal, mode=mode, top=POOL, explain=True, **more, **prepared)
        )
        shown = [row for row in rows if row["rank"] is not None]
        withheld = [row for row in rows if row["rank"] is None]
        return shown + sorted(withheld, key=lambda row: -row["scores"]["value"])

    @property
    def _operation(self) -> tuple[Callable[..., ApiCall[Any]], dict[str, Any]]:
        """The api function that searches for cards of the kind, and its further arguments."""
        kind = self.gold.items.kind
        return (api.search_tools, {}) if kind == TOOL else (api.search_cards, {"kinds": [kind]})

    async def stages(self, receipts: Sequence[int]) -> list[dict[str, float]]:
        """Returns the seconds that each search spent in each stage, as measured by the database.
        The stages are pool (the engine), value, choose and report.

        Args:
            receipts: receipts of the searches.
        """
        rows = await self.call(api.list_stages(receipts=list(receipts)))
        return [{name: row["stages"][f"{name}_ms"] / 1000 for name in _STAGES} for row in rows]

    async def modes(self) -> dict[str, dict[str, Any]]:
        """Returns the settings of every mode, by name."""
        return {row["name"]: row["settings"] for row in await self.call(api.list_modes())}

    async def configure(self, modes: Mapping[str, Mapping[str, Any]]) -> None:
        """Stores these modes in the database.

        Raises:
            QmError: QM422 profile_invalid.
        """
        await self.call(api.configure_modes(modes=modes))

    async def score_by(self, path: Path, learned: WeightsFile) -> None:
        """Uses these weights for the learned score from now on.

        Args:
            path: path of the weights file.
            learned: the content of the file.

        Raises:
            QmError: QM422 evaluation_file_invalid if the weights were learned with another
                embedding model; scoring_invalid.
        """
        if learned.model != self.model.name:
            what = f"the weights were learned with {learned.model}, not {self.model.name}"
            raise bad_file(path, None, what, "Use that model: QM_EMBEDDING__MODEL=...")
        given = learned.model_dump(exclude_none=True)
        await self.call(api.configure_scoring(kind=self.gold.items.kind, **given))

    async def measure(self, mode: str, what: str = "asking") -> Evaluation:
        """Searches for every goal, and scores the answers.

        Args:
            mode: mode for tasks that do not name a mode.
            what: description of the work, for people.

        Raises:
            QmError: errors from the database.
        """
        await self.warm_up(mode)
        groups, measured = self.gold.items.groups, list[GoalMeasurement]()
        for number, task in enumerate(self.gold.tasks, start=1):
            own_mode = task.mode or mode
            answer = await self.ask(task, own_mode)
            rows = await self.rank(task, own_mode, answer.arguments)
            ranking = [self.ids[row["name"]] for row in rows[:POOL]]
            offers = [self._offer(task, row) for row in answer.rows]
            metrics = judge(task, ranking, offers, groups) | {
                "tokens_exposed": float(sum(map(_tokens, answer.rows)))
            }
            receipt = answer.rows[0]["receipt"] if answer.rows else None
            seconds = {"embed": self.vectors[task.goal][1], **answer.seconds}
            measured.append(GoalMeasurement(task, metrics, seconds, offers, receipt))
            self.progress(what, number, len(self.gold.tasks))
        receipts = [goal.receipt for goal in measured if goal.receipt is not None]
        return Evaluation(measured, await self.stages(receipts))

    def _offer(self, task: Task, row: Row) -> Offer:
        key = self.ids[row["name"]]
        is_right = self.gold.items.groups.get(key, key) in task.accepted
        return Offer(key, row["score"], is_right, bool(row.get("weak")))

    async def feature_names(self) -> list[str]:
        """Returns the names of the features by which cards of the kind are scored."""
        [row] = await self.call(api.feature_names(kind=self.gold.items.kind))
        return row["feature_names"]

    async def candidates(
        self, mode: str, names: Sequence[str]
    ) -> list[tuple[Task, list[CandidateName]]]:
        """Returns every candidate that the engine considered, by goal.

        Args:
            mode: mode that determines the number of candidates.
            names: names of the features.

        Raises:
            QmError: errors from the database.
        """
        groups, found = self.gold.items.groups, list[tuple[Task, list[CandidateName]]]()
        for number, task in enumerate(self.gold.tasks, start=1):
            candidates: list[CandidateName] = []
            answer = await self.ask(task, mode)
            for row in await self.rank(task, mode, answer.arguments):
                key = self.ids[row["name"]]
                features: dict[str, dict[str, float]] = row["scores"]["features"]
                values = [features[name]["value"] for name in names]
                is_right = groups.get(key, key) in task.accepted
                candidates.append(CandidateName(key, key, is_right, values))
            found.append((task, candidates))
            self.progress(self.gold.name, number, len(self.gold.tasks))
        return found


@asynccontextmanager
async def open_arena(
    bench: EvaluationEnvironment, gold: GoldSet, number: int = 0
) -> AsyncGenerator[Arena]:
    """Opens a service with a temporary database that contains the items, and embeds the goals.

    Args:
        bench: the environment.
        gold: items to load, and their goals.
        number: number of the database.

    Raises:
        QmError: errors from the database or the model.
    """
    # The login of the administrator is used, because another Quartermaster on the same server may
    # be using the login qm_service. Row policies still apply, because each transaction takes the
    # role of an operator.
    dsn, progress = bench.dsns[number], bench.progress
    changed = {"dsn": dsn, "service_dsn": dsn, "statement_timeout_ms": 0}
    database = bench.settings.database.model_copy(update=changed)
    own = bench.settings.model_copy(update={"database": database})
    async with open_instance(own, bench.data_dir, "stdio") as (service, _):
        arena = Arena(service, gold, progress, rejected=[*gold.items.rejected.values()])
        await arena.load()
        file = memory_file(memory_dir(bench.data_dir), arena.model)
        indexes = without_vector_indexes(dsn)
        await anyio.to_thread.run_sync(indexes.__enter__)
        await arena.embed_items(RememberedModel(arena.model, file))
        progress("indexing", 0, 1)
        await anyio.to_thread.run_sync(indexes.__exit__, None, None, None)
        await anyio.to_thread.run_sync(settle, dsn)
        progress("indexing", 1, 1)
        await arena.warm_up()
        await arena.embed_goals()
        yield arena


def _tokens(row: Row) -> int:
    shown = {
        "name": row["name"],
        "description": row.get("description", row.get("brief")),
        "inputSchema": row.get("input_schema", {}),
    }
    return -(-len(json.dumps(shown, ensure_ascii=False, separators=(",", ":"))) // 4)
