"""``python -m quartermaster.training.personal FILE``: trains what finds personal data.

The same file and the same number of made texts give the same weights.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from quartermaster.guardrails.linear_patterns import compiled
from quartermaster.guardrails.measuring import measure, places_of
from quartermaster.guardrails.personal_features import (
    BUCKETS,
    TRIGGER,
    Tokens,
    Windows,
    read_tokens,
)
from quartermaster.guardrails.personal_model import LABELS, PersonalModel, unpacked
from quartermaster.guardrails.scan import find_spans
from quartermaster.guardrails.spans import Bytes
from quartermaster.training.personal_texts import Made, made_texts
from quartermaster.training.regression import Regression

FOLDS: Final = 3
MADE: Final = 3000
# A given result counts as much as so many made texts.
GIVEN: Final = 3.0
PENALTY: Final = 10.0
STEPS: Final = 50
# Learned from are wider parts of a text than those searched: most of what is about nobody lies
# further away from an e-mail address, a date or a long number.
LEARNED: Final = Windows(compiled(r"\d{4}|" + TRIGGER), before=160, behind=120)
# Of the tokens far away from personal data, this share is used.
FAR, NEAR_REACH = 0.35, 6
# What the labels of the data are called here; a name alone is not looked for.
_TYPES: Final = {"name_with_address": "address", **{label: label for label in LABELS[1:]}}
_NO_TYPE: Final = "name"
# The score of each type is lowered until the cross-validation masks no more characters wrongly
# than this.
MASKED_WRONG: Final = 0.05
CAUTIONS: Final = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)


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
    pieces = list(read_tokens(Bytes(made.text), LEARNED))
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


def with_places(row: dict[str, Any]) -> dict[str, Any]:
    """Replace the spans of a result by their places; instructions are not looked for."""
    text: str = row["result"]
    places = {
        kind: [places_of(text, part["text"]) for part in row[kind]]
        for kind in ("personal", "secrets")
    }
    return {"result": text, "instructions": [], **places}


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
    regression = Regression(
        np.vstack(tables),
        np.concatenate(labels),
        np.concatenate(weights),
        (BUCKETS, len(LABELS)),
        PENALTY,
    )
    found, constant = regression.fit(STEPS)
    return PersonalModel(found.astype(np.float32), constant.astype(np.float32))


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


def cautious(model: PersonalModel, caution: float) -> PersonalModel:
    """Lower the score of each type of personal data."""
    lower = np.where(np.arange(len(LABELS)) > 0, caution, 0).astype(np.float32)
    return PersonalModel(model.weights, model.constant - lower)


def validate(
    models: Sequence[PersonalModel], results: Sequence[dict[str, Any]], caution: float
) -> tuple[float, float]:
    """Measure the whole search, each result with the model that did not learn from it.

    Args:
        models: one for each fold.
        results: with the places of their personal data and secrets.
        caution: by how much the score of each type is lowered.

    Returns:
        personal_found and masked_wrong, as `qm eval guardrails` counts them.
    """
    lowered = [cautious(model, caution) for model in models]
    model_of = {row["result"]: lowered[n % len(models)] for n, row in enumerate(results)}
    measured = measure(
        results,
        lambda text: find_spans(text, ("personal", "secrets"), personal=model_of[text]),
    )
    return measured["personal_found"], measured["masked_wrong"]


def least_caution(models: Sequence[PersonalModel], results: Sequence[dict[str, Any]]) -> float:
    """Choose the least caution with which few enough characters are masked wrongly."""
    for caution in CAUTIONS:
        found, wrong = validate(models, results, caution)
        sys.stdout.write(f"caution {caution}: found {found:.3f}, masked wrongly {wrong:.3f}\n")
        if wrong <= MASKED_WRONG:
            return caution
    raise ValueError(f"More than {MASKED_WRONG} is masked wrongly with each caution.")


def main(arguments: Sequence[str]) -> None:
    """Train on FILE and made texts, choose the caution by cross-validation, write the weights."""
    parser = argparse.ArgumentParser(prog="python -m quartermaster.training.personal")
    parser.add_argument("file", type=Path, help="results with marked personal data (JSON Lines)")
    parser.add_argument("--output", type=Path, required=True, help="file for the weights")
    parser.add_argument("--made", type=int, default=MADE, help="number of made texts")
    given = parser.parse_args(arguments)
    lines = given.file.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    real = [read_example(made, GIVEN) for made in given_texts(rows)]
    made = [read_example(made, 1.0) for made in made_texts(given.made)]
    models = [
        unpacked(packed(fit([*(part for n, part in enumerate(real) if n % FOLDS != fold), *made])))
        for fold in range(FOLDS)
    ]
    caution = least_caution(models, [with_places(row) for row in rows])
    given.output.write_bytes(packed(cautious(fit([*real, *made]), caution)))


if __name__ == "__main__":
    main(sys.argv[1:])
