"""Plots precision against recall for lookup table answers, with the chosen thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from quartermaster.core.errors import QmError
from quartermaster.eval.metrics import CORE, PRECISION, RankedAnswer, curve, cut_at
from quartermaster_lookup.eval.hard_answers import HardAnswer

_THRESHOLD: Final = 0.6
_MIN_ANSWERS: Final = 20


def draw_confidence(gold: Sequence[HardAnswer], hard: Sequence[HardAnswer], path: Path) -> None:
    """Plots two curves for gold pairs and for hard strings: reliability, and risk against coverage.

    Reliability shows how often answers with a given score are right. Risk against coverage shows
    how many of the accepted answers are wrong if all answers above a score are accepted.

    Args:
        gold: answers to gold pairs.
        hard: answers to hard strings.
        path: path of the PNG file for precision and recall. The plot is written to another file in
            the same folder, whose name ends in `_confidence`.

    Raises:
        QmError: QM501 not_available if matplotlib is missing.
    """
    pyplot = _pyplot()
    figure, (reliable, risky) = pyplot.subplots(1, 2, figsize=(11, 4.5))
    reliable.plot([0, 1], [0, 1], color="lightgray")
    for name, answers in {"gold pairs": gold, "hard strings": hard}.items():
        found = sorted((one for one in answers if one.first), key=lambda one: -one.score)
        scores = np.array([one.score for one in found])
        right = np.array([one.first in one.task.accepted for one in found])
        bins = np.minimum((scores * 10).astype(int), 9)
        full = [number for number in range(10) if (bins == number).sum() >= _MIN_ANSWERS]
        reliable.plot(
            [scores[bins == number].mean() for number in full],
            [right[bins == number].mean() for number in full],
            marker="o",
            label=name,
        )
        count = np.arange(1, len(found) + 1)
        risky.plot(count / len(answers), 1 - np.cumsum(right) / count, label=name)
    reliable.set_xlabel("score of the first answer")
    reliable.set_ylabel("share of first answers that are right")
    risky.set_xlabel("share of strings whose first answer is accepted")
    risky.set_ylabel("share of accepted answers that are wrong")
    risky.set_ylim(0, 0.6)
    reliable.legend()
    risky.legend()
    _save(figure, path.with_stem(f"{path.stem}_confidence"))
    pyplot.close(figure)


def draw(answers: Sequence[RankedAnswer], path: Path) -> None:
    """Plots precision against recall for core and unanswerable queries. Marks the default threshold
    and the threshold for 98 % precision.

    Args:
        answers: answers in an evaluation.
        path: path of the PNG file.

    Raises:
        QmError: QM501 not_available if matplotlib is missing.
    """
    pyplot = _pyplot()
    judged = [answer for answer in answers if answer.task.tier in (*CORE, "nil")]
    total = sum(answer.task.tier in CORE for answer in answers)
    scores, right = curve(judged)
    precision = right / np.arange(1, len(right) + 1)
    recall = right / total
    figure, plot = pyplot.subplots(figsize=(8, 5))
    plot.plot(recall, precision, color="tab:gray")
    default = int(np.searchsorted(-scores, -_THRESHOLD, "right")) - 1
    cuts = {"default": (default, -18), "98 % right": (cut_at(scores, right, PRECISION), 6)}
    for name, (cut, offset) in cuts.items():
        if cut is not None and cut >= 0:
            label = f"{name}: {scores[cut]:.2f}"
            plot.scatter(recall[cut], precision[cut], color="tab:red", zorder=3)
            at = (recall[cut], precision[cut])
            plot.annotate(label, at, xytext=(-8, offset), textcoords="offset points", ha="right")
    plot.set_ylim(0.9, 1.005)
    plot.set_xlabel("share of answerable queries whose right answer is above the threshold")
    plot.set_ylabel("share of answers above the threshold that are right")
    plot.set_title("Lookup tables: precision against recall, core and unanswerable queries")
    _save(figure, path)
    pyplot.close(figure)


def _save(figure: Any, path: Path) -> None:
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def _pyplot() -> Any:
    try:
        import matplotlib as mpl
    except ImportError as error:
        raise QmError(
            501,
            "not_available",
            "matplotlib is not installed",
            "Install it with: pip install matplotlib",
        ) from error
    mpl.use("Agg")
    # matplotlib has no complete type annotations.
    from matplotlib import pyplot

    return pyplot
