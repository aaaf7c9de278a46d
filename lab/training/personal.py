"""``python -m lab.training.personal FILE``: trains what finds personal data.

The same file and the same number of made texts give the same weights.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from lab.training.corpus import read_lines
from lab.training.personal_texts import Made, made_texts, written_results
from lab.training.regression import Regression
from quartermaster.guardrails import health_clauses
from quartermaster.guardrails.linear_patterns import compiled
from quartermaster.guardrails.measuring import measure, places_of
from quartermaster.guardrails.personal_features import (
    BUCKETS,
    TRIGGER,
    Tokens,
    Windows,
    has_trigger,
    read_tokens,
)
from quartermaster.guardrails.personal_model import LABELS, PersonalModel, clauses_in, unpacked
from quartermaster.guardrails.scan import find_spans
from quartermaster.guardrails.spans import Bytes

FOLDS: Final = 3
MADE_TEXTS: Final = 3000
# A given result counts as much as so many made texts.
GIVEN_WEIGHT: Final = 3.0
PENALTY: Final = 10.0
STEPS: Final = 50
# Learned from are wider parts of a text than those searched: most of what is about nobody lies
# further away from an e-mail address, a date or a long number.
LEARNED_WINDOWS: Final = Windows(compiled(r"\d{4}|" + TRIGGER), before=160, behind=120)
# How much high weights cost in the judgement of clauses, and its steps.
JUDGE_PENALTY, JUDGE_STEPS = 8.0, 12
# A clause is right if so much of it is about health, and it is so much of a datum.
RIGHT, MOST = 0.6, 0.5
# Of the tokens far away from personal data, this share is used.
FAR, NEAR_REACH = 0.35, 6
# What the labels of the data are called here; a name alone is not looked for.
_TYPES: Final = {"name_with_address": "address", **{label: label for label in LABELS[1:]}}
_NO_TYPE: Final = "name"
# The score of each type is lowered by so much: with it, a cross-validation masked less than .05 of
# the characters wrongly before clauses about health were judged.
CAUTION: Final = 1.0
# The score of a clause about health is lowered until the cross-validation masks no more characters
# wrongly than this. The aim is .05; results over other subjects come out about a tenth higher.
MASKED_WRONG: Final = 0.047
CAUTIONS: Final = tuple(step / 20 for step in range(-24, 25))


@dataclass(frozen=True, slots=True)
class TrainingExample:
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


def read_example(made: Made, weight: float) -> TrainingExample:
    """Labels the tokens of a text."""
    pieces = list(read_tokens(Bytes(made.text), LEARNED_WINDOWS))
    labels: list[NDArray[np.int64]] = []
    for tokens in pieces:
        of_tokens = np.zeros(len(tokens.parts), np.int64)
        for start, end, label in made.parts:
            of_tokens[(tokens.starts >= start) & (tokens.starts < end)] = LABELS.index(label)
        labels.append(of_tokens)
    return TrainingExample(made, pieces, labels, weight)


def given_texts(rows: Sequence[dict[str, Any]]) -> list[Made]:
    """Reads results with marked personal data."""
    found: list[Made] = []
    for row in rows:
        text: str = row["result"]
        parts: list[tuple[int, int, str]] = []
        for part in row["personal"]:
            if part["type"] != _NO_TYPE:
                label = _TYPES.get(part["type"], "number")
                parts += [(*place, label) for place in places_of(text, part["text"])]
        found.append(Made(text, parts))
    return found


def with_places(row: dict[str, Any]) -> dict[str, Any]:
    """Replaces the spans of a result by their places; instructions are not looked for."""
    text: str = row["result"]
    places = {
        kind: [places_of(text, part["text"]) for part in row[kind]]
        for kind in ("personal", "secrets")
    }
    return {"result": text, "instructions": [], **places}


def fit(examples: Sequence[TrainingExample]) -> PersonalModel:
    """Fits the weights: logistic regression over the features of each token."""
    rng = np.random.default_rng(19)
    tables: list[NDArray[np.uint32]] = []
    labels: list[NDArray[np.int64]] = []
    weights: list[NDArray[np.float64]] = []
    for example in examples:
        for tokens, of_tokens in zip(example.pieces, example.labels, strict=True):
            if len(of_tokens):
                reach = np.ones(2 * NEAR_REACH + 1)
                is_part = np.convolve(of_tokens > 0, reach, "full")[NEAR_REACH:-NEAR_REACH] > 0
                retained = is_part | (rng.random(len(is_part)) < FAR)
                tables.append(tokens.buckets[retained])
                labels.append(of_tokens[retained])
                weights.append(example.weight / np.where(is_part[retained], 1, FAR))
    regression = Regression(
        np.vstack(tables),
        np.concatenate(labels),
        np.concatenate(weights),
        (BUCKETS, len(LABELS)),
        PENALTY,
    )
    found, constant = regression.fit(STEPS)
    no_judgement = np.zeros(health_clauses.WIDTH, np.float32)
    return PersonalModel(found.astype(np.float32), constant.astype(np.float32), no_judgement)


@dataclass(frozen=True, slots=True)
class JudgedClauses:
    """The clauses of a text that may be about somebody's health.

    Attributes:
        rows: the features of each.
        is_right: whether each is.
    """

    rows: NDArray[np.float32]
    is_right: NDArray[np.bool_]


def judge(model: PersonalModel, made: Made) -> JudgedClauses:
    """Lists the clauses of a text that may be about somebody's health, and which are."""
    clauses: list[health_clauses.Clause] = []
    data = Bytes(made.text)
    if has_trigger(data.data):
        for tokens in read_tokens(data):
            clauses += clauses_in(made.text, tokens, model.scores(tokens))
    rows = health_clauses.describe(made.text, clauses)
    return JudgedClauses(rows, np.array([_is_right(one, made) for one in clauses], np.bool_))


