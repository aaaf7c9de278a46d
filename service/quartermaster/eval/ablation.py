"""Repeats a measurement with one part removed, or with one part alone.

Each variant of a measurement is called an arm. Arms of a mode query the engine again. "Without
lexical" (or dense, or fuzzy) removes the channel's candidates and its influence: its weight in
fusion is 0, and so is the weight of its features in the learned score (search.silence), as if the
channel found nothing. The weights are not learned again, so the results do not show what the other
features could compensate. Vectors are still used to detect near-duplicates, and by MMR. Arms of
features do not query the engine: they only rank the same candidates again by a few named features.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any, Final

import numpy as np

from quartermaster.eval.arena import Arena
from quartermaster.eval.evaluation import Evaluation
from quartermaster.eval.examples import Examples, Numbers, Weights
from quartermaster.eval.fitting import Told, held_out
from quartermaster.eval.gold import Task
from quartermaster.eval.lookups import rank_of
from quartermaster.eval.metrics import CORE, Answer, recalls
from quartermaster.eval.vectors import COSINE, core_of
from quartermaster.lookup.table_file import Row
from quartermaster.models.reranker import Reranker

ModeSettings = Mapping[str, Any]

_CHANNELS: Final = ("lexical", "dense", "fuzzy")
_OFF: Final = {
    "without rerank": {"rerank": 0},
    "without MMR": {"lambda": 0},
    "without utility": {"weight_success": 0, "weight_latency": 0, "weight_risk": 0},
    "plain fusion": {"scoring": "fusion"},
}
_TRIGRAM: Final = {"trigram": 1.0}
_BLEND: Final = {"trigram": 0.5, "cosine": 0.5}
FEATURE_ARMS: Final[dict[str, Weights]] = {
    "trigram": _TRIGRAM,
    "character n-grams with idf": {"cosine": 1},
    "blend of both, half and half": _BLEND,
    # This weight is so large that every alias ranks below every name, regardless of its blended
    # score.
    "blend without aliases": _BLEND | {"alias": -1e17},
}
VECTOR_ARMS: Final[dict[str, Weights]] = {
    "vectors": {COSINE: 1},
    "trigram and vectors, half and half": {"trigram": 0.5, COSINE: 0.5},
}
_LARGER: Final = 100
_RERANKED: Final = 5
_SAMPLE: Final = 10


def _silenced(channel: str) -> dict[str, Any]:
    return {channel: 0, f"weight_{channel}": 0}


def _alone(channel: str) -> dict[str, Any]:
    others = [_silenced(other) for other in _CHANNELS if other != channel]
    # Fusion keeps the channel's own order. The learned score would also depend on the lengths of
    # the texts.
    return {key: value for other in others for key, value in other.items()} | {"scoring": "fusion"}


_ARMS: Final[dict[str, dict[str, Any]]] = {
    **{f"without {channel}": _silenced(channel) for channel in _CHANNELS},
    **{f"{channel} only": _alone(channel) for channel in _CHANNELS},
    **_OFF,
}


def arms(settings: ModeSettings) -> dict[str, dict[str, Any]]:
    """Return the settings that each arm changes in a mode, by arm name.

    Settings that the mode does not have are left out, and so are arms that would change nothing.

    Args:
        settings: settings of the mode, as returned by api.list_modes.
    """
    changes = {
        name: {key: value for key, value in change.items() if key in settings}
        for name, change in _ARMS.items()
    }
    return {
        name: change
        for name, change in changes.items()
        if any(settings[key] != value for key, value in change.items())
    }


def idle(settings: ModeSettings, *, reranks: bool, is_learned: bool) -> dict[str, str]:
    """Return the arms that cannot change anything in an evaluation, with the reasons by name.

    Args:
        settings: settings of the mode.
        reranks: whether there is a cross-encoder.
        is_learned: whether the score was learned with the embedding model in use.
    """
    changing = arms(settings)
    found = {name: "the mode already has these settings" for name in _ARMS if name not in changing}
    if not reranks:
        found["without rerank"] = "no reranker is configured"
    if not settings.get("weight_risk"):
        found["without utility"] = (
            "no tools have been called in the evaluation, and risk has no weight"
        )
    if not is_learned:
        found["plain fusion"] = "nothing was learned with this embedding model"
    return found


async def ablate(
    arena: Arena, modes: Collection[str], run: Callable[[str], Awaitable[Evaluation]]
) -> tuple[dict[str, Evaluation], dict[str, str]]:
    """Run every arm that can change something; the modes keep the settings of the last arm.

    Args:
        arena: the temporary database in which the goals are searched for.
        modes: modes to measure.
        run: function that makes one measurement; its argument is the name of the arm.

    Returns:
        The measurements by arm, and the reasons why other arms are left out.

    Raises:
        QmError: errors from the database.
    """
    own = {name: settings for name, settings in (await arena.modes()).items() if name in modes}
    reranks, is_learned = arena.reranker is not None, await arena.is_learned()
    resting = [idle(settings, reranks=reranks, is_learned=is_learned) for settings in own.values()]
    left_out = {
        name: why for name, why in resting[0].items() if all(name in one for one in resting)
    }
    measured: dict[str, Evaluation] = {}
    for name in _ARMS:
        if name not in left_out:
            await arena.configure(
                {mode: settings | arms(settings).get(name, {}) for mode, settings in own.items()}
            )
            measured[name] = await run(name)
    return measured, left_out


def rank_by(examples: Examples, features: Mapping[str, Weights]) -> list[tuple[str, ...]]:
    """Rank by an arm; returns its name, Recall@1 and @5 for the core goals, and Recall@1 for real
    strings.
    """
    core = core_of(examples)
    return [_arm(name, core.tasks, core.ranks(weights)) for name, weights in features.items()]


def of_answers(answers: Sequence[Answer]) -> tuple[str, ...]:
    """Like `rank_by`, but for the learned score."""
    core = [answer for answer in answers if answer.task.tier in CORE]
    ranks = np.array([answer.rank for answer in core], dtype=np.int64)
    return _arm("learned score", [answer.task for answer in core], ranks)


def _arm(name: str, tasks: Sequence[Task], ranks: Numbers) -> tuple[str, ...]:
    is_real = np.array([task.source == "real" for task in tasks], dtype=np.bool_)
    return name, *shown(ranks), shown(ranks[is_real])[0]


def shown(ranks: Numbers | Sequence[int]) -> tuple[str, ...]:
    """Format Recall@1 and @5 for people."""
    return tuple(f"{share:.3f}" for share in recalls(ranks))


def leave_tables_out(examples: Examples, told: Told) -> list[tuple[str | int, ...]]:
    """Compare trigrams with a score that was learned only from other tables: recall on the core
    goals of each larger table.
    """
    scopes = np.array([task.scope for task in examples.tasks])
    is_core = np.array([task.tier in CORE for task in examples.tasks])
    names, counts = np.unique(scopes[is_core], return_counts=True)
    larger = [str(name) for name in names[counts >= _LARGER]]
    learned, plain = held_out(examples, scopes, told, larger).ranks, examples.ranks(_TRIGRAM)
    chosen = {table: (scopes == table) & is_core for table in larger}
    return [
        (table, int(own.sum()), *shown(learned[own]), *shown(plain[own]))
        for table, own in chosen.items()
    ]


def rerank(
    answers: Sequence[Answer],
    tables: dict[str, list[Row]],
    model: Reranker,
    progress: Callable[[str, int, int], None],
) -> tuple[list[int], list[int]]:
    """For every tenth core goal, return the rank of the right row among the first five: as ranked
    by the learned score, and as ranked by a reranker. The rank is 0 if the right row is not among
    them.
    """
    values = {(table, row["id"]): row["value"] for table, rows in tables.items() for row in rows}
    sample = [answer for answer in answers if answer.task.tier in CORE and answer.found][::_SAMPLE]
    before, after = list[int](), list[int]()
    for number, answer in enumerate(sample, start=1):
        task = answer.task
        keys = [key for key, _ in answer.found[:_RERANKED]]
        scores = model.score(task.goal, [values[task.scope, key] for key in keys])
        order = sorted(range(len(keys)), key=lambda place: -float(scores[place]))
        before.append(rank_of(keys, task))
        after.append(rank_of([keys[place] for place in order], task))
        progress("reranking", number, len(sample))
    return before, after
