"""Scores words: how surely each belongs to a personal datum, and to which type."""

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

from quartermaster.guardrails.addresses import with_name_and_town
from quartermaster.guardrails.personal_features import Tokens, read_tokens
from quartermaster.guardrails.spans import Bytes, Span

Floats = NDArray[np.float32]
WEIGHTS: Final = "personal.safetensors"
LABELS: Final = ("", "address", "birth_date", "email", "health", "ip", "number", "phone")
# A datum of these types is one token, of one of these kinds.
WHOLE: Final[dict[str, frozenset[str]]] = {
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
_BORDER: Final = re.compile(r"[.;:!?()\"|\n{}\[\]<>=\t']|, |\\n|\s[–—-]\s")
_LONGEST_CLAUSE: Final = 110
# A clause belongs to a datum about health if this share of it was found.
_OF_CLAUSE: Final = 0.5


@dataclass(frozen=True, slots=True)
class PersonalModel:
    """The learned part.

    Attributes:
        weights: a row for each bucket, a column for each label.
        constant: the constant of each label.
    """

    weights: Floats
    constant: Floats

    def scores(self, tokens: Tokens) -> Floats:
        """Score each label of each token."""
        total = np.repeat(self.constant[None, :], len(tokens.parts), axis=0)
        # Feature by feature, since a table of all weights would be large.
        for column in tokens.buckets.T:
            total += self.weights[column]
        return total

    def find(self, text: Bytes) -> Iterator[Span]:
        """Find personal data."""
        for tokens in read_tokens(text):
            if tokens.parts:
                scores = self.scores(tokens)
                yield from _whole(tokens, scores)
                for label in ("address", "health"):
                    yield from _running(text.text, tokens, scores, label)


def _whole(tokens: Tokens, scores: Floats) -> Iterator[Span]:
    """Find data of one token."""
    for label, kinds in WHOLE.items():
        for row in np.flatnonzero(_margin(scores, label) > -LENIENCY[label]).tolist():
            kind, part = tokens.kinds[row], tokens.parts[row]
            if kind not in kinds or (label == "email" and _STAND_IN.search(part)):
                continue
            if kind == "digits":
                is_year = len(part) == _YEAR_DIGITS
                if is_year if label != "birth_date" else not is_year:
                    continue
                if label != "birth_date" and len(part) < _FEWEST_DIGITS:
                    continue
            start = int(tokens.starts[row])
            yield Span(start, start + len(part), "personal", label)


def _running(text: str, tokens: Tokens, scores: Floats, label: str) -> Iterator[Span]:
    """Find data of several tokens."""
    margin = _margin(scores, label) + LENIENCY[label]
    for first, after in _runs(margin.tolist()):
        while after > first and not tokens.parts[after - 1][-1].isalnum():
            after -= 1  # noqa: PLW2901
        while first < after and not tokens.parts[first][0].isalnum():
            first += 1  # noqa: PLW2901
        if first == after:
            continue
        start = int(tokens.starts[first])
        end = int(tokens.starts[after - 1]) + len(tokens.parts[after - 1])
        if label == "health":
            start, end = _clause(text, start, end)
        elif not any(sign.isdigit() for sign in text[start:end]):
            continue
        else:
            start, end = with_name_and_town(text, start, end)
        yield Span(start, end, "personal", label)


def _margin(scores: Floats, label: str) -> Floats:
    """Return by how much each token's label is better than the best other one."""
    column = LABELS.index(label)
    return scores[:, column] - np.delete(scores, column, axis=1).max(axis=1)


def _runs(margins: list[float]) -> Iterator[tuple[int, int]]:
    """Find the runs with the highest sum of margins, of which each costs something."""
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


def _clause(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a datum to its clause, if it is most of it."""
    low, left = max(0, start - _LONGEST_CLAUSE), None
    for border in _BORDER.finditer(text, low, start):
        left = border.end()
    if left is None:
        left = 0 if low == 0 else start
    border = _BORDER.search(text, end, end + _LONGEST_CLAUSE)
    right = border.start() if border is not None else min(len(text), end + _LONGEST_CLAUSE)
    while left < start and text[left].isspace():
        left += 1
    while right > end and text[right - 1].isspace():
        right -= 1
    return (left, right) if end - start >= _OF_CLAUSE * (right - left) else (start, end)


@cache
def shipped_model() -> PersonalModel:
    """Load the weights that ship with the package."""
    return unpacked((files("quartermaster.guardrails") / WEIGHTS).read_bytes())


def unpacked(data: bytes) -> PersonalModel:
    """Read weights from a file of `quartermaster.training.personal`."""
    told: dict[str, Any] = load(data)
    return PersonalModel(told["weights"].astype(np.float32) * told["scales"], told["constant"])
