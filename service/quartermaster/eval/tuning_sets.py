"""The sets that modes are tuned on; never one of a test split."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from quartermaster.core.errors import QmError, argument_invalid
from quartermaster.eval.catalog import Progress
from quartermaster.eval.measuring import embed_goals
from quartermaster.eval.problems import bad_file
from quartermaster.eval.running import loaded, sample
from quartermaster.eval.tasks_file import Task, read_tasks
from quartermaster.eval.tools_file import ToolSet, read_tools
from quartermaster.eval.tuning import Loaded, Tuned, tune
from quartermaster.settings import Settings

SPLITS: Final = ("dev", "train")


@dataclass(frozen=True)
class TuningSet:
    """Tools and goals of one set, as read."""

    name: str
    tools: ToolSet
    tasks: list[Task]


def read_sets(
    places: Sequence[Path],
    split: str,
    *,
    limit: int | None,
    modes: Collection[str],
    max_tool_bytes: int,
) -> list[TuningSet]:
    """Reads sets.

    Args:
        places: folders with tools.jsonl and queries.jsonl, or pairs of such files.
        split: dev or train; goals that state no split are left out. In which mode a goal wants
            to be searched is not asked: it is what is tuned.
        limit: goals of a set at most, always the same.
        modes: that there are.
        max_tool_bytes: the largest definition allowed.

    Raises:
        QmError: QM422 split_refused, argument_invalid, evaluation_file_invalid; QM404
            file_not_found.
    """
    if split not in SPLITS:
        raise QmError(
            422,
            "split_refused",
            f"modes are not tuned on the split {split!r}, which is reserved for measuring",
            f"Use one of: {', '.join(SPLITS)}.",
        )
    found: list[TuningSet] = []
    for tools_path, goals_path in _pairs(places):
        tools = read_tools(tools_path, max_tool_bytes)
        tasks = read_tasks(goals_path, tools, split=split, modes=modes)
        kept = [replace(task, mode=None) for task in tasks if task.split == split]
        stated = sample(kept, limit)
        if not stated:
            raise bad_file(goals_path, None, f"no goal states the split {split!r}")
        found.append(TuningSet(tools_path.parent.name, tools, stated))
    return found


def _pairs(places: Sequence[Path]) -> list[tuple[Path, Path]]:
    pairs: list[tuple[Path, Path]] = []
    files: list[Path] = []
    for place in places:
        if place.is_dir():
            pairs.append((place / "tools.jsonl", place / "queries.jsonl"))
        else:
            files.append(place)
    if len(files) % 2:
        raise argument_invalid(
            f"{files[-1]} has no partner",
            "Name folders with tools.jsonl and queries.jsonl, or pairs of files: tools, goals.",
        )
    return pairs + list(zip(files[::2], files[1::2], strict=True))


async def tune_modes(
    settings: Settings,
    data_dir: Path,
    dsns: Sequence[str],
    sets: Sequence[TuningSet],
    modes: Sequence[str],
    progress: Progress,
    *,
    trials: int,
    seed: int,
) -> list[Tuned]:
    """Loads every set into a database of its own, then tunes one mode after the other.

    Args:
        settings, data_dir: of the service that is tuned.
        dsns: administrators' connections of throw-away databases, one a set.
        sets: as read.
        modes: to tune.
        progress: told how far it is.
        trials, seed: see `tuning.tune`.

    Raises:
        QmError: of the database or the model.
    """
    async with AsyncExitStack() as stack:
        ready: list[Loaded] = []
        for number, (one, dsn) in enumerate(zip(sets, dsns, strict=True), start=1):
            opened = loaded(settings, data_dir, dsn, one.tools, progress)
            asker, catalog = await stack.enter_async_context(opened)
            vectors = await embed_goals(asker, one.tasks, lambda _: None)
            ready.append(Loaded(one.name, asker, catalog, one.tools, one.tasks, vectors))
            progress("sets", number, len(sets))
        tuned: list[Tuned] = []
        for mode in modes:

            def tried(done: int, best: float, mode: str = mode) -> None:
                progress(f"{mode} (best {best:.4f})" if done == trials else mode, done, trials)

            tuned.append(await tune(ready, mode, trials=trials, seed=seed, progress=tried))
        return tuned
