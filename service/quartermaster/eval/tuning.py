"""Searches for mode settings with which searches are better across several sets."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from quartermaster.eval.ablation import arms
from quartermaster.eval.arena import Arena

ModeSettings = dict[str, Any]

METRIC: Final = "nDCG@10"
SINGLE_CHANNELS: Final = ("lexical only", "dense only")
_FACTORS: Final = (0.5, 0.75, 1.5, 2)
_COUNTS: Final = ("lexical", "dense", "fuzzy")
# Only the proportions of the weights matter, so the weight of the word channel stays fixed.
_WEIGHTS: Final[dict[str, tuple[float, ...]]] = {
    "weight_dense": (0.5, 0.75, 1, 1.25, 1.5, 2, 3),
    "weight_fuzzy": (0, 0.1, 0.2, 0.3, 0.5),
}
_LAMBDAS: Final = (0, 0.05, 0.1, 0.2, 0.3, 0.5)
_RERANK_WEIGHTS: Final = (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1)


@dataclass(frozen=True)
class TuningTrial:
    """Mode settings that were tried, and their results.

    Attributes:
        settings: settings that were tried.
        quality: nDCG@10 on each set.
        objective: mean quality, minus the amounts by which sets are worse than their best single
            channel.
    """

    settings: ModeSettings
    quality: dict[str, float]
    objective: float


@dataclass(frozen=True)
class Tuned:
    """The result for one mode. `floors` contains, for each set, the quality of its best single
    channel.
    """

    mode: str
    floors: dict[str, float]
    first: TuningTrial
    best: TuningTrial
    trials: int


def choices(settings: ModeSettings, *, reranks: bool, is_learned: bool) -> dict[str, list[float]]:
    """Returns the values to try for each mode setting, except the current value.

    Some settings are not tuned:

    - the fusion weights, if a learned score replaces fusion,
    - utility and risk, because goal files contain no outcomes,
    - `top`, because it determines a mode's cost.

    Field weights are not mode settings, because they are part of the postings, and all modes share
    one index. The number of cards that selection.diversify considers is not a setting either,
    because additional cards would not be chosen.

    Args:
        settings: initial settings.
        reranks: whether there is a cross-encoder.
        is_learned: whether the score was learned with the embedding model in use.
    """
    found: dict[str, list[float]] = {
        name: [max(round(settings[name] * factor), 4) for factor in _FACTORS] for name in _COUNTS
    }
    found["lambda"] = list(_LAMBDAS)
    if not (is_learned and settings.get("scoring") == "learned"):
        found |= {name: list(values) for name, values in _WEIGHTS.items()}
    if reranks:
        found["rerank"] = [max(round(settings["rerank"] * factor), 4) for factor in _FACTORS]
        found["weight_rerank"] = list(_RERANK_WEIGHTS)
    return {
        name: [value for value in values if value != settings[name]]
        for name, values in found.items()
        if name in settings
    }


def objective(quality: Mapping[str, float], floors: Mapping[str, float]) -> float:
    """Returns the mean quality of the sets, minus the sum of the amounts by which sets are below
    their floors.
    """
    lacking = sum(max(floors[name] - value, 0) for name, value in quality.items())
    return fmean(quality.values()) - lacking


async def tune(
    sets: Sequence[Arena],
    mode: str,
    *,
    trials: int,
    seed: int,
    progress: Callable[[int, float], None],
) -> Tuned:
    """Tunes a mode: changes one setting at a time, in random order, and keeps each change that
    improves the objective.

    Args:
        sets: sets to tune on, one or more.
        mode: mode whose settings are tuned.
        trials: number of trials.
        seed: seed for the order; the same seed gives the same result.
        progress: function that is called with the number of trials and the best objective.

    Raises:
        QmError: errors from the database.
    """
    settings = (await sets[0].modes())[mode]
    ranks = {name: change for name, change in arms(settings).items() if name in SINGLE_CHANNELS}
    floors = {
        one.gold.name: max(
            [await _quality(one, mode, settings | change) for change in ranks.values()]
        )
        for one in sets
    }
    first = best = await _trial(sets, mode, settings, floors)
    progress(0, best.objective)
    reranks, is_learned = sets[0].reranker is not None, await sets[0].is_learned()
    # A simple random generator is safe here, because no secret depends on it.
    draw = random.Random(seed)  # noqa: S311
    tried = [settings]
    for number in range(1, trials + 1):
        options = choices(best.settings, reranks=reranks, is_learned=is_learned)
        candidate = _changed(best.settings, draw, options)
        if candidate not in tried:
            tried.append(candidate)
            trial = await _trial(sets, mode, candidate, floors)
            best = trial if trial.objective > best.objective else best
        progress(number, best.objective)
    return Tuned(mode, floors, first, best, len(tried))


def _changed(
    settings: ModeSettings, draw: random.Random, options: Mapping[str, list[float]]
) -> ModeSettings:
    name = draw.choice(sorted(options))
    return settings | {name: draw.choice(options[name])}


async def _trial(
    sets: Sequence[Arena], mode: str, settings: ModeSettings, floors: Mapping[str, float]
) -> TuningTrial:
    quality = {one.gold.name: await _quality(one, mode, settings) for one in sets}
    return TuningTrial(settings, quality, objective(quality, floors))


async def _quality(arena: Arena, mode: str, settings: ModeSettings) -> float:
    await arena.configure({mode: settings})
    return (await arena.measure(mode)).metrics[METRIC]
