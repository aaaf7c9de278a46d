"""What an encoder's bare cosine finds, and whether it knows that nothing fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lab.comparisons.encoders.places import Ask, GoalCollection
from quartermaster.eval.metrics import POOL, collapsed, hit_ranks, measures
from quartermaster.models.embedding_model import EmbeddingModel

MEASURES: Final = ("Recall@1", "Recall@5", "nDCG@10", "pool_recall@100")
_FALSE_ALARMS: Final = 0.05
_RESAMPLES: Final = 2_000
_BLOCK: Final = 64

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class GoalScore:
    """How one goal was answered.

    Attributes:
        style: of the goal.
        best: the highest cosine.
        measured: by name, see `quartermaster.eval.metrics`; empty where nothing serves it.
        is_sibling: whether the first tool is wrong and of a needed tool's server.
    """

    style: str
    best: float
    measured: dict[str, float]
    is_sibling: bool = False


@dataclass(frozen=True)
class Difference:
    """A paired difference of means, with its 95 % interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ({self.low:+.3f} to {self.high:+.3f})"


def answer(place: GoalCollection, model: EmbeddingModel) -> list[GoalScore]:
    """Returns the answers to the goals of a place, in their order."""
    tools = model.embed([model.passage_prefix + text for text in place.texts])
    goals = model.embed([model.goal_text(ask.text) for ask in place.asks])
    return rank(place, goals, lambda block: block @ tools.T)


def rank(
    place: GoalCollection, goals: Vectors, score: Callable[[Vectors], Vectors]
) -> list[GoalScore]:
    """Returns the answers by any score.

    Args:
        place: tools and goals.
        goals: vectors, float32 [goals, dimension].
        score: of some goals' vectors, float32 [some, tools].
    """
    found: list[GoalScore] = []
    for start in range(0, len(goals), _BLOCK):
        scores = score(goals[start : start + _BLOCK])
        # More than the pool: near-duplicates count once.
        order = np.argsort(-scores, axis=1, kind="stable")[:, : 3 * POOL]
        for ask, row, places in zip(place.asks[start:], scores, order, strict=False):
            found.append(_judge(place, ask, row, places))
    return found


def _judge(place: GoalCollection, ask: Ask, scores: Vectors, order: NDArray[np.int64]) -> GoalScore:
    best = float(scores[order[0]])
    if not ask.needs:
        return GoalScore(ask.style, best, {})
    ranking = [place.ids[number] for number in order]
    pool = collapsed(ranking, place.groups)[:POOL]
    measured = measures(pool, ask.needs, place.groups)
    is_wrong = not hit_ranks(pool[:1], ask.needs)
    is_sibling = is_wrong and place.servers[order[0]] in ask.servers
    return GoalScore(ask.style, best, {name: measured[name] for name in MEASURES}, is_sibling)


def fitting(answers: Sequence[GoalScore], style: str | None = None) -> list[GoalScore]:
    """Returns those of goals that something serves, of one style or of all."""
    return [one for one in answers if one.measured and style in {None, one.style}]


def mean(answers: Sequence[GoalScore], measure: str) -> float:
    """Returns mean of a measure."""
    return float(np.mean([one.measured[measure] for one in answers]))


def difference(
    answers: Sequence[GoalScore], baseline: Sequence[GoalScore], measure: str, seed: int = 1
) -> Difference:
    """Returns the difference to a baseline by paired bootstrap over the goals (Efron, percentiles).

    Args:
        answers, baseline: to the same goals in the same order.
        measure: its name.
        seed: of the samples.
    """
    pairs = zip(answers, baseline, strict=True)
    each = np.array([one.measured[measure] - other.measured[measure] for one, other in pairs])
    chosen = np.random.default_rng(seed).integers(0, len(each), (_RESAMPLES, len(each)))
    low, high = np.percentile(each[chosen].mean(axis=1), [2.5, 97.5])
    return Difference(float(each.mean()), float(low), float(high))


def sibling_share(answers: Sequence[GoalScore]) -> float:
    """Of the goals whose first tool is wrong, the share that gets a sibling of the right one."""
    wrong = [one for one in answers if one.measured["Recall@1"] == 0]
    return float(np.mean([one.is_sibling for one in wrong])) if wrong else 0.0


def auroc(answers: Sequence[GoalScore]) -> float:
    """Returns how surely the best cosine of a goal that something serves is above that of one
    without.
    """
    fit, unfit = _bests(answers)
    above = (fit[:, None] > unfit).mean() + (fit[:, None] == unfit).mean() / 2
    return float(above)


def said_at(answers: Sequence[GoalScore], false_alarms: float = _FALSE_ALARMS) -> float:
    """Returns share of the goals without a tool below the cosine that so many fitting goals are
    below.
    """
    fit, unfit = _bests(answers)
    # The threshold is a fitting goal's own cosine: only what is strictly below is told so.
    threshold = np.sort(fit)[int(false_alarms * len(fit))]
    return float((unfit < threshold).mean())


def _bests(answers: Sequence[GoalScore]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    fit = np.array([one.best for one in answers if one.measured])
    return fit, np.array([one.best for one in answers if not one.measured])
