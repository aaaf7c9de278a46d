"""``qm stats lookups``: what was asked, how good the answers are, and what a shadow says."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from quartermaster.cli.output import minute, out, print_json, print_table
from quartermaster.cli.periods import Per, Since, Until
from quartermaster.cli.session import DataDir, Dsn, Json, Row, open_session

_QUERIES: Final = ("queries", "p50 ms", "p95 ms", "cached", "empty", "matched", "refused")
_RUNS: Final = ("table", "measured", "pairs", "R@1", "R@5", "MRR", "nDCG", "silence", "R@5 since")
_SHADOWS: Final = (
    "table", "queries", "same", "other", "lost", "gained", "matched", "p95 ms",
)  # fmt: skip


def lookups_command(
    since: Since = None,
    until: Until = None,
    per: Per = None,
    shadow: Annotated[
        bool, typer.Option("--shadow", help="What the shadows would have answered, beside it.")
    ] = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show queries to lookup tables, and how well each one answered its gold pairs last."""
    with open_session(data_dir, dsn) as session:
        if shadow:
            shadows = session.call("compare_lookup_shadow", since=since, until=until)
            _print_shadows(shadows, as_json=json)
            return
        queries = session.call("list_lookup_statistics", since=since, until=until, per=per)
        runs = session.call("list_lookup_evaluations", maximum=20)
    if json:
        print_json({"queries": queries, "evaluations": runs})
        return
    first = ("table", per) if per else ("table",)
    print_table((*first, *_QUERIES), [_query_cells(row, per) for row in queries])
    if runs:
        out.print()
        print_table(_RUNS, [_run_cells(row) for row in runs])


def _print_shadows(rows: list[Row], *, as_json: bool) -> None:
    if as_json:
        print_json(rows)
        return
    print_table(
        _SHADOWS,
        [
            (
                row["name"],
                row["queries"],
                *(_share(row[name]) for name in ("same", "other", "lost", "gained")),
                f"{_share(row['matched'])} to {_share(row['shadow_matched'])}",
                f"{row['p95_ms']:.1f} to {row['shadow_p95_ms']:.1f}",
            )
            for row in rows
        ],
    )


def _query_cells(row: Row, per: str | None) -> list[object]:
    return [
        row["name"] or "(all)",
        *([minute(row["period"])] if per else []),
        row["queries"],
        f"{row['p50_ms']:.1f}",
        f"{row['p95_ms']:.1f}",
        *(_share(row[name]) for name in ("cached", "empty", "matched", "failed")),
    ]


def _run_cells(row: Row) -> list[object]:
    figures = ("recall_1", "recall_5", "mrr", "ndcg", "silence")
    change = row["recall_5_change"]
    return [
        row["name"],
        minute(row["at"]),
        row["pairs"],
        *("" if row[name] is None else f"{row[name]:.3f}" for name in figures),
        "" if change is None else f"{change:+.3f}",
    ]


def _share(value: float) -> str:
    return f"{value:.1%}"
