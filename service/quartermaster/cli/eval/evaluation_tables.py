"""Prints evaluations as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from quartermaster.cli.output import Columns, counted, note, print_table, say
from quartermaster.core.errors import QmError

if TYPE_CHECKING:
    from quartermaster.eval.evaluation import Evaluation
    from quartermaster.eval.running import EvaluationResult

_METRICS: Final = ("Recall@1", "Recall@5", "Recall@10", "nDCG@10", "MRR", "pool_recall@100")
_METRIC_HEADINGS: Final = ("R@1", "R@5", "R@10", "nDCG@10", "MRR", "pool@100")
_OF_SETS: Final = {
    "Recall@1": "R@1",
    "Recall@5": "R@5",
    "nDCG@10": "nDCG@10",
    "pool_recall@100": "pool@100",
    "no_fit_said": "nothing fits",
    "no_fit_wrong": "wrong",
    "shown": "shown",
    "exposure_waste": "waste",
    "shown_recall": "recall",
    "ece": "ECE",
    "brier_skill": "Brier skill",
    "confident": "confident",
    "confident_right": "right",
}
_MOST_PROBLEMS: Final = 5


def print_rejected(problems: Sequence[str]) -> None:
    """Prints to stderr which tools could not be loaded."""
    for problem in problems[:_MOST_PROBLEMS]:
        note(f"left out: {problem}")
    if len(problems) > _MOST_PROBLEMS:
        note(f"and {len(problems) - _MOST_PROBLEMS:,} more tools left out")


def print_outcome(outcome: EvaluationResult) -> None:
    """Prints the figures of a run."""
    evaluation, plan = outcome.evaluation, outcome.plan
    say(
        f"{counted(len(evaluation.goals), 'goal', 'goals')},"
        f" {counted(outcome.items, 'tool')}, mode {plan.mode}, {outcome.first.model},"
        f" {outcome.first.reranker or 'no reranker'}"
    )
    if len(outcome.parts) > 1:
        print_sets(outcome)
    metrics = evaluation.metrics.items()
    print_table(("metric", "value"), [(name, _shown(name, value)) for name, value in metrics])
    stages = {"all": evaluation.latency_ms, **evaluation.stages}
    print_table(
        ("step", "p50 ms", "p95 ms"),
        [(name, f"{ms['p50']:.1f}", f"{ms['p95']:.1f}") for name, ms in stages.items()],
    )
    if plan.ablate:
        print_ablation(evaluation, outcome.ablation, outcome.first.left_out)


def print_sets(outcome: EvaluationResult) -> None:
    """Prints a row for each set, then a row for all goals together."""
    rows = [(part.gold.name, part.items, part.evaluation) for part in outcome.parts]
    rows.append(("all", outcome.items, outcome.evaluation))
    print_table(
        ("set", "goals", "tools", *_OF_SETS.values()),
        [
            (
                name,
                f"{len(evaluation.goals):,}",
                f"{tools:,}",
                *(_figure(evaluation.metrics.get(shown), 3) for shown in _OF_SETS),
            )
            for name, tools, evaluation in rows
        ],
    )


def print_ablation(
    whole: Evaluation, arms: Mapping[str, Evaluation], left_out: Mapping[str, str]
) -> None:
    """Prints a row for each arm (a search without one part), with its difference from the complete
    search. Then prints the arms that were skipped.
    """
    rows = [_arm("all parts", whole, whole)]
    rows += [_arm(name, arm, whole) for name, arm in arms.items()]
    print_table(("name", *_METRIC_HEADINGS, "change", "p50 ms", "p95 ms"), rows)
    if left_out:
        reasons = "; ".join(f"{name} ({why})" for name, why in left_out.items())
        say(f"These parts were not switched off, because the result would be the same: {reasons}.")


def print_stored(retained: int | None, reason: QmError | None, *, is_lost: bool) -> None:
    """Prints to stderr where the result is stored, or why it is not."""
    if retained is not None:
        note(f"Stored as evaluation {retained}. See: qm eval list, qm eval compare.")
    elif reason is not None:
        note(f"The results were not stored: {reason.message}")
        note(
            "If another release installed the database, update the database with: qm install --dsn"
            " DSN."
        )
    elif is_lost:
        note(
            "The results were not stored, because this run used a temporary database. To store"
            " results, run qm up first, or choose a database with --save-to."
        )


def compared(first: int, second: int) -> Columns:
    """Returns columns that compare two evaluations; a star marks a confidence interval that
    excludes 0.
    """
    return (
        "metric",
        "queries",
        (f"evaluation {first}", lambda row: _shown(row["metric"], row["value_a"])),
        (f"evaluation {second}", lambda row: _shown(row["metric"], row["value_b"])),
        ("difference", "{difference:+.4f}"),
        ("95% interval", "{low:+.4f} to {high:+.4f}"),
        ("", lambda row: "*" if row["low"] > 0 or row["high"] < 0 else ""),
    )


def _arm(name: str, arm: Evaluation, whole: Evaluation) -> tuple[Any, ...]:
    metrics, before, latency = arm.metrics, whole.metrics, arm.latency_ms
    # If no card serves any goal of a set, the set has no ranking to measure.
    is_ranked = "nDCG@10" in metrics
    return (
        name,
        *(_figure(metrics.get(shown)) for shown in _METRICS),
        f"{metrics['nDCG@10'] - before['nDCG@10']:+.4f}" if is_ranked else "",
        f"{latency['p50']:.1f}",
        f"{latency['p95']:.1f}",
    )


def _shown(name: str, value: float) -> str:
    return f"{value:,.0f}" if name == "tokens_exposed" else _figure(value)


def _figure(value: float | None, digits: int = 4) -> str:
    return "" if value is None else f"{value:.{digits}f}"


LISTED_COLUMNS: Final[Columns] = (
    "id",
    ("created", "created_at"),
    ("by", "principal"),
    "label",
    "mode",
    "split",
    ("queries", "{queries:,}"),
    ("tools", "{tools:,}"),
    "model",
    ("Recall@10", lambda row: _figure(row["metrics"].get("Recall@10"))),
    ("nDCG@10", lambda row: _figure(row["metrics"].get("nDCG@10"))),
)
"""Columns of stored evaluations."""
