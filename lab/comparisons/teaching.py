"""What one sentence mends, and what it spoils: `python -m lab.comparisons.teaching FOLDER...`.

In each desk, the first five goals whose first tool is wrong are taught with a sentence that says
the same in other words (teachings.jsonl, part "taught"), as `qm tool teach SENTENCE RIGHT --not
WRONG` does. If the preview says that the goal is still wrong, or wrong again after the next
teaching, a person rewords the sentence: where the file has another one (again), it replaces the
first. Then all goals of the desk are asked again.
The sentences of the part "folds", for the
next five goals of each desk, are those that the strength of a teaching was chosen with; `--part
folds` measures them.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import anyio
import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from lab.comparisons.learning import MODE, interval
from quartermaster import api
from quartermaster.cli.eval.databases import workbench
from quartermaster.core import logs
from quartermaster.core.kinds import TOOL
from quartermaster.eval.arena import Arena, EvaluationEnvironment, open_arena
from quartermaster.eval.gold import GoldSet, Task, read_tasks
from quartermaster.eval.items import read_items
from quartermaster.eval.metrics import measures
from quartermaster.settings.settings import Settings
from tests.support.instance import shared_runtime_dir

SENTENCES: Final = Path(__file__).with_name("teachings.jsonl")
MEASURES: Final = ("Recall@1", "Recall@5")
PARTS: Final = ("taught", "folds")


@dataclass(frozen=True)
class Answers:
    """What searches answered, by goal.

    Attributes:
        firsts: id of the first tool; None if nothing was found.
        measured: each measure, in the order of the goals.
        weak: whether the search said that nothing fits, for goals that no tool fits.
    """

    firsts: Mapping[str, str | None]
    measured: Mapping[str, NDArray[np.float64]]
    weak: NDArray[np.float64]


@dataclass(frozen=True)
class DeskResult:
    """What teaching changed on a desk.

    Attributes:
        name: of the desk.
        mended: whether the first tool is right now, by id of each goal that was taught.
        at_once: the same, before sentences were reworded.
        before: answers without teachings.
        after: answers with teachings.
        others: whether each goal of the desk was not taught.
    """

    name: str
    mended: Mapping[str, bool]
    at_once: Mapping[str, bool]
    before: Answers
    after: Answers
    others: NDArray[np.bool_]


def sentences(desk: str, part: str, member: str) -> dict[str, str]:
    """Returns the sentences for goals of a desk, by id of the goal.

    Args:
        desk: name of the desk.
        part: taught or folds.
        member: sentence or again.
    """
    lines = map(json.loads, SENTENCES.read_text(encoding="utf-8").splitlines())
    return {
        one["id"]: one[member]
        for one in lines
        if member in one and (one["desk"], one["part"]) == (desk, part)
    }


async def ask(arena: Arena, fitting: Sequence[Task], unfit: Sequence[str]) -> Answers:
    """Returns the answers to all goals."""
    firsts: dict[str, str | None] = {}
    found: list[Mapping[str, float]] = []
    for task in fitting:
        rows = (await arena.ask(task, MODE)).rows
        ranking = [arena.ids[row["name"]] for row in rows]
        firsts[task.key] = ranking[0] if ranking else None
        found.append(measures(ranking, task.needs, arena.gold.items.groups))
    weak: list[bool] = []
    for goal in unfit:
        rows = (await arena.search(goal, mode=MODE)).rows
        weak.append(all(row["weak"] for row in rows))
    measured = {name: np.array([each[name] for each in found]) for name in MEASURES}
    return Answers(firsts, measured, np.array(weak, dtype=np.float64))


def is_right(arena: Arena, task: Task, key: str | None) -> bool:
    """Returns whether a tool is right for a goal."""
    return key is not None and arena.gold.items.groups.get(key, key) in task.accepted


async def teach(arena: Arena, task: Task, sentence: str, wrong: str | None) -> int:
    """Teaches one sentence; returns the number of the teaching."""
    names = {key: name for name, key in arena.ids.items()}
    vector = await arena.service.retriever.embedder.embed_goal(sentence)
    [row] = await arena.call(
        api.teach_item(
            kinds=[TOOL],
            goal=sentence,
            name=names[next(one.group for one in task.needs)],
            instead_of=None if wrong is None else names[wrong],
            query_vector=vector,
        )
    )
    return row["teaching"]


async def measure(
    bench: EvaluationEnvironment, gold: GoldSet, unfit: Sequence[str], part: str
) -> DeskResult:
    """Asks, teaches, and asks again."""
    async with open_arena(bench, gold) as arena:
        before = await ask(arena, gold.tasks, unfit)
        wrong = [one for one in gold.tasks if not is_right(arena, one, before.firsts[one.key])]
        start = PARTS.index(part) * 5
        written = sentences(gold.name, part, "sentence")
        reworded = sentences(gold.name, part, "again")
        chosen = wrong[start : start + 5]
        numbers = {
            task.key: await teach(arena, task, written[task.key], before.firsts[task.key])
            for task in chosen
        }
        tried = await ask(arena, chosen, [])
        at_once = {one.key: is_right(arena, one, tried.firsts[one.key]) for one in chosen}
        # A teaching that is reworded may take another one's goal, which is then reworded, too.
        right = at_once
        while again := [one for one in chosen if not right[one.key] and one.key in reworded]:
            for task in again:
                await arena.call(api.forget_teaching(teaching=numbers[task.key]))
                await teach(arena, task, reworded.pop(task.key), before.firsts[task.key])
            tried = await ask(arena, chosen, [])
            right = {one.key: is_right(arena, one, tried.firsts[one.key]) for one in chosen}
        after = await ask(arena, gold.tasks, unfit)
        mended = {one.key: is_right(arena, one, after.firsts[one.key]) for one in chosen}
    others = np.array([task.key not in mended for task in gold.tasks])
    return DeskResult(gold.name, mended, at_once, before, after, others)


def unfit_goals(folder: Path) -> list[str]:
    """Returns the goals that no tool of a desk serves, not even in part."""
    lines = map(json.loads, (folder / "nofit.jsonl").read_text(encoding="utf-8").splitlines())
    return [one["query"] for one in lines if not one["gold"] and not one["partly"]]


def report(console: Console, results: Sequence[DeskResult]) -> None:
    """Prints the figures."""
    mended = [right for one in results for right in one.mended.values()]
    at_once = [right for one in results for right in one.at_once.values()]
    console.print(f"right with the first sentence: {sum(at_once)} of {len(at_once)}")
    console.print(f"right after some were reworded: {sum(mended)} of {len(mended)}")
    missed = [key for one in results for key, right in one.mended.items() if not right]
    console.print(f"still wrong: {', '.join(missed) or 'none'}")
    for one in results:
        for name in MEASURES:
            was, now = one.before.measured[name], one.after.measured[name]
            low, high = interval(was)
            verdict = "falls beyond it" if now.mean() < low else "does not fall beyond it"
            console.print(
                f"{one.name} {name} {was.mean():.3f} ({low:.3f} to {high:.3f}) -> {now.mean():.3f},"
                f" {verdict}; goals that were not taught"
                f" {was[one.others].mean():.3f} -> {now[one.others].mean():.3f}"
            )
    weak_before, weak_after = (
        np.concatenate([answers.weak for answers in part])
        for part in ([one.before for one in results], [one.after for one in results])
    )
    console.print(
        f"no fit said {weak_before.mean():.3f} -> {weak_after.mean():.3f}, {len(weak_before)} goals"
    )


def main() -> None:
    """Teaches, measures, prints."""
    parser = argparse.ArgumentParser(prog="python -m lab.comparisons.teaching", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--part", choices=PARTS, default=PARTS[0], help="which sentences")
    options = parser.parse_args()
    logs.configure("warning", json=False)
    os.environ["QM_RUNTIME_DIR"] = str(shared_runtime_dir())
    settings, results = Settings(), list[DeskResult]()
    for folder in options.folders:
        items = read_items(folder / "tools.jsonl", settings.upstream.max_tool_bytes, TOOL)
        tasks = read_tasks(folder / "queries.jsonl", items, split=None, modes=[MODE])
        gold = GoldSet(folder.name, items, tasks)
        with (
            TemporaryDirectory() as data,
            workbench(settings, Path(data), None, embedded=True) as bench,
        ):
            run = partial(measure, bench, gold, unfit_goals(folder), options.part)
            results.append(anyio.run(run))
    report(Console(highlight=False, soft_wrap=True), results)


if __name__ == "__main__":
    main()
