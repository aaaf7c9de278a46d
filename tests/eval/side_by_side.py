"""One set of tools and goals, answered by our modes and by the others in the same run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from time import perf_counter

import anyio.to_thread
import numpy as np

from quartermaster.evaluation.ablation import arms
from quartermaster.evaluation.asking import Asker
from quartermaster.evaluation.catalog import Catalog, Progress
from quartermaster.evaluation.measuring import Vectors, embed_goals, measure
from quartermaster.evaluation.metrics import measures
from quartermaster.evaluation.remembered import RememberedModel, memory_file
from quartermaster.evaluation.running import loaded, memory_dir
from quartermaster.evaluation.tasks_file import Task
from quartermaster.evaluation.tools_file import ToolSet
from quartermaster.settings import Settings
from tests.eval import fastmcp_search, rivals

POOL = 100
ABLATED = "balanced"
# FastMCP's search takes 40 ms a goal for every thousand tools.
MOST_FOR_FASTMCP = 7_000
Ask = Callable[[str], Awaitable[list[int]]]


@dataclass(frozen=True)
class Line:
    """One system on one set.

    Attributes:
        system: its name.
        metrics: means over the goals; the pool's recall is absent where a system shows ten only.
        p50, p95: milliseconds for an answer, the embedding of the goal included where it needs it.
        is_arm: one of ours with something taken away.
    """

    system: str
    metrics: dict[str, float]
    p50: float
    p95: float
    is_arm: bool = False


async def compare(
    settings: Settings,
    data_dir: Path,
    dsn: str,
    tools: ToolSet,
    tasks: Sequence[Task],
    modes: Sequence[str],
    progress: Progress,
    *,
    ablate: bool = False,
) -> list[Line]:
    """Every system on the same goals, ours first; FastMCP's where it does not take minutes.

    Args:
        settings, data_dir: of the service that is measured.
        dsn: of an administrator of a throw-away database.
        tools, tasks: the set.
        modes: of ours.
        progress: told how far it is.
        ablate: ours again with one thing taken away at a time.
    """
    lines: list[Line] = []
    async with loaded(settings, data_dir, dsn, tools, progress) as (asker, catalog):
        vectors = await embed_goals(asker, tasks, lambda done: progress("goals", done, len(tasks)))
        for mode in modes:
            measured = await measure(
                asker, tasks, vectors, mode=mode, ids=catalog.ids, groups=tools.groups
            )
            latency = measured.latency_ms
            lines.append(Line(f"ours, {mode}", measured.metrics, latency["p50"], latency["p95"]))
        if ablate:
            lines += await _ablated(asker, catalog, tools, tasks, vectors, progress)
        model = asker.embedding_model
        remembered = RememberedModel(model, memory_file(memory_dir(data_dir), model))
        built = await anyio.to_thread.run_sync(_build, tools, remembered)
        remembered.save()
    # Others know nothing of a goal's sentences; they are charged for embedding them, too.
    goals = {goal: (vector[: model.dimension], s) for goal, (vector, s) in vectors.items()}
    for number, rival in enumerate(built):
        progress("others", number, len(built) + 1)
        lines.append(_ranked(rival, tools, tasks, goals))
    if len(tools.ids) <= MOST_FOR_FASTMCP:
        async with fastmcp_search.fastmcp_search(tools) as fastmcp:
            lines.append(await _asked(fastmcp_search.NAME, fastmcp.search, tools, tasks))
    progress("others", len(built) + 1, len(built) + 1)
    return lines


async def _ablated(
    asker: Asker,
    catalog: Catalog,
    tools: ToolSet,
    tasks: Sequence[Task],
    vectors: Vectors,
    progress: Progress,
) -> list[Line]:
    profile = (await asker.profiles())[ABLATED]
    changes = arms(profile)
    lines: list[Line] = []
    for number, (arm, change) in enumerate(changes.items(), start=1):
        await asker.configure({ABLATED: profile | change})
        measured = await measure(
            asker, tasks, vectors, mode=ABLATED, ids=catalog.ids, groups=tools.groups
        )
        latency = measured.latency_ms
        lines.append(Line(arm, measured.metrics, latency["p50"], latency["p95"], is_arm=True))
        progress("ablation", number, len(changes))
    await asker.configure({ABLATED: profile})
    return lines


def _build(tools: ToolSet, model: RememberedModel) -> list[rivals.Rival]:
    lexical, dense = rivals.Bm25(tools), rivals.Dense(tools, model)
    fused = rivals.Fused(lexical, dense)
    return [lexical, dense, fused, rivals.McpproxyGo(tools), rivals.ToolHive(tools, model)]


def _ranked(rival: rivals.Rival, tools: ToolSet, tasks: Sequence[Task], vectors: Vectors) -> Line:
    found: list[dict[str, float]] = []
    seconds: list[float] = []
    for task in tasks:
        vector, embedding_s = vectors[task.goal]
        begun = perf_counter()
        ranking = rival.search(task.goal, vector, 10)
        seconds.append(perf_counter() - begun + (embedding_s if rival.embeds else 0))
        metrics = _scored(ranking, task, tools)
        pool = _scored(rival.search(task.goal, vector, POOL), task, tools)
        found.append(metrics | {"pool_recall@100": pool["pool_recall@100"]})
    return _line(rival.name, found, seconds)


async def _asked(name: str, ask: Ask, tools: ToolSet, tasks: Sequence[Task]) -> Line:
    found: list[dict[str, float]] = []
    seconds: list[float] = []
    for task in tasks:
        begun = perf_counter()
        ranking = await ask(task.goal)
        seconds.append(perf_counter() - begun)
        metrics = _scored(ranking, task, tools)
        found.append({key: value for key, value in metrics.items() if not key.startswith("pool")})
    return _line(name, found, seconds)


def _scored(ranking: Sequence[int], task: Task, tools: ToolSet) -> dict[str, float]:
    return measures([tools.ids[position] for position in ranking], task.needs, tools.groups)


def _line(name: str, found: Sequence[Mapping[str, float]], seconds: Sequence[float]) -> Line:
    p50, p95 = np.percentile(np.array(seconds) * 1000, [50, 95]).tolist()
    means = {key: round(fmean(one[key] for one in found), 4) for key in found[0]}
    return Line(name, means, round(p50, 3), round(p95, 3))
