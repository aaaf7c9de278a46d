"""Tables of evaluations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from quartermaster.cli.output import Columns, counted, note, print_table, say
from quartermaster.core.errors import QmError

if TYPE_CHECKING:
    from quartermaster.eval.arena import Evaluation
    from quartermaster.eval.running import Outcome

_SHOWN: Final = ("Recall@1", "Recall@5", "Recall@10", "nDCG@10", "MRR", "pool_recall@100")
_SHORT: Final = ("R@1", "R@5", "R@10", "nDCG@10", "MRR", "pool@100")
_MOST_PROBLEMS: Final = 5


def print_rejected(problems: Sequence[str]) -> None:
    """Tools that could not be loaded, on stderr."""
    for problem in problems[:_MOST_PROBLEMS]:
        note(f"left out: {problem}")
    if len(problems) > _MOST_PROBLEMS:
        note(f"and {len(problems) - _MOST_PROBLEMS:,} more tools left out")


def print_outcome(outcome: Outcome) -> None:
    """The figures of a run."""
    evaluation, plan = outcome.evaluation, outcome.plan
    say(
        f"{counted(len(evaluation.goals), 'goal', 'goals')},"
        f" {counted(outcome.items, 'tool')}, mode {plan.mode}, {outcome.model},"
        f" {outcome.reranker or 'no reranker'}"
    )
    metrics = evaluation.metrics.items()
    print_table(("metric", "value"), [(name, _shown(name, value)) for name, value in metrics])
    stages = {"all": evaluation.latency_ms, **evaluation.stages}
    print_table(
        ("step", "p50 ms", "p95 ms"),
        [(name, f"{ms['p50']:.1f}", f"{ms['p95']:.1f}") for name, ms in stages.items()],
    )
    if plan.ablate:
        print_ablation(evaluation, outcome.ablation, outcome.left_out)


def print_ablation(
    whole: Evaluation, arms: Mapping[str, Evaluation], left_out: Mapping[str, str]
) -> None:
    """A row for each arm with its difference to the whole; then the arms that were skipped."""
    rows = [_arm("all parts", whole, whole)]
    rows += [_arm(name, arm, whole) for name, arm in arms.items()]
    print_table(("name", *_SHORT, "change", "p50 ms", "p95 ms"), rows)
    if left_out:
        reasons = "; ".join(f"{name} ({why})" for name, why in left_out.items())
        say(f"Skipped, since they cannot change the result: {reasons}.")


def print_kept(kept: int | None, reason: QmError | None, *, is_lost: bool) -> None:
    """Where the result is kept, or why it is not; on stderr."""
    if kept is not None:
        note(f"Kept as evaluation {kept}. See: qm eval list, qm eval compare.")
    elif reason is not None:
        note(f"Not kept: {reason.message}")
        note("If the database has another release, update it with: qm install --dsn DSN.")
    elif is_lost:
        note(
            "Not kept, since this run used a temporary database. To keep results, start qm up"
            " first, or name a database with --save-to."
        )


def compared(first: int, second: int) -> Columns:
    """Columns of two evaluations side by side; a star where the interval excludes 0."""
    return (
        "metric",
        "queries",
        (f"of {first}", lambda row: _shown(row["metric"], row["value_a"])),
        (f"of {second}", lambda row: _shown(row["metric"], row["value_b"])),
        ("difference", "{difference:+.4f}"),
        ("95% interval", "{low:+.4f} to {high:+.4f}"),
        ("", lambda row: "*" if row["low"] > 0 or row["high"] < 0 else ""),
    )


def _arm(name: str, arm: Evaluation, whole: Evaluation) -> tuple[Any, ...]:
    metrics, latency = arm.metrics, arm.latency_ms
    change = metrics["nDCG@10"] - whole.metrics["nDCG@10"]
    return (
        name,
        *(_figure(metrics[shown]) for shown in _SHOWN),
        f"{change:+.4f}",
        f"{latency['p50']:.1f}",
        f"{latency['p95']:.1f}",
    )


def _shown(name: str, value: float) -> str:
    return f"{value:,.0f}" if name == "tokens_exposed" else _figure(value)


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


LISTED: Final[Columns] = (
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
"""Columns of kept evaluations."""
