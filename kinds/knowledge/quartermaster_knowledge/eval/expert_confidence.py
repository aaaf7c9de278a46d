"""Learns how sure an expert may be, from questions of which some have no answer.

One part of the confidence is learned from vectors: a direction in the space of the embedding model
that tells questions that no note can answer (for facts about somebody's own things and people,
about invented products and other fields) from questions for advice. The other parts come from the
database (knowledge.judge_passages).
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
    """A question, and what the database said of its passages.

    Attributes:
        domain: the domain that it belongs to.
        answerable: whether a note answers it.
        found: whether this note is among the passages.
        is_domain_given: whether the domain was told.
        parts: values of all of `PARTS` but the last.
    """

    domain: str
    answerable: bool
    found: bool
    is_domain_given: bool
    parts: tuple[float, ...]


@dataclass(frozen=True)
class Learned:
    """What was learned.

    Attributes:
        direction: weights of the dimensions, then the constant.
        weights: weights of the parts, then the constant.
        judged: the questions.
        chances: for each, how sure the expert is, learned without the questions of its domain.
    """

    direction: Doubles
    weights: Doubles
    judged: Sequence[JudgedQuestion]
    chances: Doubles

    def at(self, floor: float, *, is_domain_given: bool) -> dict[str, Any]:
        """Returns what a floor does to questions of domains that were left out, with 95 %
        intervals.
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
    """Learns direction and weights.

    The direction tells questions that a note answers from others. The weights tell right answers
    from all others.

    Args:
        judged: the questions, of at least three domains.
        vectors: their vectors.
        others: vectors of further questions that notes answer; only the direction learns from them.
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
    """Returns the log odds that no note can answer, between the limits of knowledge.asks_fact."""
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
    """Returns both classes weigh the same; all cases weigh as much as they are."""
    share = max(float(target.mean()), 1e-9)
    return np.where(target > 0.5, 0.5 / share, 0.5 / max(1 - share, 1e-9))


def _shared(name: str, cases: Sequence[bool]) -> dict[str, Any]:
    low, high = wilson(sum(cases), len(cases))
    share = sum(cases) / max(len(cases), 1)
    return {name: round(share, 3), f"{name}, interval": f"{low:.3f} to {high:.3f}"}


def auc(chances: Doubles, found: NDArray[np.bool_]) -> float:
    """Returns how often a right answer is surer than another one."""
    better = chances[found][:, None] - chances[~found][None, :]
    return float(np.where(better == 0, 0.5, better > 0).mean())
