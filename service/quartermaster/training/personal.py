"""``python -m quartermaster.training.personal FILE``: trains what finds personal data.

Needs scikit-learn and scipy (requirements/train.txt).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from quartermaster.guardrails.personal_features import BUCKETS, Tokens, read_tokens
from quartermaster.guardrails.personal_model import LABELS, PersonalModel
from quartermaster.guardrails.spans import Bytes
from quartermaster.training.personal_texts import Made, made_texts

FOLDS: Final = 3
MADE: Final = 3000
# A given result counts as much as so many made texts.
GIVEN: Final = 3.0
PENALTY: Final = 0.1
STEPS: Final = 50
# Of the tokens far away from personal data, this share is used.
FAR, NEAR_REACH = 0.35, 6
# What the labels of the data are called here; a name alone is not looked for.
_TYPES: Final = {"name_with_address": "address", **{label: label for label in LABELS[1:]}}
_NO_TYPE: Final = "name"
_COVERED: Final = 0.9


@dataclass(frozen=True, slots=True)
class Example:
    """A text to learn from.

    Attributes:
        made: the text and its parts.
        pieces: its tokens.
        labels: for each piece, the number of the label of each token.
        weight: how much it counts.
    """

    made: Made
    pieces: list[Tokens]
    labels: list[NDArray[np.int64]]
    weight: float


def read_example(made: Made, weight: float) -> Example:
    """Label the tokens of a text."""
    pieces = list(read_tokens(Bytes(made.text)))
    labels: list[NDArray[np.int64]] = []
    for tokens in pieces:
        of_tokens = np.zeros(len(tokens.parts), np.int64)
        for start, end, label in made.parts:
            of_tokens[(tokens.starts >= start) & (tokens.starts < end)] = LABELS.index(label)
        labels.append(of_tokens)
    return Example(made, pieces, labels, weight)


def given_texts(rows: Sequence[dict[str, Any]]) -> list[Made]:
    """Read results with marked personal data."""
    found: list[Made] = []
    for row in rows:
        text: str = row["result"]
        parts: list[tuple[int, int, str]] = []
        for part in row["personal"]:
            if part["type"] == _NO_TYPE:
                continue
            start = text.find(part["text"])
            while start >= 0:
                end = start + len(part["text"])
                parts.append((start, end, _TYPES.get(part["type"], "number")))
                start = text.find(part["text"], end)
        found.append(Made(text, parts))
    return found


def fit(examples: Sequence[Example]) -> PersonalModel:
    """Fit the weights: logistic regression over the features of each token."""
    rng = np.random.default_rng(19)
    tables: list[NDArray[np.uint32]] = []
    labels: list[NDArray[np.int64]] = []
    weights: list[NDArray[np.float64]] = []
    for example in examples:
        for tokens, of_tokens in zip(example.pieces, example.labels, strict=True):
            if len(of_tokens):
                reach = np.ones(2 * NEAR_REACH + 1)
                is_part = np.convolve(of_tokens > 0, reach, "full")[NEAR_REACH:-NEAR_REACH] > 0
                kept = is_part | (rng.random(len(is_part)) < FAR)
                tables.append(tokens.buckets[kept])
                labels.append(of_tokens[kept])
                weights.append(example.weight / np.where(is_part[kept], 1, FAR))
    table = np.vstack(tables)
    count, width = table.shape
    ones = np.ones(count * width, np.float32)
    edges = np.arange(0, count * width + 1, width)
    matrix = csr_matrix((ones, table.astype(np.int32).ravel(), edges), shape=(count, BUCKETS))
    model = LogisticRegression(C=PENALTY, max_iter=STEPS, tol=1e-3)
    model.fit(matrix, np.concatenate(labels), sample_weight=np.concatenate(weights))
    return PersonalModel(
        np.ascontiguousarray(model.coef_.T, np.float32), model.intercept_.astype(np.float32)
    )


def packed(model: PersonalModel) -> bytes:
    """Write the weights as bytes, with a scale for each label."""
    scales = np.abs(model.weights).max(axis=0) / 127
    return save(
        {
            "weights": np.round(model.weights / scales).astype(np.int8),
            "scales": scales.astype(np.float32),
            "constant": model.constant,
        }
    )


def measure(model: PersonalModel, examples: Sequence[Example]) -> tuple[float, float, str]:
    """Return the share found, the share of wrong characters, and what is found by label."""
    there: Counter[str] = Counter()
    found: Counter[str] = Counter()
    masked = wrong = 0
    for example in examples:
        text = example.made.text
        mask, known = np.zeros(len(text), bool), np.zeros(len(text), bool)
        for span in model.find(Bytes(text)):
            mask[span.start : span.end] = True
        for start, end, label in example.made.parts:
            known[start:end] = True
            there[label] += 1
            found[label] += bool(mask[start:end].mean() >= _COVERED)
        masked += int(mask.sum())
        wrong += int((mask & ~known).sum())
    by_label = ", ".join(f"{label} {found[label]} of {there[label]}" for label in sorted(there))
    return found.total() / max(there.total(), 1), wrong / max(masked, 1), by_label


def main(arguments: Sequence[str]) -> None:
    """Train on FILE and made texts, write the weights, and print the cross-validation."""
    parser = argparse.ArgumentParser(prog="python -m quartermaster.training.personal")
    parser.add_argument("file", type=Path, help="results with marked personal data (JSON Lines)")
    parser.add_argument("--output", type=Path, required=True, help="file for the weights")
    parser.add_argument("--made", type=int, default=MADE, help="number of made texts")
    parser.add_argument("--folds", type=int, default=FOLDS, help="0 leaves out the validation")
    given = parser.parse_args(arguments)
    lines = given.file.read_text(encoding="utf-8").splitlines()
    real = [read_example(made, GIVEN) for made in given_texts([json.loads(n) for n in lines])]
    made = [read_example(made, 1.0) for made in made_texts(given.made)]
    given.output.write_bytes(packed(fit([*real, *made])))
    for fold in range(given.folds):
        held = real[fold :: given.folds]
        rest = [example for n, example in enumerate(real) if n % given.folds != fold]
        found, wrong, by_label = measure(fit([*rest, *made]), held)
        sys.stdout.write(f"fold {fold}: found {found:.3f}, wrong {wrong:.3f}; {by_label}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
