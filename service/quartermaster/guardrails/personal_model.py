"""Scores how likely each word belongs to personal data of each type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load

from quartermaster.guardrails import health_clauses
from quartermaster.guardrails.addresses import whole_address
from quartermaster.guardrails.health_clauses import Clause
from quartermaster.guardrails.personal_features import Tokens, read_tokens
from quartermaster.guardrails.spans import Bytes, Span, widened

Floats = NDArray[np.float32]
WEIGHTS: Final = "personal.safetensors"
LABELS: Final = ("", "address", "birth_date", "email", "health", "ip", "number", "phone")
# A datum of these types is one token, of one of these kinds.
SINGLE_TOKEN_KINDS: Final[dict[str, frozenset[str]]] = {
    "email": frozenset({"email"}),
    "phone": frozenset({"phone", "id", "digits", "ssn"}),
    "birth_date": frozenset({"date", "digits"}),
    "ip": frozenset({"ip"}),
}
# How much lower than the best label a type may score; a type of several words also pays for each
# beginning and end.
LENIENCY: Final = {"email": 1.0, "phone": 0.5, "birth_date": 2.0, "ip": 2.0, "address": 1.0,
                   "health": 1.0}  # fmt: skip
SWITCH: Final = 2.0
_FEWEST_DIGITS: Final = 5
_YEAR_DIGITS: Final = 4
# Mailboxes of documentation.
_STAND_IN: Final = re.compile(
    r"(?i)@(?:www\.)?(?:example|domain|company|yourdomain|test)\.|^your?[._-]"
)
# A clause belongs to words about health if they are so much of it.
_OF_CLAUSE: Final = 0.5
# Words may look less like health by so much, and their clause is judged all the same.
EAGERNESS: Final = 2.5
# A clause is not judged if each of its words looks less like health by so much.
UNLIKELY_LOG_ODDS: Final = 6.0
# How much more the logarithm of its length counts where clauses compete.
LENGTH: Final = 0.4


@dataclass(frozen=True, slots=True)
class PersonalModel:
    """The learned weights that find personal data.

    Attributes:
        weights: one row per bucket, one column per label.
        constant: the constant of each label.
        judgement: the weights of the features that decide whether a clause is about a person's
            health.
    """

    weights: Floats
    constant: Floats
    judgement: Floats

    def scores(self, tokens: Tokens) -> Floats:
        """Returns each token's score for each label."""
        total = np.repeat(self.constant[None, :], len(tokens.parts), axis=0)
        # Feature by feature, since a table of all weights would be large.
        for column in tokens.buckets.T:
            total += self.weights[column]
        return total

    def find(self, text: Bytes) -> Iterator[Span]:
        """Finds personal data in a text: single tokens, addresses, and clauses about health."""
        for tokens in read_tokens(text):
            if tokens.parts:
                scores = self.scores(tokens)
                yield from _whole(tokens, scores)
                yield from _addresses(text.text, tokens, scores)
                yield from self._clauses(text.text, tokens, scores)

    def _clauses(self, text: str, tokens: Tokens, scores: Floats) -> Iterator[Span]:
        """Finds clauses about a person's health."""
        clauses = clauses_in(text, tokens, scores)
        if not clauses:
            return
        found = health_clauses.describe(text, clauses) @ self.judgement
        sizes = np.log([one.end - one.start for one in clauses])
        # Of those that overlap, the likeliest one; a longer one is preferred.
        low = clauses[0].start
        taken = bytearray(max(one.end for one in clauses) - low)
        order: list[int] = np.argsort(-(found + LENGTH * sizes), kind="stable").tolist()
        for place in order:
            one = clauses[place]
            start, end = one.start - low, one.end - low
            if found[place] > 0 and not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                yield Span(one.start, one.end, "personal", "health")


