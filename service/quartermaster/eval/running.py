"""Runs evaluations with gold sets from files, in temporary databases: measures searches, gathers
examples, or tunes modes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from quartermaster.core.errors import QmError, argument_invalid
from quartermaster.eval.ablation import ablate
from quartermaster.eval.arena import EXPOSED_SIZE, Arena, EvaluationEnvironment, open_arena
from quartermaster.eval.evaluation import Evaluation
from quartermaster.eval.evaluation_files import bad_file
from quartermaster.eval.examples import CandidateName, RankingExamples
from quartermaster.eval.gold import (
    GoldSet,
    Task,
    numbered,
    read_tasks,
    read_unserved,
    sample,
)
from quartermaster.eval.items import digest, read_items
from quartermaster.eval.tuning import Tuned, tune
from quartermaster.eval.weights_file import WeightsFile
from quartermaster.settings.settings import Settings

SPLITS: Final = ("dev", "train")
UNSERVED_FILE: Final = "nofit.jsonl"


@dataclass(frozen=True)
class EvaluationPlan:
    """The parameters of an evaluation.

    Attributes:
        sets: the gold sets, one or more; each set has its own catalog.
        mode: mode for tasks that name no mode.
        split: the requested split.
        ablate: whether to repeat the run with one part removed at a time.
        weights: weights of the learned score, and their file; None uses the shipped weights.
    """

    sets: Sequence[GoldSet]
    mode: str
    split: str | None = None
    ablate: bool = False
    weights: tuple[Path, WeightsFile] | None = None


@dataclass(frozen=True)
class SetResult:
    """The results for one set.

    Attributes:
        gold: the set.
        items: number of stored items.
        rejected: reasons why items were not stored.
        model: the embedding model.
        reranker: name of the cross-encoder, if a cross-encoder was used.
        settings: settings of the mode.
        evaluation: measurements of the whole run.
        ablation: measurements of each arm, by name.
        left_out: reasons why arms cannot change anything, by name.
    """

    gold: GoldSet
    items: int
    rejected: list[str]
    model: str
    reranker: str | None
    settings: dict[str, Any]
    evaluation: Evaluation
    ablation: dict[str, Evaluation] = field(default_factory=dict[str, Evaluation])
    left_out: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class EvaluationResult:
    """The results of an evaluation.

    Attributes:
        plan: the plan that was run.
        parts: the results for each set, in the order of the plan.
    """

    plan: EvaluationPlan
    parts: Sequence[SetResult]

    @property
    def items(self) -> int:
        """The number of stored items in all sets together."""
        return sum(part.items for part in self.parts)

    @property
    def rejected(self) -> list[str]:
        """The reasons why items were not stored."""
        return [reason for part in self.parts for reason in part.rejected]

    @property
    def first(self) -> SetResult:
        """The first part. All parts have the same model, reranker and settings."""
        return self.parts[0]

    @cached_property
    def evaluation(self) -> Evaluation:
        """The evaluation of the goals of all sets together."""
        return Evaluation.together([part.evaluation for part in self.parts])

    @cached_property
    def ablation(self) -> dict[str, Evaluation]:
        """For each arm, the evaluation of the goals of all sets together."""
        return {
            arm: Evaluation.together([part.ablation[arm] for part in self.parts])
            for arm in self.first.ablation
        }

    @property
    def _measured(self) -> dict[str, Any]:
        """The figures that both the JSON output and the stored evaluation contain."""
        return {
            **{name: value for name, value in self.evaluation.as_dict().items() if name != "n"},
            "mode": self.plan.mode,
            "split": self.plan.split,
            "tools": self.items,
            "model": self.first.model,
            "reranker": self.first.reranker,
        }

    def as_dict(self) -> dict[str, Any]:
        """Returns ``{n, metrics, latency_ms, stages, ...}``, with ``{n, tools, metrics}`` of each
        set under ``sets`` and the arms under ``ablation``.
        """
        found = {
            "n": len(self.evaluation.goals),
            **self._measured,
            "rejected": len(self.rejected),
            "weights": str(self.plan.weights[0]) if self.plan.weights else None,
            "tokens_are": EXPOSED_SIZE,
            "sets": {
                part.gold.name: {
                    "n": len(part.evaluation.goals),
                    "tools": part.items,
                    "metrics": part.evaluation.metrics,
                }
                for part in self.parts
            },
        }
        if self.plan.ablate:
            found["ablation"] = {name: arm.as_dict() for name, arm in self.ablation.items()}
            found["ablation_left_out"] = self.first.left_out
        return found

    def goals(self) -> Iterator[dict[str, Any]]:
        """Yields the measurements of each goal as JSON, with the name of its set in the member
        ``set``.
        """
        for part in self.parts:
            for goal in part.evaluation.goals:
                yield {"set": part.gold.name, **goal.as_dict()}

    def as_stored(self, label: str) -> dict[str, Any]:
        """Returns the arguments for api.store_evaluation."""
        sets = self.plan.sets
        files = [file for gold in sets for file in (gold.items.path, *gold.files)]
        digests = {
            str(path): sha256(path.read_bytes()).hexdigest()
            for path in [*files, *(self.plan.weights or ())[:1]]
        }
        return {
            **self._measured,
            "label": label,
            "files": [{"name": name, "sha256": value} for name, value in digests.items()],
            "catalog_hash": digest(gold.items for gold in sets),
            "settings": self.first.settings,
            "queries": [
                {"query": goal.task.key, "metrics": goal.metrics} for goal in self.evaluation.goals
            ],
        }


async def evaluate(bench: EvaluationEnvironment, plan: EvaluationPlan) -> EvaluationResult:
    """Loads each set into its own database, and searches for every goal as the service would.

    Raises:
        QmError: the errors of `open_arena` and `Arena.score_by`.
    """
    parts = [await _measure(bench, plan, number) for number in range(len(plan.sets))]
    return EvaluationResult(plan, parts)


async def _measure(bench: EvaluationEnvironment, plan: EvaluationPlan, number: int) -> SetResult:
    gold = plan.sets[number]
    async with open_arena(bench, gold, number) as arena:
        if plan.weights is not None:
            await arena.score_by(*plan.weights)
        evaluation = await arena.measure(plan.mode, f"asking {gold.name}")
        of_mode = (await arena.modes())[plan.mode]
        ablated: tuple[dict[str, Evaluation], dict[str, str]] = {}, {}
        if plan.ablate:
            modes = {task.mode or plan.mode for task in gold.tasks}
            ablated = await ablate(arena, modes, partial(arena.measure, plan.mode))
        return SetResult(
            gold=gold,
            items=len(arena.ids),
            rejected=arena.rejected,
            model=arena.model.name,
            reranker=arena.reranker,
            settings=of_mode,
            evaluation=evaluation,
            ablation=ablated[0],
            left_out=ablated[1],
        )


def read_gold(
    settings: Settings,
    places: Sequence[Path],
    split: str | None,
    *,
    limit: int | None,
    kind: str,
) -> list[GoldSet]:
    """Reads the sets for a measurement.

    From a folder, `tools.jsonl`, `queries.jsonl` and, if it exists, `nofit.jsonl` are read. A goal
    in `nofit.jsonl` counts only if no tool in the folder serves it. With several sets, the ids of
    goals begin with the name of their set.

    Args:
        settings: settings with the existing modes and the largest size of a definition.
        places: folders, or pairs of files with tools and goals.
        split: the requested split; None for all goals.
        limit: largest number of goals in a set; the selection is always the same.
        kind: kind of the cards.

    Raises:
        QmError: QM422 argument_invalid, evaluation_file_invalid; QM404 file_not_found.
    """
    modes = settings.modes.model_dump()
    found: list[GoldSet] = []
    pairs = _pairs(places)
    for name, (items_path, *files) in zip(_names(pairs), pairs, strict=True):
        items = read_items(items_path, settings.upstream.max_tool_bytes, kind)
        tasks = read_tasks(files[0], items, split=split, modes=modes)
        for unserved in files[1:]:
            tasks += read_unserved(unserved, items, split=split, modes=modes)
        chosen = sample(numbered(tasks), limit)
        prefix = f"{name}:" if len(pairs) > 1 else ""
        tasks = [replace(task, key=prefix + task.key, scope=name) for task in chosen]
        found.append(GoldSet(name, items, tasks, tuple(files)))
    return found


def _names(pairs: Sequence[Sequence[Path]]) -> list[str]:
    """Returns the names of the folders, or their whole paths if two folders have the same name."""
    folders = [items_path.parent for items_path, *_ in pairs]
    names = [folder.absolute().name for folder in folders]
    return names if len(set(names)) == len(names) else [str(folder) for folder in folders]


def read_sets(
    settings: Settings,
    places: Sequence[Path],
    split: str,
    *,
    limit: int | None,
    kind: str,
) -> list[GoldSet]:
    """Reads the sets to learn from. Refuses to read a test split.

    Args:
        settings: settings with the existing modes and the largest size of a definition.
        places: folders with tools.jsonl and queries.jsonl, or pairs of such files.
        split: dev or train; goals without a split are left out. The modes that goals name are
            ignored, because the mode is tuned.
        limit: largest number of goals in a set; the selection is always the same.
        kind: kind of the cards.

    Raises:
        QmError: QM422 split_refused, argument_invalid, evaluation_file_invalid; QM404
            file_not_found.
    """
    if split not in SPLITS:
        raise QmError(
            422,
            "split_refused",
            f"the queries of the split {split!r} are reserved for measuring, so modes are not tuned"
            " on them",
            f"Use one of: {', '.join(SPLITS)}.",
        )
    modes = settings.modes.model_dump()
    found: list[GoldSet] = []
    for items_path, goals_path, *_ in _pairs(places):
        items = read_items(items_path, settings.upstream.max_tool_bytes, kind)
        tasks = read_tasks(goals_path, items, split=split, modes=modes)
        name = items_path.parent.name
        retained = [
            replace(one, mode=None, scope=name) for one in tasks if one.needs and one.split == split
        ]
        if not retained:
            raise bad_file(goals_path, None, f"no goal belongs to the split {split!r}")
        found.append(GoldSet(name, items, sample(retained, limit)))
    return found


def _pairs(places: Sequence[Path]) -> list[tuple[Path, ...]]:
    """Returns the files of each set: items, goals and, if the set is a folder, goals that nothing
    serves.
    """
    folders = [place for place in places if place.is_dir()]
    files = [place for place in places if not place.is_dir()]
    if len(files) % 2:
        raise argument_invalid(
            f"{files[-1]} is given without the other file of its pair",
            "Name folders with tools.jsonl and queries.jsonl, or pairs of files: first a file with"
            " tools, then a file with goals.",
        )
    found: list[tuple[Path, ...]] = [
        (
            folder / "tools.jsonl",
            folder / "queries.jsonl",
            *([folder / UNSERVED_FILE] if (folder / UNSERVED_FILE).is_file() else []),
        )
        for folder in folders
    ]
    return found + list(zip(files[::2], files[1::2], strict=True))


async def gather_sets(
    bench: EvaluationEnvironment, sets: Sequence[GoldSet], mode: str
) -> tuple[str, RankingExamples]:
    """Gathers the candidates for every goal; each set is loaded into its own database.

    Args:
        bench: the environment.
        sets: sets to load, one or more.
        mode: mode that determines the number of candidates.

    Returns:
        The name of the embedding model, and the examples.

    Raises:
        QmError: errors from the database or the model.
    """
    model, names = "", list[str]()
    found: list[tuple[Task, list[CandidateName]]] = []
    for number, gold in enumerate(sets):
        async with open_arena(bench, gold, number) as arena:
            model, names = arena.model.name, await arena.feature_names()
            found += await arena.candidates(mode, names)
    return model, RankingExamples.of(names, found)


async def tune_modes(
    bench: EvaluationEnvironment,
    sets: Sequence[GoldSet],
    modes: Sequence[str],
    *,
    trials: int,
    seed: int,
) -> list[Tuned]:
    """Loads every set into its own database, then tunes one mode after the other.

    Args:
        bench: the environment.
        sets: the sets that were read.
        modes: modes to tune.
        trials, seed: see `tuning.tune`.

    Raises:
        QmError: errors from the database or the model.
    """
    async with AsyncExitStack() as stack:
        ready: list[Arena] = []
        for number, gold in enumerate(sets):
            ready.append(await stack.enter_async_context(open_arena(bench, gold, number)))
            bench.progress("sets", number + 1, len(sets))
        tuned: list[Tuned] = []
        for mode in modes:

            def tried(done: int, best: float, mode: str = mode) -> None:
                what = f"{mode} (best {best:.4f})" if done == trials else mode
                bench.progress(what, done, trials)

            tuned.append(await tune(ready, mode, trials=trials, seed=seed, progress=tried))
        return tuned
