"""``qm stats``: how calls went, what selections spared the model, how lookups were answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal

import typer

from quartermaster.cli.lookup_stats import lookups_command
from quartermaster.cli.output import minute, print_json, print_table
from quartermaster.cli.periods import Per, Since, Until
from quartermaster.cli.session import DataDir, Dsn, Json, Row, open_session

_CALLS: Final = ("calls", "success", "p50 ms", "p95 ms", "result kB", "failed")
_SELECTIONS: Final = ("selections", "empty", "tokens sent", "whole lists", "spared", "p95 ms")


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    stats = typer.Typer(no_args_is_help=True, help="How calls, selections and lookups went.")
    stats.command("calls")(calls_command)
    stats.command("selections")(selections_command)
    stats.command("lookups")(lookups_command)
    app.add_typer(stats, name="stats")


def calls_command(
    by: Annotated[
        Literal["tool", "origin", "principal"], typer.Option(help="Whose calls a line tells.")
    ] = "tool",
    since: Since = None,
    until: Until = None,
    per: Per = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show how many calls there were, how long they took, how many failed, and how."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_call_statistics", subject=by, since=since, until=until, per=per)
    if json:
        print_json(rows)
    else:
        _print(by, per, _CALLS, [(row, _call_cells(row)) for row in rows])


def selections_command(
    by: Annotated[
        Literal["mode", "principal"], typer.Option(help="Whose selections a line tells.")
    ] = "mode",
    since: Since = None,
    until: Until = None,
    per: Per = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show how many tokens of definitions were sent, and what the whole lists would have cost."""
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
    print_table([*first, *columns], cells)


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
