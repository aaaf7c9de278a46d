"""Plots precision against recall for lookup table answers, with the chosen thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from quartermaster.core.errors import QmError
from quartermaster.eval.metrics import CORE, PRECISION, Answer, curve, cut_at

_THRESHOLD: Final = 0.6


def draw(answers: Sequence[Answer], path: Path) -> None:
    """Plot the curve for core and unanswerable queries, with the default and the 98 % threshold.

    Args:
        answers: answers in an evaluation.
        path: path of the PNG file.

    Raises:
        QmError: QM501 not_available if matplotlib is missing.
    """
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
    from matplotlib import pyplot

    judged = [answer for answer in answers if answer.task.tier in (*CORE, "nil")]
    total = sum(answer.task.tier in CORE for answer in answers)
    scores, right = curve(judged)
    precision = right / np.arange(1, len(right) + 1)
    recall = right / total
    # matplotlib has no complete type annotations.
    drawn: Any = pyplot.subplots(figsize=(8, 5))
    figure, plot = drawn
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
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
