"""Searches for better settings of a mode on several sets at once."""

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
# The weight of words is fixed, because only the proportion of the weights matters.
_WEIGHTS: Final[dict[str, tuple[float, ...]]] = {
    "weight_dense": (0.5, 0.75, 1, 1.25, 1.5, 2, 3),
    "weight_fuzzy": (0, 0.1, 0.2, 0.3, 0.5),
}
_LAMBDAS: Final = (0, 0.05, 0.1, 0.2, 0.3, 0.5)
_RERANK_WEIGHTS: Final = (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1)


@dataclass(frozen=True)
class Trial:
    """Settings of a mode, and their results.

    Attributes:
        settings: that were tried.
        quality: nDCG@10 of each set.
        objective: their mean, less what sets lack to their best single channel.
    """

    settings: ModeSettings
    quality: dict[str, float]
    objective: float


@dataclass(frozen=True)
class Tuned:
    """The result for one mode; `floors` are the qualities of each set's best single channel."""

    mode: str
    floors: dict[str, float]
    first: Trial
    best: Trial
    trials: int


def choices(settings: ModeSettings, *, reranks: bool, is_learned: bool) -> dict[str, list[float]]:
    """What may be tried for each of the settings of a mode, its own value left out.

    Left alone are the weights of fusion where a learned score takes its place; utility, since files
    of goals have no outcomes, and none to set risk against; `top`, which is what a mode costs.
    The weights of fields are not settings of a mode: postings have them multiplied, one index for
    all modes. Nor is the number of cards that diversity looks at (selection.diversify): the ones
    that more of them would add are not chosen.

    Args:
        settings: to begin with.
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
    """Mean over the sets, less everything that sets lack to their floors."""
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
    """Changes one member at a time, in random order, and keeps what is better on all sets together.

    Args:
        sets: one or more.
        mode: whose settings are tuned.
        trials: settings tried.
        seed: of the order; the same gives the same result.
        progress: told how many were tried, and the best objective.

    Raises:
        QmError: of the database.
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
    # No secret depends on these draws.
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
) -> Trial:
    quality = {one.gold.name: await _quality(one, mode, settings) for one in sets}
    return Trial(settings, quality, objective(quality, floors))


async def _quality(arena: Arena, mode: str, settings: ModeSettings) -> float:
    await arena.configure({mode: settings})
    return (await arena.measure(mode)).metrics[METRIC]
