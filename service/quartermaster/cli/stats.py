"""``qm stats``: statistics of calls, selections and lookups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal

import typer

from quartermaster.cli.options import DataDir, Dsn, Json, Per, Since, Until
from quartermaster.cli.output import minute, out, print_json, print_table
from quartermaster.cli.session import Row, open_session

_EMPTY: Final = "Nothing was recorded in this period. The statistics lag by up to a minute."
_CALLS: Final = ("calls", "success", "p50 ms", "p95 ms", "result kB", "failed")
_SELECTIONS: Final = ("selections", "empty", "tokens sent", "full lists", "saved", "p95 ms")
_QUERIES: Final = ("queries", "p50 ms", "p95 ms", "cached", "empty", "matched", "refused")
_RUNS: Final = ("table", "measured", "pairs", "R@1", "R@5", "MRR", "nDCG", "silence", "R@5 since")
_SHADOWS: Final = (
    "table", "queries", "same", "other", "lost", "gained", "matched", "p95 ms",
)  # fmt: skip


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    stats = typer.Typer(
        no_args_is_help=True, help="Show statistics of calls, selections and lookups."
    )
    stats.command("calls")(calls_command)
    stats.command("selections")(selections_command)
    stats.command("lookups")(lookups_command)
    app.add_typer(stats, name="stats")


def calls_command(
    by: Annotated[
        Literal["tool", "card", "origin", "principal"],
        typer.Option(help="Group rows by tool, card of any kind, origin or principal."),
    ] = "tool",
    since: Since = None,
    until: Until = None,
    per: Per = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show the calls: how many, how long they took, and how they failed."""
    with open_session(data_dir, dsn) as session:
        asked = {"subject": "card", "kinds": ["tool"]} if by == "tool" else {"subject": by}
        rows = session.call("list_call_statistics", **asked, since=since, until=until, per=per)
    if json:
        print_json(rows)
    else:
        _print(by, per, _CALLS, [(row, _call_cells(row)) for row in rows])


def selections_command(
    by: Annotated[
        Literal["mode", "principal"], typer.Option(help="Group rows by mode or principal.")
    ] = "mode",
    since: Since = None,
    until: Until = None,
    per: Per = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show how many tokens selections sent, and how many the full tool lists would have taken."""
    with open_session(data_dir, dsn) as session:
        rows = session.call(
            "list_selection_statistics", subject=by, since=since, until=until, per=per
        )
    if json:
        print_json(rows)
    else:
        _print(by, per, _SELECTIONS, [(row, _selection_cells(row)) for row in rows])


def _print(
    by: str, per: str | None, columns: Sequence[str], rows: Sequence[tuple[Row, Sequence[Any]]]
) -> None:
    first = (by, per) if per else (by,)
    cells = [
        ([row["name"], minute(row["period"])] if per else [row["name"]]) + [*told]
        for row, told in rows
    ]
    print_table([*first, *columns], cells, empty=_EMPTY)


def _call_cells(row: Row) -> Sequence[Any]:
    failed = {name: calls for name, calls in row["outcomes"].items() if name != "ok"}
    return (
        row["calls"],
        f"{row['success_rate']:.1%}",
        f"{row['p50_ms']:.1f}",
        f"{row['p95_ms']:.1f}",
        round(row["result_bytes"] / 1000),
        ", ".join(f"{name} {calls}" for name, calls in sorted(failed.items())),
    )


def _selection_cells(row: Row) -> Sequence[Any]:
    return (
        row["selections"],
        row["empty"],
        f"{row['tokens_sent']:,}",
        f"{row['tokens_full']:,}",
        "" if row["spared"] is None else f"{row['spared']:.1%}",
        f"{row['p95_ms']:.1f}",
    )


def lookups_command(
    since: Since = None,
    until: Until = None,
    per: Per = None,
    shadow: Annotated[
        bool, typer.Option("--shadow", help="Compare with the answers of the shadows instead.")
    ] = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show the queries to lookup tables, and the last evaluation of each table."""
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
    print_table((*first, *_QUERIES), [_query_cells(row, per) for row in queries], empty=_EMPTY)
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
        empty=_EMPTY,
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
