"""How evaluations are shown: progress on stderr, tables on stdout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from rich.progress import MofNCompleteColumn, TaskID, TimeRemainingColumn

from quartermaster.cli.output import err, out, print_table
from quartermaster.cli.session import Row
from quartermaster.cli.waiting import progress_bar
from quartermaster.core.errors import QmError

if TYPE_CHECKING:
    from quartermaster.eval.measuring import Evaluation
    from quartermaster.eval.running import Outcome

_SHOWN: Final = ("Recall@1", "Recall@5", "Recall@10", "nDCG@10", "MRR", "pool_recall@100")
_SHORT: Final = ("R@1", "R@5", "R@10", "nDCG@10", "MRR", "pool@100")
_MOST_PROBLEMS: Final = 5


class Progress:
    """A bar for each thing that is done; one line each where stderr is no terminal.

    Args:
        title: printed before them.
    """

    def __init__(self, title: str = "") -> None:
        if title:
            err.print(title, markup=False, highlight=False)
        self._bars = progress_bar(MofNCompleteColumn(), TimeRemainingColumn())
        self._tasks: dict[str, TaskID] = {}

    def update(self, what: str, done: int, total: int) -> None:
        """Shows how far something is."""
        if what not in self._tasks:
            self._tasks[what] = self._bars.add_task(what, total=total)
            if not err.is_terminal:
                err.print(f"{what}: {total:,}", markup=False, highlight=False)
        self._bars.update(self._tasks[what], completed=done, total=total)

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bars.stop()


def print_rejected(problems: Sequence[str]) -> None:
    """Tools that nobody can find, on stderr."""
    for problem in problems[:_MOST_PROBLEMS]:
        err.print(f"left out: {problem}", markup=False, highlight=False)
    if len(problems) > _MOST_PROBLEMS:
        err.print(f"and {len(problems) - _MOST_PROBLEMS:,} more tools left out")


def print_outcome(outcome: Outcome) -> None:
    """The figures of a run."""
    evaluation, plan = outcome.evaluation, outcome.plan
    out.print(
        f"{len(evaluation.queries):,} queries, {outcome.catalog.tools:,} tools, mode {plan.mode},"
        f" {outcome.model}, {outcome.reranker or 'no reranker'}",
        highlight=False,
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
    """A row for each arm with what it gains or loses against the whole; last what was left out."""
    rows = [_arm("everything", whole, whole)]
    rows += [_arm(name, arm, whole) for name, arm in arms.items()]
    print_table(("name", *_SHORT, "change", "p50 ms", "p95 ms"), rows)
    if left_out:
        reasons = "; ".join(f"{name} ({why})" for name, why in left_out.items())
        out.print(f"Left out, since they cannot change anything: {reasons}.", highlight=False)


def print_kept(kept: int | None, reason: QmError | None, *, is_lost: bool) -> None:
    """Where the result is, or why it is nowhere; on stderr."""
    if kept is not None:
        err.print(f"Kept as evaluation {kept}: qm eval list, qm eval compare.", highlight=False)
    elif reason is not None:
        err.print(f"Not kept: {reason.message}", markup=False, highlight=False)
        err.print("Is this release installed in that database? qm install --dsn DSN does it.")
    elif is_lost:
        err.print(
            "Not kept: the embedded server of this run is gone. Start `qm up` first, or name a"
            " database with --save-to.",
            highlight=False,
        )


def print_list(rows: Sequence[Row]) -> None:
    """Kept evaluations."""
    print_table(
        ("id", "when", "who", "label", "mode", "split", "queries", "tools", "model", *_SHOWN[2:4]),
        [
            (
                row["id"],
                f"{row['created_at']:%Y-%m-%d %H:%M}",
                row["principal"],
                row["label"],
                row["mode"],
                row["split"],
                f"{row['queries']:,}",
                f"{row['tools']:,}",
                row["model"],
                *(_figure(row["metrics"].get(name)) for name in _SHOWN[2:4]),
            )
            for row in rows
        ],
    )


def print_comparison(first: int, second: int, rows: Sequence[Row]) -> None:
    """Two evaluations side by side; a star where the interval does not hold 0."""
    print_table(
        ("metric", "queries", f"of {first}", f"of {second}", "difference", "95% interval", ""),
        [
            (
                row["metric"],
                row["queries"],
                _shown(row["metric"], row["value_a"]),
                _shown(row["metric"], row["value_b"]),
                f"{row['difference']:+.4f}",
                f"{row['low']:+.4f} to {row['high']:+.4f}",
                "*" if row["low"] > 0 or row["high"] < 0 else "",
            )
            for row in rows
        ],
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
