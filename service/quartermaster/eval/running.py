"""One evaluation from files to figures, in a database that is thrown away."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha1, sha256
from pathlib import Path
from typing import Any

from quartermaster.core import paths
from quartermaster.eval.ablation import ablate
from quartermaster.eval.asking import Asker
from quartermaster.eval.catalog import Catalog, Progress, load
from quartermaster.eval.measuring import EXPOSED_SIZE, Evaluation, embed_goals, measure
from quartermaster.eval.tasks_file import Task
from quartermaster.eval.tools_file import ToolSet
from quartermaster.eval.weights_file import Weights
from quartermaster.instance import open_instance
from quartermaster.settings import Settings


@dataclass(frozen=True)
class Plan:
    """What to run.

    Attributes:
        tools, tasks: as read.
        goals: path of the file of the tasks.
        mode: of tasks that name none.
        split: that was asked for.
        ablate: run it again with one thing taken away at a time.
        weights: of the learned score; None: those that ship.
    """

    tools: ToolSet
    tasks: list[Task]
    goals: Path
    mode: str
    split: str | None = None
    ablate: bool = False
    weights: Weights | None = None


@dataclass(frozen=True)
class Outcome:
    """What came out.

    Attributes:
        plan: that was run.
        catalog: what was loaded.
        model: the embedding model.
        reranker: name of the cross-encoder, if there was one.
        settings: of the mode.
        evaluation: of the whole.
        ablation: of each arm, by its name.
        left_out: arms that cannot change anything, and why.
    """

    plan: Plan
    catalog: Catalog
    model: str
    reranker: str | None
    settings: dict[str, Any]
    evaluation: Evaluation
    ablation: dict[str, Evaluation] = field(default_factory=dict[str, Evaluation])
    left_out: dict[str, str] = field(default_factory=dict[str, str])

    def as_dict(self) -> dict[str, Any]:
        """For programs: ``{n, metrics, latency_ms, stages, ...}``, the arms under ``ablation``."""
        found = {
            **self.evaluation.as_dict(),
            "mode": self.plan.mode,
            "split": self.plan.split,
            "tools": self.catalog.tools,
            "rejected": len(self.catalog.rejected),
            "model": self.model,
            "reranker": self.reranker,
            "weights": str(self.plan.weights.path) if self.plan.weights else None,
            "tokens_are": EXPOSED_SIZE,
        }
        if self.plan.ablate:
            found["ablation"] = {name: arm.as_dict() for name, arm in self.ablation.items()}
            found["ablation_left_out"] = self.left_out
        return found

    def as_stored(self, label: str) -> dict[str, Any]:
        """The arguments of api.store_evaluation."""
        learned = [self.plan.weights.path] if self.plan.weights else []
        files = (self.plan.tools.path, self.plan.goals, *learned)
        return {
            "label": label,
            "mode": self.plan.mode,
            "split": self.plan.split,
            "files": [
                {"name": str(path), "sha256": sha256(path.read_bytes()).hexdigest()}
                for path in files
            ],
            "tools": self.catalog.tools,
            "catalog_hash": self.plan.tools.digest,
            "model": self.model,
            "reranker": self.reranker,
            "settings": self.settings,
            "metrics": self.evaluation.metrics,
            "latency_ms": self.evaluation.latency_ms,
            "stages": self.evaluation.stages,
            "queries": [
                {"query": goal.key, "metrics": goal.metrics} for goal in self.evaluation.goals
            ],
        }


def sample(tasks: Sequence[Task], limit: int | None) -> list[Task]:
    """So many of the tasks, always the same: the first by hash of their id; None takes all."""
    if limit is None or limit >= len(tasks):
        return list(tasks)
    return sorted(tasks, key=lambda task: sha1(task.key.encode(), usedforsecurity=False).digest())[
        :limit
    ]


def on_database(settings: Settings, dsn: str) -> Settings:
    """The settings of a service on a throw-away database, connected as its administrator.

    Row policies hold all the same: each transaction takes the role of an operator. The login of
    the service is left alone, since another service of the same server may be using it.
    """
    changed = {"dsn": dsn, "service_dsn": dsn, "statement_timeout_ms": 0}
    return settings.model_copy(update={"database": settings.database.model_copy(update=changed)})


@asynccontextmanager
async def loaded(
    settings: Settings, data_dir: Path, dsn: str, tools: ToolSet, progress: Progress
) -> AsyncGenerator[tuple[Asker, Catalog]]:
    """A service over a throw-away database with these tools in it, ready to be asked.

    Args:
        settings: of the service that is measured.
        data_dir: its data directory; models and remembered vectors lie in its runtime directory.
        dsn: of an administrator of the throw-away database.
        tools: to load.
        progress: told how far it is.

    Raises:
        QmError: of the database or the model.
    """
    async with open_instance(on_database(settings, dsn), data_dir, "stdio") as (service, _):
        catalog = await load(service, dsn, tools, memory_dir(data_dir), progress)
        yield Asker(service), catalog


async def evaluate(
    settings: Settings, data_dir: Path, dsn: str, plan: Plan, progress: Progress
) -> Outcome:
    """Loads the tools and asks every goal as the service would; arguments and errors: see `loaded`
    and `Asker.score_by`."""
    async with loaded(settings, data_dir, dsn, plan.tools, progress) as (asker, catalog):
        if plan.weights is not None:
            await asker.score_by(plan.weights)
        count = len(plan.tasks)
        told: Callable[[int], None] = partial(_told, progress, "embedding goals", count)
        await asker.warm_up(plan.mode)
        vectors = await embed_goals(asker, plan.tasks, told)
        run = partial(
            measure, asker, plan.tasks, vectors, ids=catalog.ids, groups=plan.tools.groups
        )
        asked: Callable[[int], None] = partial(_told, progress, "asking", count)
        evaluation = await run(mode=plan.mode, progress=asked)
        of_mode = (await asker.modes())[plan.mode]
        ablated: tuple[dict[str, Evaluation], dict[str, str]] = {}, {}
        if plan.ablate:
            modes = {task.mode or plan.mode for task in plan.tasks}
            ablated = await ablate(
                asker,
                modes,
                lambda arm: run(mode=plan.mode, progress=partial(_told, progress, arm, count)),
            )
        return Outcome(
            plan=plan,
            catalog=catalog,
            model=asker.embedding_model.name,
            reranker=asker.reranker,
            settings=of_mode,
            evaluation=evaluation,
            ablation=ablated[0],
            left_out=ablated[1],
        )


def memory_dir(data_dir: Path) -> Path:
    """Where vectors are remembered between runs."""
    return paths.runtime_dir(data_dir) / "evaluation"


def _told(progress: Progress, what: str, total: int, done: int) -> None:
    progress(what, done, total)
