"""``python -m lab.training.guardrails FILE``: trains what finds hidden instructions.

Needs scikit-learn and scipy (requirements/train.txt) and the converted embedding model.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save
from scipy.sparse import csr_matrix, hstack, vstack
from sklearn.linear_model import LogisticRegression

from lab.training.corpus import read_lines
from quartermaster.guardrails.hidden_text import decoded, revealed
from quartermaster.guardrails.instruction_features import BUCKETS, FAMILIES, read_sentences
from quartermaster_db.embedding import SentenceEncoder

FOLDS: Final = 5
# The thresholds are chosen by cross-validation: far below the .03 that is allowed, because results
# over other subjects were marked 4.5 times as often as the folds say.
FALSE: Final = 0.006
# The middle of the scores at which the first part is in doubt.
FALSE_IN_DOUBT: Final = 0.01
# Sentences that steer are few; those of guardrail_sentences.txt count a little less.
STEERING, OTHER, OWN = 8.0, 1.0, 0.7
OWN_OTHER: Final = 4.0
GRAMS: Final = 2.0
PENALTY: Final = 0.3
# The second part: the strength of its vector, its penalty, and the sentences a text that it reads.
SECOND, SECOND_PENALTY = 0.5, 10.0
READ_SENTENCES: Final = 6
# The first part is in doubt within this distance of that middle.
DOUBT: Final = 4.0
_OWN_FILE: Final = Path(__file__).with_name("guardrail_sentences.txt")


@dataclass
class SentenceFeatures:
    """Sentences with their features.

    Attributes:
        texts: what each says.
        grams: the n-grams of each, divided by the root of their number.
        signs: the other features of each.
        steers: whether each steers the assistant.
        result: the number of the result in which each stands.
        has: for each result, whether it has instructions.
    """

    texts: list[str]
    grams: Any
    signs: NDArray[np.float32]
    steers: NDArray[np.bool_]
    result: NDArray[np.int64]
    has: NDArray[np.bool_]

    def matrix(self) -> Any:
        """Returns all features."""
        return hstack([self.grams * GRAMS, csr_matrix(self.signs)]).tocsr()


def read_examples(rows: Sequence[dict[str, Any]]) -> SentenceFeatures:
    """Cuts results into sentences."""
    texts: list[str] = []
    grams: list[Any] = []
    signs: list[NDArray[np.float32]] = []
    steers: list[bool] = []
    result: list[int] = []
    for number, row in enumerate(rows):
        places = [place for part in row["instructions"] for place in _places(row["result"], part)]
        plain = revealed(row["result"])
        views = [(plain.text, None, plain.is_hidden)]
        views += [(said, (start, end), True) for start, end, said in decoded(plain.text)]
        for view, place, is_hidden in views:
            found = read_sentences(view, is_hidden=is_hidden)
            if not len(found.starts):
                continue
            grams.append(_sparse(found))
            signs.append(found.signs)
            for start, end in zip(found.starts, found.ends, strict=True):
                texts.append(view[start:end])
                low, high = plain.original(*(place or (int(start), int(end))))
                steers.append(any(low < b and a < high for a, b in places))
                result.append(number)
    has = np.array([bool(row["instructions"]) for row in rows])
    return SentenceFeatures(
        texts, vstack(grams).tocsr(), np.vstack(signs), np.array(steers), np.array(result), has
    )


def own_sentences() -> list[dict[str, Any]]:
    """Reads the sentences that were written for this training."""
    lines = _OWN_FILE.read_text(encoding="utf-8").splitlines()
    return [
        {"result": line[2:], "instructions": [line[2:]] if line[0] == "+" else []}
        for line in lines
        if line[:2] in {"+ ", "- "}
    ]


def _places(text: str, part: str) -> list[tuple[int, int]]:
    start = text.find(part)
    return [(start, start + len(part))] if start >= 0 else []


def _sparse(found: Any) -> Any:
    rows: list[NDArray[np.int64]] = []
    columns: list[NDArray[np.int64]] = []
    values: list[NDArray[np.float64]] = []
    for family, (buckets, (first, after)) in enumerate(
        zip(found.buckets, found.edges, strict=True)
    ):
        counts = np.maximum(after - first, 0)
        of_sentences = [buckets[low:high] for low, high in zip(first, after, strict=True)]
        rows.append(np.repeat(np.arange(len(counts)), counts))
        columns.append(np.concatenate(of_sentences) + family * BUCKETS)
        values.append(np.repeat(1 / np.sqrt(np.maximum(counts, 1)), counts))
    where = (np.concatenate(rows), np.concatenate(columns))
    shape = (len(found.starts), BUCKETS * FAMILIES)
    return csr_matrix((np.concatenate(values).astype(np.float32), where), shape=shape)


def fit_first(examples: SentenceFeatures, own: SentenceFeatures, chosen: NDArray[np.bool_]) -> Any:
    """Fits the first part on the chosen sentences."""
    matrix = vstack([examples.matrix()[chosen], own.matrix()])
    steers = np.concatenate([examples.steers[chosen], own.steers])
    weights = np.concatenate(
        [
            np.where(examples.steers[chosen], STEERING, OTHER),
            np.where(own.steers, STEERING, OWN_OTHER) * OWN,
        ]
    )
    model = LogisticRegression(C=PENALTY, max_iter=300, solver="liblinear")
    return model.fit(matrix, steers, sample_weight=weights)


def fit_second(
    vectors: NDArray[np.float32],
    steers: NDArray[np.bool_],
    own_vectors: NDArray[np.float32],
    own: SentenceFeatures,
) -> Any:
    """Fits the second part on sentences that the first part scored highest."""
    model = LogisticRegression(C=SECOND_PENALTY, max_iter=500)
    weights = np.concatenate([np.where(steers, 4.0, 1.0), np.full(len(own.steers), 2.0)])
    return model.fit(
        np.vstack([vectors, own_vectors]),
        np.concatenate([steers, own.steers]),
        sample_weight=weights,
    )


def highest(scores: NDArray[np.float64], result: NDArray[np.int64]) -> NDArray[np.int64]:
    """Chooses the READ highest sentences of each result."""
    retained: list[int] = []
    for number in np.unique(result):
        rows = np.flatnonzero(result == number)
        retained += rows[np.argsort(-scores[rows])[:READ_SENTENCES]].tolist()
    return np.array(sorted(retained))


def curve(
    scores: NDArray[np.float64],
    result: NDArray[np.int64],
    steers: NDArray[np.bool_],
    has: NDArray[np.bool_],
) -> list[tuple[float, float, float]]:
    """Returns threshold, false marks and results found, for each number of false marks."""
    best = np.full(len(has), -np.inf)
    hit = np.full(len(has), -np.inf)
    np.maximum.at(best, result, scores)
    np.maximum.at(hit, result[steers], scores[steers])
    others = np.sort(best[~has])[::-1]
    count = len(others)
    return [
        (float(others[n]), n / count, float((hit[has] > others[n]).mean()))
        for n in range(int(count * 0.2))
    ]


def at(points: list[tuple[float, float, float]], false: float) -> tuple[float, float, float]:
    """Returns the last point of a curve with at most so many false marks."""
    return [point for point in points if point[1] <= false][-1]


def train(rows: Sequence[dict[str, Any]], model_dir: Path) -> tuple[bytes, dict[str, Any]]:
    """Trains both parts; returns the weights, and the figures of the cross-validation."""
    examples, own = read_examples(rows), read_examples(own_sentences())
    matrix = examples.matrix()
    fold = examples.result % FOLDS
    first = np.zeros(len(fold))
    for number in range(FOLDS):
        held = fold == number
        first[held] = fit_first(examples, own, ~held).decision_function(matrix[held])
    points = curve(first, examples.result, examples.steers, examples.has)
    encoder = SentenceEncoder(model_dir)
    retained = highest(first, examples.result)
    vectors = _embedded(encoder, [examples.texts[row] for row in retained])
    own_vectors = _embedded(encoder, own.texts)
    steers, held_out_fold = examples.steers[retained], fold[retained]
    second = np.zeros(len(retained))
    for number in range(FOLDS):
        held = held_out_fold == number
        model = fit_second(vectors[~held], steers[~held], own_vectors, own)
        second[held] = model.decision_function(vectors[held])
    middle = at(points, FALSE_IN_DOUBT)[0]
    doubt = (middle - DOUBT, middle + DOUBT)
    both = first.copy()
    both[retained] = np.where(first[retained] > doubt[1], np.inf, first[retained] + SECOND * second)
    both[first <= doubt[0]] = -np.inf
    both_points = curve(both, examples.result, examples.steers, examples.has)
    threshold, threshold_of_both = (round(at(line, FALSE)[0], 3) for line in (points, both_points))

    everything = np.ones(len(fold), dtype=bool)
    full = fit_first(examples, own, everything)
    last = fit_second(vectors, steers, own_vectors, own)
    grams = full.coef_[0][: BUCKETS * FAMILIES].reshape(FAMILIES, BUCKETS) * GRAMS
    scales = np.abs(grams).max(axis=1) / 127
    weights = save(
        {
            "grams": np.round(grams / scales[:, None]).astype(np.int8),
            "scales": scales.astype(np.float32),
            "signs": full.coef_[0][BUCKETS * FAMILIES :].astype(np.float32),
            "numbers": np.array([full.intercept_[0], threshold, *doubt], np.float32),
            "vector": np.array(
                [*(SECOND * last.coef_[0]), SECOND * last.intercept_[0], threshold_of_both],
                np.float32,
            ),
        }
    )
    return weights, {"first": points, "both": both_points}


def draw(points: dict[str, list[tuple[float, float, float]]], path: Path) -> None:
    """Draws the curves of the cross-validation as a PNG file."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4))
    for name, label in (("first", "first part alone"), ("both", "both parts")):
        axes.plot(
            [false for _, false, _ in points[name]],
            [found for *_, found in points[name]],
            label=label,
        )
    axes.set(xlabel="share of the other results that are marked", ylabel="share of results found")
    axes.set(xlim=(0, 0.2), ylim=(0, 1))
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=120, bbox_inches="tight")


