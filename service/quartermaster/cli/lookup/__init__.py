"""``qm lookup``: lookup tables, their rows, and searching them."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from quartermaster.cli.lookup import create, curate, trial, tune, vectors
from quartermaster.cli.options import DataDir, DryRun, Dsn, Json, Limit, TableName, Yes
from quartermaster.cli.output import (
    confirm,
    counted,
    err,
    print_facts,
    print_json,
    print_rows,
    print_table,
    say,
)
from quartermaster.cli.session import open_session
from quartermaster.core.errors import argument_invalid


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group = typer.Typer(
        no_args_is_help=True, help="Match messy strings to the rows of lookup tables."
    )
    group.command("load")(load_command)
    group.command("list")(list_command)
    group.command("show")(show_command)
    group.command("search")(search_command)
    group.command("drop")(drop_command)
    create.register(group)
    curate.register(group)
    trial.register(group)
    tune.register(group)
    vectors.register(group)
    app.add_typer(group, name="lookup")


def load_command(
    table: TableName,
    file: Annotated[
        Path | None,
        typer.Argument(help="CSV with a header, or JSON Lines: id, value, aliases, ..."),
    ] = None,
    query: Annotated[
        str | None, typer.Option(help="SQL query instead of a file, with the same columns.")
    ] = None,
    source: Annotated[
        str | None, typer.Option("--from", metavar="DSN", help="Database in which the query runs.")
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep rows that are not in the file.")
    ] = False,
    dry_run: DryRun = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Load rows into a table.

    Either all rows are loaded or none. Rows that are not in the file are removed.
    """
    rows = _rows(table, file, query, source or dsn, data_dir)
    with (
        open_session(data_dir, dsn) as session,
        err.status(f"loading {len(rows):,} rows into {table}"),
        session.rolled_back() if dry_run else nullcontext(),
    ):
        session.call("create_lookup", name=table)
        [found] = session.call("load_lookup", lookup=table, rows=rows, replaces=not keep)
    if as_json:
        print_json({**found, "dry_run": dry_run})
        return
    counts = ", ".join(f"{count:,} {what}" for what, count in found.items())
    would = " (preview; nothing was changed)" if dry_run else ""
    say(f"{table}: {counts}{would}.")


def list_command(as_json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """List the lookup tables."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("lookup_tables")
    columns = ("name", "rows", "names", "threshold", "domain", "loaded_at")
    print_rows(rows, columns, as_json, empty="No tables. Load one: qm lookup load TABLE FILE.")


def show_command(
    table: TableName,
    row: Annotated[str | None, typer.Argument(help="Id of a row; default: list the rows.")] = None,
    after: Annotated[str | None, typer.Option(help="List the rows after this id.")] = None,
    limit: Limit = 20,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show a row, or list the rows."""
    with open_session(data_dir, dsn) as session:
        if row is not None:
            [found] = session.call("get_by_id", lookup=table, row_id=row)
            if as_json:
                print_json(found)
            else:
                print_facts("row", found["id"], found)
            return
        page = {"after": after, "maximum": limit, "active_only": False}
        rows = session.call("lookup_rows", lookup=table, **page)
    print_rows(rows, ("id", "value", "aliases", "language", "active"), as_json)


def search_command(
    table: TableName,
    text: Annotated[str, typer.Argument(help="The string to look up.")],
    properties: Annotated[
        list[str] | None,
        typer.Option("--property", metavar="NAME=VALUE", help="Property to prefer."),
    ] = None,
    language: Annotated[str | None, typer.Option(help="Language to prefer.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Maximum number of rows.")] = 5,
    every: Annotated[
        bool, typer.Option("--all", help="Also show rows below the threshold of the table.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the score of the first row, term by term.")
    ] = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Find the rows that a string may mean."""
    asked = dict(_property(text) for text in properties or [])
    given: dict[str, Any] = {"properties": asked} if asked else {}
    if every:
        given["threshold"] = 0.0
    if language is not None:
        given["in_language"] = language
    with open_session(data_dir, dsn) as session:
        rows = session.call(
            "search_lookup", lookup=table, query=text, k_final=limit, explain=explain, **given
        )
    if as_json:
        print_json(rows)
        return
    if not rows:
        say("No match above the threshold; --all shows the nearest rows.")
        return
    shown = [
        (row["id"], row["value"], row["name"], f"{row['score']:.3f}", "yes" if row["match"] else "")
        for row in rows
    ]
    print_table(("id", "value", "matched name", "score", "match"), shown)
    if explain:
        terms = rows[0]["scores"]["features"].items()
        ordered = sorted(terms, key=lambda term: -abs(term[1]["share"]))
        print_table(
            ("feature", "value", "share"),
            [(name, term["value"], term["share"]) for name, term in ordered],
        )


def drop_command(
    table: TableName,
    dry_run: DryRun = False,
    yes: Yes = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Delete a lookup table with its rows; this cannot be undone."""
    with open_session(data_dir, dsn) as session:
        [found] = session.call("drop_lookup", lookup=table, dry_run=True)
        if not as_json:
            say(f"This deletes {table} with {counted(found['rows'], 'row')} for good.")
        if not dry_run:
            confirm(f"Delete {table}?", yes=yes)
            session.call("drop_lookup", lookup=table)
    if as_json:
        print_json(found | {"dropped": not dry_run})
    elif not dry_run:
        say("Deleted.")


def _rows(
    table: str, file: Path | None, query: str | None, dsn: str | None, data_dir: Path | None
) -> list[dict[str, Any]]:
    from quartermaster.lookup.table_file import read_rows, row_of

    if (file is None) == (query is None):
        raise argument_invalid(
            "Give either a file or --query.", "For instance: qm lookup load TABLE FILE."
        )
    if file is not None:
        rows = read_rows(file)
        # A file may have rows of several tables.
        return [row for row in rows if row.get("table", table) == table]
    with open_session(data_dir, dsn) as session:
        found = session.select(str(query))
    return [row_of(Path("query"), line, row) for line, row in enumerate(found, start=1)]


def _property(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argument_invalid(f"{text!r} is not NAME=VALUE.", "For instance: family=Betulaceae.")
    return name, value
