"""Scores how likely each sentence is to give the assistant an order instead of information."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load

from quartermaster.guardrails.hidden_text import decoded, revealed
from quartermaster.guardrails.instruction_features import Floats, read_sentences
from quartermaster.guardrails.spans import Span, without_overlaps

WEIGHTS: Final = "instructions.safetensors"
# The second part of the classifier was trained with the vectors of this embedding model.
ENCODER: Final = "minilm-tools-4"
# Turns sentences into vectors: the embedding model's encoder.
Encode = Callable[[Sequence[str]], NDArray[np.float32]]
_MOST_IN_DOUBT: Final = 8


@dataclass(frozen=True, slots=True)
class InstructionModel:
    """The learned weights that find instructions. The first part scores n-grams and features. The
    second part scores the vectors of sentences for which the first part is in doubt.

    Attributes:
        grams: weight of each n-gram, a row for each family.
        signs: weight of each feature in `instruction_features.NAMES`.
        constant: the constant of the sum.
        threshold: score above which a sentence counts as an instruction if only the first part
            decides.
        doubt: range of scores of the first part in which the second part decides.
        vector: the weights of the second part: one weight per dimension, then the constant, then
            the threshold for the sum of both scores.
    """

    grams: Floats
    signs: Floats
    constant: float
    threshold: float
    doubt: tuple[float, float]
    vector: Floats

    def scored(self, text: str) -> list[tuple[int, int, str, float]]:
        """Scores the sentences of a text, and leaves out those that cannot be instructions.

        Returns:
            For each remaining sentence, its start and end in the text, its readable form, and its
            score.
        """
        plain = revealed(text)
        views: list[tuple[str, tuple[int, int] | None, bool]] = [
            (plain.text, None, plain.is_hidden)
        ]
        views += [(said, (start, end), True) for start, end, said in decoded(plain.text)]
        found: list[tuple[int, int, str, float]] = []
        for view, place, is_hidden in views:
            sentences = read_sentences(view, is_hidden=is_hidden)
            if not len(sentences.starts):
                continue
            scores = sentences.sums(self.grams) + sentences.signs @ self.signs + self.constant
            for row in np.flatnonzero(scores > self.doubt[0]):
                start, end = int(sentences.starts[row]), int(sentences.ends[row])
                said = view[start:end]
                found.append((*plain.original(*(place or (start, end))), said, float(scores[row])))
        return found

    def find(self, text: str, encode: Encode | None = None) -> list[Span]:
        """Finds instructions in a text.

        Args:
            text: the answer of a tool.
            encode: the embedding model's encoder, which is called only for sentences in doubt. If
                it is None, the first part decides alone.
        """
        scored = self.scored(text)
        sure = [found for found in scored if found[3] > self.threshold]
        if encode is not None:
            low, high = self.doubt
            unsure = sorted((f for f in scored if low < f[3] <= high), key=lambda found: -found[3])
            unsure = unsure[:_MOST_IN_DOUBT]
            sure = [found for found in scored if found[3] > high]
            if unsure:
                weight, constant, threshold = self.vector[:-2], self.vector[-2], self.vector[-1]
                more = encode([found[2] for found in unsure]) @ weight + constant
                sure += [
                    found
                    for found, second in zip(unsure, more, strict=True)
                    if found[3] + second > threshold
                ]
        return without_overlaps(
            Span(start, end, "instructions", "instruction") for start, end, _, _ in sure
        )


@cache
def shipped_model() -> InstructionModel:
    """Loads the weights that ship with the package."""
    return unpacked((files("quartermaster.guardrails") / WEIGHTS).read_bytes())


def unpacked(data: bytes) -> InstructionModel:
    """Reads the weights from a file that `lab.training.guardrails` wrote."""
    stored: dict[str, Any] = load(data)
    numbers = stored["numbers"]
    return InstructionModel(
        grams=stored["grams"].astype(np.float32) * stored["scales"][:, None],
        signs=stored["signs"],
        constant=float(numbers[0]),
        threshold=float(numbers[1]),
        doubt=(float(numbers[2]), float(numbers[3])),
        vector=stored["vector"],
    )
