"""One set of tools and goals, answered by our modes and by the others in the same run."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter

import anyio.to_thread

from lab.comparisons import fastmcp_search, gateways, rivals
from lab.comparisons.line import Line
from quartermaster.eval.ablation import ablate as ablate_modes
from quartermaster.eval.arena import Arena, EvaluationEnvironment, open_arena
from quartermaster.eval.evaluation import Evaluation
from quartermaster.eval.gold import GoldSet, Task
from quartermaster.eval.items import ItemSet
from quartermaster.eval.metrics import measures, percentiles
from quartermaster.eval.remembered import RememberedModel, memory_dir, memory_file
from quartermaster.models.convert import PUBLISHED_MODEL
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.models.registry import load_embedding
from tests.support.model import cached_model_dir

POOL = 100
ABLATED_MODE = "balanced"
# FastMCP's search takes 40 ms a goal for every thousand tools.
MOST_FOR_FASTMCP = 7_000
Ask = Callable[[str], Awaitable[list[int]]]


async def compare(
    bench: EvaluationEnvironment,
    gold: GoldSet,
    modes: Sequence[str],
    *,
    ablate: bool = False,
    untrained: bool = False,
) -> list[Line]:
    """Returns every system on the same goals, ours first; FastMCP's where it does not take minutes.

    Args:
        bench: where ours is measured.
        gold: the set.
        modes: of ours.
        ablate: ours again with one thing taken away at a time, where that can change something.
        untrained: also the model that ours was trained from.
    """
    lines: list[Line] = []
    tools, tasks, progress = gold.items, gold.tasks, bench.progress
    async with open_arena(bench, gold) as arena:
        lines += [_ours(f"ours, {mode}", await arena.measure(mode)) for mode in modes]
        if ablate:
            progress("ablation", 0, 1)
            lines += await _ablated(arena)
        model, vectors = arena.model, arena.vectors
        folder = memory_dir(bench.data_dir)
        built = await anyio.to_thread.run_sync(_build, tools, model, folder, untrained)
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


async def _ablated(arena: Arena) -> list[Line]:
    async def run(_arm: str) -> Evaluation:
        return await arena.measure(ABLATED_MODE)

    found, _ = await ablate_modes(arena, [ABLATED_MODE], run)
    return [_ours(arm, measured, is_arm=True) for arm, measured in found.items()]


def _build(
    tools: ItemSet, model: EmbeddingModel, folder: Path, untrained: bool
) -> list[rivals.Rival]:
    remembered = RememberedModel(model, memory_file(folder, model))
    lexical, dense = rivals.Bm25(tools), rivals.Dense(tools, remembered)
    found: list[rivals.Rival] = [
        lexical,
        dense,
        rivals.Fused(lexical, dense),
        gateways.McpproxyGo(tools),
        gateways.ToolHive(tools, remembered),
    ]
    remembered.save()
    if untrained:
        found.append(_untrained(tools, folder))
    return found


def _untrained(tools: ItemSet, folder: Path) -> rivals.Untrained:
    place = cached_model_dir(model=PUBLISHED_MODEL)
    model = load_embedding(place, place.parents[1], len(os.sched_getaffinity(0)))
    remembered = RememberedModel(model, memory_file(folder, model))
    found = rivals.Untrained(tools, model, remembered)
    remembered.save()
    return found


def _ranked(
    rival: rivals.Rival,
    tools: ItemSet,
    tasks: Sequence[Task],
    vectors: Mapping[str, tuple[rivals.Vector, float]],
) -> Line:
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


async def _asked(name: str, ask: Ask, tools: ItemSet, tasks: Sequence[Task]) -> Line:
    found: list[dict[str, float]] = []
    seconds: list[float] = []
    for task in tasks:
        begun = perf_counter()
        ranking = await ask(task.goal)
        seconds.append(perf_counter() - begun)
        metrics = _scored(ranking, task, tools)
        found.append({key: value for key, value in metrics.items() if not key.startswith("pool")})
    return _line(name, found, seconds)


def _scored(ranking: Sequence[int], task: Task, tools: ItemSet) -> dict[str, float]:
    return measures([tools.ids[position] for position in ranking], task.needs, tools.groups)


def _ours(name: str, measured: Evaluation, *, is_arm: bool = False) -> Line:
    latency = measured.latency_ms
    each = _each([goal.metrics for goal in measured.goals])
    return Line(name, each, latency["p50"], latency["p95"], is_arm)


def _line(name: str, found: Sequence[Mapping[str, float]], seconds: Sequence[float]) -> Line:
    latency = percentiles(seconds)
    return Line(name, _each(found), latency["p50"], latency["p95"])


def _each(found: Sequence[Mapping[str, float]]) -> dict[str, list[float]]:
    names = dict.fromkeys(name for one in found for name in one)
    return {name: [one[name] for one in found if name in one] for name in names}
