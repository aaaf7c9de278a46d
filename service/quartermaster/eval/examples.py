"""Training data for scores: candidates with named features, and whether they are right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quartermaster.eval.gold import Task

INTERCEPT_NAME: Final = "intercept"
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Numbers = NDArray[np.int64]
Weights = Mapping[str, float]


class CandidateName(NamedTuple):
    """A name under which an answer may be found.

    Attributes:
        key: key of the answer; the names of an answer are adjacent.
        label: label of the answer; answers with the same label do not compete.
        is_right: whether the answer is right.
        features: feature values, in the order of the feature names.
    """

    key: str
    label: str
    is_right: bool
    features: Sequence[float]


@dataclass(frozen=True)
class RankingExamples:
    """Goals with the answers that were found for them. If an answer has several names, its best
    name counts.

    Attributes:
        names: names of the features.
        tasks: the goals.
        features: feature values, [names of answers, features].
        firsts: for each answer, the index of its first name.
        starts: for each goal, the index of its first answer.
        right: whether each answer is right.
        labels: labels of the answers.
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
        cls, names: Sequence[str], found: Iterable[tuple[Task, Sequence[CandidateName]]]
    ) -> RankingExamples:
        """Builds examples from goals and their candidates; leaves out goals without candidates."""
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
        """For each answer, the index of its goal."""
        return np.repeat(np.arange(len(self.starts)), _lengths(self.starts, len(self.firsts)))

    @cached_property
    def owner(self) -> Numbers:
        """For each name, the index of its answer."""
        return np.repeat(np.arange(len(self.firsts)), _lengths(self.firsts, len(self.features)))

    def select(self, chosen: NDArray[np.bool_]) -> RankingExamples:
        """Selects the examples of some goals."""
        answers = chosen[self.goal]
        names = answers[self.owner]
        return RankingExamples(
            names=self.names,
            tasks=[task for task, is_chosen in zip(self.tasks, chosen, strict=True) if is_chosen],
            features=self.features[names],
            firsts=_starts(_lengths(self.firsts, len(self.features))[answers]),
            starts=_starts(_lengths(self.starts, len(self.firsts))[chosen]),
            right=self.right[answers],
            labels=self.labels[answers],
        )

    def and_also(self, other: RankingExamples) -> RankingExamples:
        """Returns these examples together with other examples, which must have the same
        features.
        """
        most = int(self.labels.max(initial=-1)) + 1
        return RankingExamples(
            names=self.names,
            tasks=[*self.tasks, *other.tasks],
            features=np.concatenate([self.features, other.features]),
            firsts=np.concatenate([self.firsts, other.firsts + len(self.features)]),
            starts=np.concatenate([self.starts, other.starts + len(self.firsts)]),
            right=np.concatenate([self.right, other.right]),
            labels=np.concatenate([self.labels, other.labels + most]),
        )

    def where(self, holds: Callable[[Task], bool]) -> RankingExamples:
        """Selects the examples of the goals for which a condition is true."""
        return self.select(np.array([holds(task) for task in self.tasks], dtype=np.bool_))

    def without(self, name: str) -> RankingExamples:
        """Returns the same examples without one feature."""
        retained = np.array(self.names) != name
        names = tuple(other for other in self.names if other != name)
        return replace(self, names=names, features=self.features[:, retained])

    def values(self, weights: Weights) -> Doubles:
        """Returns the weighted sum of the features of each name, plus the intercept. Features
        without a weight are ignored.
        """
        used = [number for number, name in enumerate(self.names) if weights.get(name)]
        by = np.array([weights[self.names[number]] for number in used], dtype=np.float64)
        return self.features[:, used] @ by + weights.get(INTERCEPT_NAME, 0.0)

    def best(self, values: NDArray[np.floating]) -> tuple[Doubles, Numbers]:
        """Returns, for each answer, the value of its best name and the index of that name."""
        scores = np.maximum.reduceat(values, self.firsts)
        winners = np.flatnonzero(values == scores[self.owner])[::-1]
        numbers = np.zeros(len(self.firsts), dtype=np.int64)
        numbers[self.owner[winners]] = winners
        return scores.astype(np.float64), numbers

    def order(self, scores: Doubles) -> Numbers:
        """Returns the indices of the answers, sorted by goal and then by score, the best first."""
        return np.lexsort((-scores, self.goal))

    def ranks(self, weights: Weights) -> Numbers:
        """Ranks the answers by a weighted sum of features; returns the rank of each goal's first
        right answer, or 0 if the goal has none.
        """
        return self.ranks_of(self.order(self.best(self.values(weights))[0]))

    def ranks_of(self, order: Numbers) -> Numbers:
        """Returns the rank of each goal's first right answer, like `ranks`, for answers in a given
        order.
        """
        places = np.where(self.right[order], np.arange(len(order)) - self.starts[self.goal] + 1, 0)
        worst = len(order) + 1
        found = np.minimum.reduceat(np.where(places > 0, places, worst), self.starts)
        return np.where(found == worst, 0, found)


def _lengths(starts: Numbers, count: int) -> Numbers:
    return np.diff(np.append(starts, count))


def _starts(lengths: Numbers) -> Numbers:
    return np.cumsum(lengths) - lengths
