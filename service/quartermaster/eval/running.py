"""From files to figures: measures, gathers examples or tunes, in databases thrown away."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from quartermaster.core.errors import QmError
from quartermaster.eval.ablation import ablate
from quartermaster.eval.arena import EXPOSED_SIZE, Arena, Bench, Evaluation, open_arena
from quartermaster.eval.examples import Candidate, Examples
from quartermaster.eval.files import bad_file, read_bytes
from quartermaster.eval.gold import GoldSet, Task, read_tasks, sample
from quartermaster.eval.items import read_items
from quartermaster.eval.tuning import Tuned, tune

SPLITS: Final = ("dev", "train")


class WeightsFile(BaseModel):
    """Weights of the learned score, as ``qm eval fit --output`` writes them."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    model: str
    weights: dict[str, float]


def read_weights(path: Path) -> WeightsFile:
    """Reads a file of weights.

    Raises:
        QmError: QM404 file_not_found, QM422 evaluation_file_invalid.
    """
    try:
        return WeightsFile.model_validate_json(read_bytes(path))
    except ValidationError as error:
        what = f"no weights: {error.errors()[0]['msg']}"
        raise bad_file(path, None, what, "qm eval fit --output writes such a file.") from error


@dataclass(frozen=True)
class Plan:
    """What to run.

    Attributes:
        gold: as read.
        goals: path of the file of the tasks.
        mode: of tasks that name none.
        split: that was asked for.
        ablate: run it again with one thing taken away at a time.
        weights: of the learned score, and their file; None: those that ship.
    """

    gold: GoldSet
    goals: Path
    mode: str
    split: str | None = None
    ablate: bool = False
    weights: tuple[Path, WeightsFile] | None = None


@dataclass(frozen=True)
class Outcome:
    """What came out.

    Attributes:
        plan: that was run.
        items: how many were stored.
        rejected: why some were not.
        model: the embedding model.
        reranker: name of the cross-encoder, if there was one.
        settings: of the mode.
        evaluation: of the whole.
        ablation: of each arm, by its name.
        left_out: arms that cannot change anything, and why.
    """

    plan: Plan
    items: int
    rejected: list[str]
    model: str
    reranker: str | None
    settings: dict[str, Any]
    evaluation: Evaluation
    ablation: dict[str, Evaluation] = field(default_factory=dict[str, Evaluation])
    left_out: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def _measured(self) -> dict[str, Any]:
        """What programs are told and databases keep."""
        return {
            **{name: value for name, value in self.evaluation.as_dict().items() if name != "n"},
            "mode": self.plan.mode,
            "split": self.plan.split,
            "tools": self.items,
            "model": self.model,
            "reranker": self.reranker,
        }

    def as_dict(self) -> dict[str, Any]:
        """For programs: ``{n, metrics, latency_ms, stages, ...}``, the arms under ``ablation``."""
        found = {
            "n": len(self.evaluation.goals),
            **self._measured,
            "rejected": len(self.rejected),
            "weights": str(self.plan.weights[0]) if self.plan.weights else None,
            "tokens_are": EXPOSED_SIZE,
        }
        if self.plan.ablate:
            found["ablation"] = {name: arm.as_dict() for name, arm in self.ablation.items()}
            found["ablation_left_out"] = self.left_out
        return found

    def as_stored(self, label: str) -> dict[str, Any]:
        """The arguments of api.store_evaluation."""
        gold = self.plan.gold
        files = [gold.items.path, self.plan.goals, *(self.plan.weights or ())[:1]]
        digests = {str(path): sha256(path.read_bytes()).hexdigest() for path in files}
        return {
            **self._measured,
            "label": label,
            "files": [{"name": name, "sha256": digest} for name, digest in digests.items()],
            "catalog_hash": gold.items.digest,
            "settings": self.settings,
            "queries": [
                {"query": goal.key, "metrics": goal.metrics} for goal in self.evaluation.goals
            ],
        }


