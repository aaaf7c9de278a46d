"""Learns how confident an expert may be, from questions with and without answers.

One part of the confidence is learned from vectors. It is a direction in the space of the embedding
model. The direction separates two groups of questions. The first group asks for advice. The second
group asks for facts that no note can contain, such as facts about private things and people,
invented products, and other fields. The other parts come from the database
(knowledge.judge_passages).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from quartermaster.eval.examples import Doubles
from quartermaster.eval.fitting import chances_at, logistic
from quartermaster.eval.threshold import wilson

# Parts of the confidence. What is covered, and what is dated, told nothing more.
PARTS: Final = ("similar", "unknown", "ahead", "particular", "factual")
# So many domains are left out at a time.
LEFT_OUT: Final = 2
_RIDGE: Final = 0.1
# Of log odds, more than this says nothing more.
_MAX_LOG_ODDS: Final = 6.0


@dataclass(frozen=True)
class JudgedQuestion:
    """A question, with the database's judgement of its passages.

    Attributes:
        domain: the domain of the question.
        answerable: whether there is a note that answers it.
        found: whether this note is among the passages.
        is_domain_given: whether the question was asked with its domain.
        parts: the values of all `PARTS` except the last.
    """

    domain: str
    answerable: bool
    found: bool
    is_domain_given: bool
    parts: tuple[float, ...]


@dataclass(frozen=True)
class Learned:
    """The learned weights, and their test.

    Attributes:
        direction: weights of the vector's dimensions, followed by the constant.
        weights: weights of the parts, followed by the constant.
        judged: the questions.
        chances: the confidence for each question, computed with weights that were learned without
            the questions of its domain.
    """

    direction: Doubles
    weights: Doubles
    judged: Sequence[JudgedQuestion]
    chances: Doubles

    def at(self, floor: float, *, is_domain_given: bool) -> dict[str, Any]:
        """Returns how often experts answer if they answer only above a confidence (the floor), with
        95 % intervals. Each question is judged with weights that were learned without its domain.
        """
        asked = [
            (each, bool(chance >= floor))
            for each, chance in zip(self.judged, self.chances, strict=True)
            if each.is_domain_given == is_domain_given
        ]
        silent = [not is_answered for each, is_answered in asked if not each.answerable]
        answered = [is_answered for each, is_answered in asked if each.answerable]
        wrong = [is_answered for each, is_answered in asked if each.answerable and not each.found]
        return {
            "floor": floor,
            "domain": "told" if is_domain_given else "not told",
            **_shared("silent where nothing answers", silent),
            **_shared("answered", answered),
            **_shared("answered if the right note is not found", wrong),
        }


def learn(
    judged: Sequence[JudgedQuestion],
    vectors: NDArray[np.float32],
    others: NDArray[np.float32],
    ridge: float,
) -> Learned:
    """Learns the direction and the weights.

    The direction separates questions that a note answers from other questions. The weights separate
    right answers from all other answers.

    Args:
        judged: the questions, from at least three domains.
        vectors: the vectors of these questions.
        others: vectors of other questions that notes answer. Only the direction is learned from
            them.
        ridge: penalty on the squared weights of the direction.
    """
    answerable = np.array([each.answerable for each in judged])
    found = np.array([each.found for each in judged])
    parts = np.array([each.parts for each in judged])
    domains = sorted({each.domain for each in judged})
    fold = np.array([domains.index(each.domain) // LEFT_OUT for each in judged])
    # A question that the direction was learned from is told apart too easily. So the weights of the
    # parts are learned from what a direction says that was learned without the question.
    factual = np.zeros(len(judged))
    for each in range(fold.max() + 1):
        held = fold == each
        line = _direction(vectors[~held], answerable[~held], others, ridge)
        factual[held] = said(line, vectors[held])
    given = np.column_stack([parts, factual])
    chances = np.zeros(len(judged))
    for each in range(fold.max() + 1):
        held = fold == each
        weights = _weights(given[~held], found[~held])
        chances[held] = chances_at(weights, given[held])
    return Learned(
        _direction(vectors, answerable, others, ridge), _weights(given, found), judged, chances
    )


def said(direction: Doubles, vectors: NDArray[np.float32]) -> Doubles:
    """Returns the log odds that no note can answer each question. The values have the same limits
    as in knowledge.asks_fact.
    """
    return np.clip(vectors @ direction[:-1] + direction[-1], -_MAX_LOG_ODDS, _MAX_LOG_ODDS)


def _direction(
    vectors: NDArray[np.float32],
    answerable: NDArray[np.bool_],
    others: NDArray[np.float32],
    ridge: float,
) -> Doubles:
    given = np.concatenate([vectors, others]).astype(np.float64)
    target = np.concatenate([~answerable, np.zeros(len(others), bool)]).astype(np.float64)
    return logistic(given, target, _balanced(target), ridge)


def _weights(given: Doubles, found: NDArray[np.bool_]) -> Doubles:
    target = found.astype(np.float64)
    return logistic(given, target, _balanced(target), _RIDGE)


def _balanced(target: Doubles) -> Doubles:
    """Returns weights for the cases, so that both classes have the same total weight. The sum of
    all weights is the number of cases.
    """
    share = max(float(target.mean()), 1e-9)
    return np.where(target > 0.5, 0.5 / share, 0.5 / max(1 - share, 1e-9))


def _shared(name: str, cases: Sequence[bool]) -> dict[str, Any]:
    low, high = wilson(sum(cases), len(cases))
    share = sum(cases) / max(len(cases), 1)
    return {name: round(share, 3), f"{name}, interval": f"{low:.3f} to {high:.3f}"}


def auc(chances: Doubles, found: NDArray[np.bool_]) -> float:
    """Returns the area under the ROC curve: how often a right answer has a higher confidence than a
    wrong answer.
    """
    better = chances[found][:, None] - chances[~found][None, :]
    return float(np.where(better == 0, 0.5, better > 0).mean())
