"""By how much the next goals gain from calls: `python -m lab.comparisons.learning FOLDER...`.

Of the goals of each folder (tools.jsonl, queries.jsonl), every other one is a session: an agent
searches and calls tools. The rest are the next goals, which are asked with the mode's weights of
success and latency, and without them. Judgements have no weight in the order; their share of right
ones is printed.

Agents: an *honest* one calls in the order of the list until the right tool has answered, and the
wrong ones fail. A *lazy* one calls the first tool, and finds that it answered. A *poisoned* one
calls all shown tools; only the wrong ones succeed.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import anyio
import numpy as np
import psycopg
from rich.console import Console

from quartermaster.cli.eval.databases import workbench
from quartermaster.core import logs
from quartermaster.core.kinds import TOOL
from quartermaster.eval.arena import Arena, EvaluationEnvironment, open_arena
from quartermaster.eval.gold import GoldSet, Task, read_tasks
from quartermaster.eval.items import read_items
from quartermaster.eval.metrics import measures
from quartermaster.settings.settings import Settings
from tests.support.instance import shared_runtime_dir

MODE: Final = "balanced"
MEASURES: Final = ("Recall@1", "nDCG@10")
# A seed and a number of draws, so that a run can be repeated.
_DRAWS: Final = 10_000

Call = tuple[str, str]
"""Name of a tool and outcome of its call."""

Agent = Callable[[Sequence[tuple[str, bool]]], Iterator[Call]]
"""Calls tools; it is shown the name of each, and whether the tool is right."""


def honest(shown: Sequence[tuple[str, bool]]) -> Iterator[Call]:
    """Calls down the list until the right tool has answered."""
    for name, is_right in shown:
        yield name, "ok" if is_right else "tool_error"
        if is_right:
            return


def lazy(shown: Sequence[tuple[str, bool]]) -> Iterator[Call]:
    """Calls the first tool and is content."""
    yield shown[0][0], "ok"


def poisoned(shown: Sequence[tuple[str, bool]]) -> Iterator[Call]:
    """Marks the wrong tools good, and the right one bad."""
    for name, is_right in shown:
        yield name, "tool_error" if is_right else "ok"


AGENTS: Final[dict[str, Agent]] = {"honest": honest, "lazy": lazy, "poisoned": poisoned}

_CALL = """
insert into calls.call (
    principal_id, instance_id, request_id, receipt_id, kind, ref, version, argument_bytes,
    duration_ms, outcome, ended_at
)
select r.principal_id, gen_random_uuid(), 'replay', r.id, c.kind, c.ref, 1, 2, 100, %s, now()
from selection.receipt as r inner join search.card as c on c.kind = r.kind and c.name = %s
cross join generate_series(1, %s) where r.id = %s
"""
_LEARN_QUERY = """
select stats.count_calls();
select selection.learn(1000000);
select selection.refresh_utility();
"""
_FORGET_QUERY = """
truncate calls.call, selection.receipt, selection.outcome, selection.judgement, selection.utility,
    selection.pool, stats.call_hour, stats.watermark cascade;
"""


async def measured(arena: Arena, tasks: Sequence[Task]) -> dict[str, np.ndarray]:
    """Returns the measures of each goal."""
    found: list[dict[str, float]] = []
    for task in tasks:
        rows = (await searched(arena, task)).rows
        ranking = [arena.ids[row["name"]] for row in rows]
        found.append(measures(ranking, task.needs, arena.gold.items.groups))
    return {name: np.array([each[name] for each in found]) for name in MEASURES}


async def searched(arena: Arena, task: Task) -> Any:
    return await arena.search(task.goal, mode=MODE, query_vector=arena.vectors[task.goal][0])


async def replay(
    arena: Arena, dsn: str, tasks: Sequence[Task], agent: Agent, times: int
) -> tuple[int, int]:
    """Returns sessions, and what the jobs learn from them; returns the right and all judgements."""
    by_key = {arena.ids[name]: name for name in arena.ids}
    right: set[tuple[str, str]] = set()
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(_FORGET_QUERY)
        connection.execute("update core.setting set value = '\"0\"' where name = 'feedback.window'")
        for task in tasks:
            rows = (await searched(arena, task)).rows
            shown = [(row["name"], arena.ids[row["name"]] in task.accepted) for row in rows]
            right |= {(task.goal, by_key[key]) for key in task.accepted if key in by_key}
            if not shown:
                continue
            for name, outcome in agent(shown):
                connection.execute(_CALL, [outcome, name, times, rows[0]["receipt"]])
        connection.execute(_LEARN_QUERY)
        judged = connection.execute(
            "select j.goal, c.name from selection.judgement as j"
            " inner join search.card as c on c.kind = j.kind and c.ref = j.ref"
            " where j.successes > 0"
        ).fetchall()
    return sum(one in right for one in judged), len(judged)


async def compare(bench: EvaluationEnvironment, gold: GoldSet, times: int) -> dict[str, Any]:
    """Returns the next goals' measures, by agent: with the weights of the mode, and without."""
    found: dict[str, Any] = {}
    sessions, following = gold.tasks[::2], gold.tasks[1::2]
    async with open_arena(bench, gold) as arena:
        settings = (await arena.modes())[MODE]
        without = settings | {"weight_success": 0, "weight_latency": 0}
        await arena.configure({MODE: without})
        unused = await measured(arena, following)
        await arena.configure({MODE: settings})
        for name, agent in AGENTS.items():
            judged = await replay(arena, bench.dsns[0], sessions, agent, times)
            found[name] = (await measured(arena, following), unused, judged)
    return found


def interval(differences: np.ndarray) -> tuple[float, float]:
    """Returns the 95 % interval of a mean, by paired bootstrap."""
    draws = np.random.default_rng(0).choice(differences, (_DRAWS, len(differences))).mean(axis=1)
    low, high = np.quantile(draws, [0.025, 0.975])
    return float(low), float(high)


def main() -> None:
    """Replays, measures, prints."""
    parser = argparse.ArgumentParser(prog="python -m lab.comparisons.learning", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--times", type=int, default=1, help="how often each session happens")
    options = parser.parse_args()
    logs.configure("warning", json=False)
    os.environ["QM_RUNTIME_DIR"] = str(shared_runtime_dir())
    console, found = Console(highlight=False), list[dict[str, Any]]()
    settings = Settings()
    for folder in options.folders:
        items = read_items(folder / "tools.jsonl", settings.upstream.max_tool_bytes, TOOL)
        tasks = read_tasks(folder / "queries.jsonl", items, split=None, modes=[MODE])
        gold = GoldSet(folder.name, items, tasks)
        with (
            TemporaryDirectory() as data,
            workbench(settings, Path(data), None, embedded=True) as b,
        ):
            found.append(anyio.run(partial(compare, b, gold, options.times)))
    for agent in AGENTS:
        right, judged = np.sum([one[agent][2] for one in found], axis=0)
        console.print(f"{agent}: {right} of {judged} judgements are right")
        for name in MEASURES:
            used, unused = (
                np.concatenate([one[agent][part][name] for one in found]) for part in (0, 1)
            )
            low, high = interval(used - unused)
            gain = (used - unused).mean()
            console.print(
                f"  {name} {unused.mean():.3f} -> {used.mean():.3f}, {gain:+.3f}"
                f" ({low:+.3f} to {high:+.3f}), {len(used)} goals"
            )


if __name__ == "__main__":
    main()