async def evaluate(bench: Bench, plan: Plan) -> Outcome:
    """Loads the items and asks every goal as the service would.

    Raises:
        QmError: see `open_arena` and `Arena.score_by`.
    """
    async with open_arena(bench, plan.gold) as arena:
        if plan.weights is not None:
            path, learned = plan.weights
            await arena.score_by(path, learned.model, learned.weights)
        evaluation = await arena.measure(plan.mode)
        of_mode = (await arena.modes())[plan.mode]
        ablated: tuple[dict[str, Evaluation], dict[str, str]] = {}, {}
        if plan.ablate:
            modes = {task.mode or plan.mode for task in plan.gold.tasks}
            ablated = await ablate(arena, modes, partial(arena.measure, plan.mode))
        return Outcome(
            plan=plan,
            items=len(arena.ids),
            rejected=arena.rejected,
            model=arena.model.name,
            reranker=arena.reranker,
            settings=of_mode,
            evaluation=evaluation,
            ablation=ablated[0],
            left_out=ablated[1],
        )


def read_sets(
    places: Sequence[Path],
    split: str,
    *,
    limit: int | None,
    modes: Collection[str],
    max_tool_bytes: int,
    kind: str = "tool",
) -> list[GoldSet]:
    """Reads sets to learn from; never those of a test split.

    Args:
        places: folders with tools.jsonl and queries.jsonl, or pairs of such files.
        split: dev or train; goals that state no split are left out. In which mode a goal wants
            to be searched is not asked: it is what is tuned.
        limit: goals of a set at most, always the same.
        modes: that there are.
        max_tool_bytes: the largest definition allowed.
        kind: of the cards.

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
    found: list[GoldSet] = []
    for items_path, goals_path in _pairs(places):
        items = read_items(items_path, max_tool_bytes, kind)
        tasks = read_tasks(goals_path, items, split=split, modes=modes)
        name = items_path.parent.name
        kept = [replace(one, mode=None, scope=name) for one in tasks if one.split == split]
        if not kept:
            raise bad_file(goals_path, None, f"no goal states the split {split!r}")
        found.append(GoldSet(name, items, sample(kept, limit)))
    return found


def _pairs(places: Sequence[Path]) -> list[tuple[Path, Path]]:
    folders = [place for place in places if place.is_dir()]
    files = [place for place in places if not place.is_dir()]
    if len(files) % 2:
        raise QmError(
            422,
            "argument_invalid",
            f"{files[-1]} has no partner",
            "Name folders with tools.jsonl and queries.jsonl, or pairs of files: tools, goals.",
        )
    pairs = [(folder / "tools.jsonl", folder / "queries.jsonl") for folder in folders]
    return pairs + list(zip(files[::2], files[1::2], strict=True))


async def gather_sets(bench: Bench, sets: Sequence[GoldSet], mode: str) -> tuple[str, Examples]:
    """The candidates of every goal of the sets, each loaded into a database of its own.

    Args:
        bench: where.
        sets: one or more.
        mode: how many candidates there are.

    Returns:
        The name of the embedding model, and the examples.

    Raises:
        QmError: of the database or the model.
    """
    model, names = "", list[str]()
    found: list[tuple[Task, list[Candidate]]] = []
    for number, gold in enumerate(sets):
        async with open_arena(bench, gold, number) as arena:
            model, names = arena.model.name, await arena.feature_names()
            found += await arena.candidates(mode, names)
    return model, Examples.of(names, found)


async def tune_modes(
    bench: Bench, sets: Sequence[GoldSet], modes: Sequence[str], *, trials: int, seed: int
) -> list[Tuned]:
    """Loads every set into a database of its own, then tunes one mode after the other.

    Args:
        bench: where.
        sets: as read.
        modes: to tune.
        trials, seed: see `tuning.tune`.

    Raises:
        QmError: of the database or the model.
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