def _embedded(encoder: SentenceEncoder, texts: Sequence[str]) -> NDArray[np.float32]:
    return np.vstack([encoder.embed(texts[n : n + 16]) for n in range(0, len(texts), 16)])


def main(arguments: Sequence[str]) -> None:
    """Trains on FILE, writes the weights, and prints the curve."""
    parser = argparse.ArgumentParser(prog="python -m lab.training.guardrails")
    parser.add_argument(
        "file", type=Path, help="tool results in which instructions are marked (JSON Lines)"
    )
    parser.add_argument("--model", type=Path, required=True, help="folder with the embedding model")
    parser.add_argument("--output", type=Path, required=True, help="file for the weights")
    parser.add_argument(
        "--plot",
        type=Path,
        help="PNG file for a plot: share of results found against share of results wrongly marked",
    )
    given = parser.parse_args(arguments)
    weights, points = train(read_lines(given.file), given.model)
    given.output.write_bytes(weights)
    if given.plot is not None:
        draw(points, given.plot)
    for name, line in points.items():
        for false in (0.01, 0.02, 0.03, 0.05, 0.1):
            threshold, share, found = at(line, false)
            sys.stdout.write(
                f"{name}: found {found:.3f} at {share:.3f} of the others (score {threshold:.2f})\n"
            )


if __name__ == "__main__":
    main(sys.argv[1:])