def _is_right(clause: health_clauses.Clause, made: Made) -> bool:
    """Tells whether most of a clause is about health, and it is most of one datum."""
    common = [
        (max(0, min(clause.end, end) - max(clause.start, start)), end - start)
        for start, end, label in made.parts
        if label == "health"
    ]
    within = sum(part for part, _ in common) / (clause.end - clause.start)
    return within >= RIGHT and any(part >= MOST * whole for part, whole in common)


def fit_judgement(judged: Sequence[JudgedClauses]) -> NDArray[np.float32]:
    """Fits the judgement: logistic regression over the features of clauses."""
    rows = np.concatenate([one.rows for one in judged]).astype(np.float64)
    right = np.concatenate([one.is_right for one in judged]).astype(np.float64)
    found = np.zeros(health_clauses.WIDTH)
    # The first feature is the constant.
    penalties = np.where(np.arange(len(found)) > 0, JUDGE_PENALTY, 0.001)
    for _ in range(JUDGE_STEPS):
        chances = 1 / (1 + np.exp(-np.clip(rows @ found, -30, 30)))
        slope = rows.T @ (right - chances) - penalties * found
        bent = (rows * (chances * (1 - chances))[:, None]).T @ rows + np.diag(penalties)
        found += np.linalg.solve(bent, slope)
    return found.astype(np.float32)


def packed(model: PersonalModel) -> bytes:
    """Writes the weights as bytes, with a scale for each label."""
    scales = np.abs(model.weights).max(axis=0) / 127
    return save(
        {
            "weights": np.round(model.weights / scales).astype(np.int8),
            "scales": scales.astype(np.float32),
            "constant": model.constant,
            "judgement": model.judgement,
        }
    )


def cautious(model: PersonalModel) -> PersonalModel:
    """Lowers the score of each type of personal data."""
    lower = np.where(np.arange(len(LABELS)) > 0, CAUTION, 0).astype(np.float32)
    return replace(model, constant=model.constant - lower)


def lowered(model: PersonalModel, caution: float) -> PersonalModel:
    """Lowers the score of each clause about health."""
    judgement = model.judgement.copy()
    judgement[0] -= caution
    return replace(model, judgement=judgement)


def validate(
    models: Sequence[PersonalModel], results: Sequence[dict[str, Any]]
) -> tuple[float, float]:
    """Measures the whole search, each result with the model that did not learn from it.

    Args:
        models: one for each fold.
        results: with the places of their personal data and secrets.

    Returns:
        personal_found and masked_wrong, as `qm eval guardrails` counts them.
    """
    model_of = {row["result"]: models[n % len(models)] for n, row in enumerate(results)}
    measured = measure(
        results,
        lambda text: find_spans(text, ("personal", "secrets"), personal=model_of[text]),
    )
    return measured["personal_found"], measured["masked_wrong"]


def least_caution(models: Sequence[PersonalModel], results: Sequence[dict[str, Any]]) -> float:
    """Chooses the least caution with clauses with which few enough characters are masked
    wrongly.
    """
    for caution in CAUTIONS:
        found, wrong = validate([lowered(model, caution) for model in models], results)
        sys.stdout.write(f"caution {caution}: found {found:.3f}, masked wrongly {wrong:.3f}\n")
        if wrong <= MASKED_WRONG:
            return caution
    raise ValueError(f"More than {MASKED_WRONG} is masked wrongly with each caution.")


def judged_in_folds(
    models: Sequence[PersonalModel], given: Sequence[Made]
) -> list[list[JudgedClauses]]:
    """Lists clauses of given and written results, each with the model that did not learn from
    it.
    """
    judged: list[list[JudgedClauses]] = [[] for _ in models]
    for texts in (given, written_results()):
        for n, text in enumerate(texts):
            judged[n % len(models)].append(judge(models[n % len(models)], text))
    return judged


def main(arguments: Sequence[str]) -> None:
    """Trains on FILE, written results and made texts, chooses the caution, and writes the
    weights.
    """
    parser = argparse.ArgumentParser(prog="python -m lab.training.personal")
    parser.add_argument(
        "file", type=Path, help="tool results in which personal data is marked (JSON Lines)"
    )
    parser.add_argument("--output", type=Path, required=True, help="file for the weights")
    parser.add_argument("--made", type=int, default=MADE_TEXTS, help="number of texts to generate")
    given = parser.parse_args(arguments)
    rows = read_lines(given.file)
    real = [read_example(made, GIVEN_WEIGHT) for made in given_texts(rows)]
    made = [read_example(made, 1.0) for made in made_texts(given.made)]
    models: list[PersonalModel] = []
    for fold in range(FOLDS):
        others = [one for n, one in enumerate(real) if n % FOLDS != fold]
        models.append(cautious(unpacked(packed(fit([*others, *made])))))
    judged = judged_in_folds(models, [one.made for one in real])
    for fold, model in enumerate(models):
        judged_others = [one for n, part in enumerate(judged) if n != fold for one in part]
        models[fold] = replace(model, judgement=fit_judgement(judged_others))
    caution = least_caution(models, [with_places(row) for row in rows])
    judgement = fit_judgement([one for part in judged for one in part])
    whole = replace(cautious(fit([*real, *made])), judgement=judgement)
    given.output.write_bytes(packed(lowered(whole, caution)))


if __name__ == "__main__":
    main(sys.argv[1:])
