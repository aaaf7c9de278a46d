"""The measurements for the goals of a run, and the figures that are computed from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from quartermaster.eval.gold import Task
from quartermaster.eval.metrics import (
    CONFIDENT_SCORE,
    JUDGED_PLACES,
    Offer,
    brier_skill,
    calibration_error,
    collapsed,
    exposure_waste,
    graded_ndcg,
    measures,
    percentiles,
    says_nothing_fits,
    shown_recall,
)


@dataclass(frozen=True)
class GoalMeasurement:
    """The measurements for one goal.

    Attributes:
        task: the goal.
        metrics: metrics by name; a metric that does not apply to this goal is missing.
        seconds: duration of each step, in order.
        offers: cards that are shown for the goal, in order.
        receipt: receipt of the search; None if nothing was found.
    """

    task: Task
    metrics: dict[str, float]
    seconds: dict[str, float]
    offers: Sequence[Offer] = ()
    receipt: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """Returns the goal as ``{id, query, gold, metrics, shown}``; `gold` lists the accepted
        groups per need.
        """
        return {
            "id": self.task.key,
            "query": self.task.goal,
            "gold": [sorted(need.accepted) for need in self.task.needs],
            "metrics": self.metrics,
            "shown": [
                {
                    "id": offer.key,
                    "score": round(offer.score, 4),
                    "right": offer.is_right,
                    "weak": offer.is_weak,
                }
                for offer in self.offers
            ],
        }


@dataclass(frozen=True)
class Evaluation:
    """The measurements for all goals in a run.

    Attributes:
        goals: the measured goals in order.
        searches: duration of each search stage in seconds, as measured by the database.
    """

    goals: list[GoalMeasurement]
    searches: list[dict[str, float]] = field(default_factory=list[dict[str, float]])

    @property
    def metrics(self) -> dict[str, float]:
        """The mean of each metric, by name, over the goals that have the metric. Also `ece` and
        `brier_skill` of the first three offers for each goal.
        """
        names = dict.fromkeys(name for goal in self.goals for name in goal.metrics)
        means = {
            name: fmean(goal.metrics[name] for goal in self.goals if name in goal.metrics)
            for name in names
        }
        judged = [offer for goal in self.goals for offer in goal.offers[:JUDGED_PLACES]]
        trust = {"ece": calibration_error(judged), "brier_skill": brier_skill(judged)}
        found = means | {name: value for name, value in trust.items() if value is not None}
        return {name: round(value, 4) for name, value in found.items()}

    @property
    def latency_ms(self) -> dict[str, float]:
        """Median and 95th percentile of the total time for a goal, in milliseconds."""
        return percentiles([sum(goal.seconds.values()) for goal in self.goals])

    @property
    def stages(self) -> dict[str, dict[str, float]]:
        """Median and 95th percentile of the duration of each step, and of each stage of the step
        `search`, such as ``search.pool``.
        """
        steps = _by_name([goal.seconds for goal in self.goals])
        return steps | {f"search.{name}": ms for name, ms in _by_name(self.searches).items()}

    @classmethod
    def together(cls, several: Sequence[Evaluation]) -> Evaluation:
        """Returns one evaluation with the goals of several evaluations."""
        return cls(
            [goal for one in several for goal in one.goals],
            [search for one in several for search in one.searches],
        )

    def as_dict(self) -> dict[str, Any]:
        """Returns the figures as ``{n, metrics, latency_ms, stages}``."""
        return {
            "n": len(self.goals),
            "metrics": self.metrics,
            "latency_ms": self.latency_ms,
            "stages": self.stages,
        }


def judge(
    task: Task, ranking: Sequence[str], offers: Sequence[Offer], groups: Mapping[str, str]
) -> dict[str, float]:
    """Returns the metrics of one answer; metrics that do not apply to this goal are missing.

    Args:
        task: the goal.
        ranking: ids of all ranked items, shown or not.
        offers: cards that are shown, in order.
        groups: groups of near-duplicates, by id.
    """
    exposed = [offer.key for offer in offers]
    says_nothing = float(says_nothing_fits(offers))
    found: dict[str, float] = {}
    if task.needs:
        found |= measures(ranking, task.needs, groups)
        found["exposure_waste"] = exposure_waste(exposed, task.needs, groups)
        found["shown_recall"] = shown_recall(exposed, task.needs, groups)
        found["no_fit_wrong"] = says_nothing
    else:
        found["no_fit_said"] = says_nothing
    if task.grades:
        found["graded_nDCG@10"] = graded_ndcg(collapsed(ranking, groups), task.grades)
    found["shown"] = float(len(offers))
    found["confident"] = float(any(offer.score >= CONFIDENT_SCORE for offer in offers))
    if found["confident"]:
        found["confident_right"] = float(offers[0].is_right)
    return found


def _by_name(seconds: Sequence[Mapping[str, float]]) -> dict[str, dict[str, float]]:
    names = dict.fromkeys(name for one in seconds for name in one)
    return {name: percentiles([one.get(name, 0.0) for one in seconds]) for name in names}
