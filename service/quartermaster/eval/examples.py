"""Candidates of goals with named features and whether they are right: what a score learns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quartermaster.eval.gold import Task

INTERCEPT: Final = "intercept"
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Numbers = NDArray[np.int64]
Weights = Mapping[str, float]


class Candidate(NamedTuple):
    """One name under which an answer may be found.

    Attributes:
        key: of the answer; the names of one stand side by side.
        label: answers of one label do not compete.
        is_right: whether the answer is.
        features: their values, in the order of their names.
    """

    key: str
    label: str
    is_right: bool
    features: Sequence[float]


@dataclass(frozen=True)
class Examples:
    """Goals for which something was found. An answer has one name or several; the best counts.

    Attributes:
        names: of the features.
        tasks: the goals.
        features: [names of answers, features].
        firsts: first name of each answer.
        starts: first answer of each goal.
        right: whether an answer is.
        labels: of the answers.
    """

    names: tuple[str, ...]
    tasks: list[Task]
    features: Floats
    firsts: Numbers
    starts: Numbers
    right: NDArray[np.bool_]
    labels: Numbers

    @classmethod
    def of(
        cls, names: Sequence[str], found: Iterable[tuple[Task, Sequence[Candidate]]]
    ) -> Examples:
        """Examples from goals and their candidates; a goal without candidates is left out."""
        tasks, firsts, starts = list[Task](), list[int](), list[int]()
        features, right, labels = list[Sequence[float]](), list[bool](), list[int]()
        numbers: dict[str, int] = {}
        for task, candidates in found:
            if candidates:
                tasks.append(task)
                starts.append(len(firsts))
            before = None
            for one in candidates:
                if one.key != before:
                    before = one.key
                    firsts.append(len(features))
                    right.append(one.is_right)
                    labels.append(numbers.setdefault(one.label, len(numbers)))
                features.append(one.features)
        return cls(
            names=tuple(names),
            tasks=tasks,
            features=np.array(features, dtype=np.float32).reshape(-1, len(names)),
            firsts=np.array(firsts, dtype=np.int64),
            starts=np.array(starts, dtype=np.int64),
            right=np.array(right, dtype=np.bool_),
            labels=np.array(labels, dtype=np.int64),
        )

    @cached_property
    def goal(self) -> Numbers:
        """Number of the goal of each answer."""
        return np.repeat(np.arange(len(self.starts)), _lengths(self.starts, len(self.firsts)))

    @cached_property
    def owner(self) -> Numbers:
        """Number of the answer of each name."""
        return np.repeat(np.arange(len(self.firsts)), _lengths(self.firsts, len(self.features)))

    def select(self, chosen: NDArray[np.bool_]) -> Examples:
        """The examples of some goals."""
        answers = chosen[self.goal]
        names = answers[self.owner]
        return Examples(
            names=self.names,
            tasks=[task for task, is_chosen in zip(self.tasks, chosen, strict=True) if is_chosen],
            features=self.features[names],
            firsts=_starts(_lengths(self.firsts, len(self.features))[answers]),
            starts=_starts(_lengths(self.starts, len(self.firsts))[chosen]),
            right=self.right[answers],
            labels=self.labels[answers],
        )

    def where(self, holds: Callable[[Task], bool]) -> Examples:
        """The examples of the goals for which a condition is true."""
        return self.select(np.array([holds(task) for task in self.tasks], dtype=np.bool_))

    def without(self, name: str) -> Examples:
        """The same examples without one feature."""
        kept = np.array(self.names) != name
        names = tuple(other for other in self.names if other != name)
        return replace(self, names=names, features=self.features[:, kept])

    def values(self, weights: Weights) -> Doubles:
        """The weighed sum of the features of each name; unnamed features weigh nothing."""
        used = [number for number, name in enumerate(self.names) if weights.get(name)]
        by = np.array([weights[self.names[number]] for number in used], dtype=np.float64)
        return self.features[:, used] @ by + weights.get(INTERCEPT, 0.0)

    def best(self, values: NDArray[np.floating]) -> tuple[Doubles, Numbers]:
        """The value of the best name of each answer, and its number."""
        scores = np.maximum.reduceat(values, self.firsts)
        winners = np.flatnonzero(values == scores[self.owner])[::-1]
        numbers = np.zeros(len(self.firsts), dtype=np.int64)
        numbers[self.owner[winners]] = winners
        return scores.astype(np.float64), numbers

    def order(self, scores: Doubles) -> Numbers:
        """The answers, goal by goal, the best of each goal first."""
        return np.lexsort((-scores, self.goal))

    def ranks(self, weights: Weights) -> Numbers:
        """The rank of the first right answer of each goal by a weighed sum of features, from 1; 0
        where there is none."""
        return self.ranks_of(self.order(self.best(self.values(weights))[0]))

    def ranks_of(self, order: Numbers) -> Numbers:
        """Like `ranks`, for answers in a given order."""
        places = np.where(self.right[order], np.arange(len(order)) - self.starts[self.goal] + 1, 0)
        worst = len(order) + 1
        found = np.minimum.reduceat(np.where(places > 0, places, worst), self.starts)
        return np.where(found == worst, 0, found)


def _lengths(starts: Numbers, count: int) -> Numbers:
    return np.diff(np.append(starts, count))


def _starts(lengths: Numbers) -> Numbers:
    return np.cumsum(lengths) - lengths