def _whole(tokens: Tokens, scores: Floats) -> Iterator[Span]:
    """Finds personal data that consist of a single token."""
    for label, kinds in SINGLE_TOKEN_KINDS.items():
        for row in np.flatnonzero(_margin(scores, label) > -LENIENCY[label]).tolist():
            kind, part = tokens.kinds[row], tokens.parts[row]
            if kind not in kinds or (label == "email" and _STAND_IN.search(part)):
                continue
            is_year, is_long = len(part) == _YEAR_DIGITS, len(part) >= _FEWEST_DIGITS
            if kind == "digits" and not (is_year if label == "birth_date" else is_long):
                continue
            start = int(tokens.starts[row])
            yield Span(start, start + len(part), "personal", label)


def _addresses(text: str, tokens: Tokens, scores: Floats) -> Iterator[Span]:
    """Finds addresses of people."""
    margin = _margin(scores, "address") + LENIENCY["address"]
    for start, end in _running(tokens, margin):
        if any(sign.isdigit() for sign in text[start:end]):
            yield Span(*whole_address(text, start, end), "personal", "address")


def clauses_in(text: str, tokens: Tokens, scores: Floats) -> list[Clause]:
    """Lists the clauses of a text that may be about a person's health."""
    margin = _margin(scores, "health") + LENIENCY["health"] + EAGERNESS
    low, high = int(tokens.starts[0]), int(tokens.starts[-1]) + len(tokens.parts[-1])
    found = set(health_clauses.places(text, low, high))
    for start, end in _running(tokens, margin):
        found.add(widened(text, start, end, health_clauses.BORDER, _OF_CLAUSE))
    surer = scores[:, LABELS.index("health")] - scores[:, 0]
    clauses: list[Clause] = []
    for start, end in sorted(found):
        first, after = np.searchsorted(tokens.starts, (start, end)).tolist()
        if first < after and surer[first:after].max() > -UNLIKELY_LOG_ODDS:
            clauses.append(Clause(start, end, surer[first:after]))
    return clauses


def _running(tokens: Tokens, margin: Floats) -> Iterator[tuple[int, int]]:
    """Finds the runs of tokens with the highest margins, without punctuation at the ends. Returns
    their positions in the text.
    """
    for first, after in _runs(margin.tolist()):
        while after > first and not tokens.parts[after - 1][-1].isalnum():
            after -= 1  # noqa: PLW2901
        while first < after and not tokens.parts[first][0].isalnum():
            first += 1  # noqa: PLW2901
        if first < after:
            last = after - 1
            yield int(tokens.starts[first]), int(tokens.starts[last]) + len(tokens.parts[last])


def _margin(scores: Floats, label: str) -> Floats:
    """Returns by how much each token's score for a label exceeds its highest score for any other
    label.
    """
    column = LABELS.index(label)
    return scores[:, column] - np.delete(scores, column, axis=1).max(axis=1)


def _runs(margins: list[float]) -> Iterator[tuple[int, int]]:
    """Finds the runs of tokens that maximise the sum of margins. Each change into or out of a run
    has a fixed cost.
    """
    outside, inside = 0.0, -SWITCH
    came: list[tuple[bool, bool]] = []
    for margin in margins:
        stays_in, stays_out = inside >= outside - SWITCH, outside >= inside - SWITCH
        came.append((stays_in, stays_out))
        inside, outside = (
            (inside if stays_in else outside - SWITCH) + margin,
            outside if stays_out else inside - SWITCH,
        )
    is_in = inside > outside
    after = len(margins)
    for row in range(len(margins) - 1, -1, -1):
        stays = came[row][0] if is_in else came[row][1]
        if is_in and (not stays or row == 0):
            yield row, after
        if not stays:
            is_in = not is_in
            after = row


@cache
def shipped_model() -> PersonalModel:
    """Loads the weights that ship with the package."""
    return unpacked((files("quartermaster.guardrails") / WEIGHTS).read_bytes())


def unpacked(data: bytes) -> PersonalModel:
    """Reads the weights from a file that `lab.training.personal` wrote."""
    stored: dict[str, Any] = load(data)
    weights = stored["weights"].astype(np.float32) * stored["scales"]
    return PersonalModel(weights, stored["constant"], stored["judgement"])
