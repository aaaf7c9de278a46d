"""Runs goals one by one and adds up what they measured."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from quartermaster.db import Row
from quartermaster.eval.asking import Asker
from quartermaster.eval.metrics import exposure_waste, measures
from quartermaster.eval.tasks_file import Task

EXPOSED_SIZE: Final = (
    "a quarter of the characters of name, description and input schema as compact JSON,"
    " for the tools that the mode exposes"
)
Vectors = Mapping[str, tuple[NDArray[np.float32], float]]


@dataclass(frozen=True)
class Measured:
    """One goal.

    Attributes:
        key: its id.
        metrics: its measures by name.
        seconds: of each step, one after the other.
        receipt: of its search; None where nothing was found.
    """

    key: str
    metrics: dict[str, float]
    seconds: dict[str, float]
    receipt: int | None = None


@dataclass(frozen=True)
class Evaluation:
    """All goals of a run.

    Attributes:
        goals: in their order.
        searches: seconds of each stage of a search, as the database measured them.
    """

    goals: list[Measured]
    searches: list[dict[str, float]] = field(default_factory=list[dict[str, float]])

    @property
    def metrics(self) -> dict[str, float]:
        """Means over the goals, by name."""
        names = self.goals[0].metrics
        return {name: round(fmean(goal.metrics[name] for goal in self.goals), 4) for name in names}

    @property
    def latency_ms(self) -> dict[str, float]:
        """Median and 95th percentile of whole answers, in milliseconds."""
        return _percentiles([sum(goal.seconds.values()) for goal in self.goals])

    @property
    def stages(self) -> dict[str, dict[str, float]]:
        """The same for each step; of the step `search` also its stages, as ``search.pool``."""
        steps = _by_name([goal.seconds for goal in self.goals])
        return steps | {f"search.{name}": ms for name, ms in _by_name(self.searches).items()}

    def as_dict(self) -> dict[str, Any]:
        """``{n, metrics, latency_ms, stages}``."""
        return {
            "n": len(self.goals),
            "metrics": self.metrics,
            "latency_ms": self.latency_ms,
            "stages": self.stages,
        }


async def embed_goals(
    asker: Asker, tasks: Sequence[Task], progress: Callable[[int], None]
) -> dict[str, tuple[NDArray[np.float32], float]]:
    """Vectors of each goal, one at a time as they come to a service, and the seconds of each.

    Args:
        asker: of the service.
        tasks: with the goals.
        progress: told how many are done.
    """
    found: dict[str, tuple[NDArray[np.float32], float]] = {}
    for number, task in enumerate(tasks, start=1):
        if task.goal not in found:
            found[task.goal] = await asker.embed(task.goal)
        progress(number)
    return found


async def measure(
    asker: Asker,
    tasks: Sequence[Task],
    vectors: Vectors,
    *,
    mode: str,
    ids: Mapping[str, str],
    groups: Mapping[str, str],
    progress: Callable[[int], None] = lambda _: None,
) -> Evaluation:
    """Asks every goal and scores the answers.

    Args:
        asker: of the service.
        tasks: one or more.
        vectors: of the goals with the seconds each took, of `embed_goals`.
        mode: of tasks that name none.
        ids: id of each tool by its callable name.
        groups: of near-duplicates, by id.
        progress: told how many are done.

    Raises:
        QmError: of the database.
    """
    modes = await asker.modes()
    await asker.warm_up(mode)
    measured: list[Measured] = []
    for number, task in enumerate(tasks, start=1):
        vector, embedding_s = vectors[task.goal]
        own_mode = task.mode or mode
        answer = await asker.ask(task.goal, own_mode, vector)
        ranking = [ids[row["name"]] for row in answer.rows]
        exposed = int(modes[own_mode]["top"])
        metrics = {
            **measures(ranking, task.needs, groups),
            "exposure_waste": exposure_waste(ranking[:exposed], task.needs, groups),
            "tokens_exposed": float(sum(map(_tokens, answer.rows[:exposed]))),
        }
        receipt = answer.rows[0]["receipt"] if answer.rows else None
        seconds = {"embed": embedding_s, **answer.seconds}
        measured.append(Measured(task.key, metrics, seconds, receipt))
        progress(number)
    receipts = [goal.receipt for goal in measured if goal.receipt is not None]
    return Evaluation(measured, await asker.stages(receipts))


def _tokens(row: Row) -> int:
    shown = {
        "name": row["name"],
        "description": row["description"],
        "inputSchema": row["input_schema"],
    }
    return -(-len(json.dumps(shown, ensure_ascii=False, separators=(",", ":"))) // 4)


def _by_name(seconds: Sequence[Mapping[str, float]]) -> dict[str, dict[str, float]]:
    names = dict.fromkeys(name for one in seconds for name in one)
    return {name: _percentiles([one.get(name, 0.0) for one in seconds]) for name in names}


def _percentiles(seconds: Sequence[float]) -> dict[str, float]:
    p50, p95 = np.percentile(np.array(seconds) * 1000, [50, 95]).tolist()
    return {"p50": round(p50, 3), "p95": round(p95, 3)}
