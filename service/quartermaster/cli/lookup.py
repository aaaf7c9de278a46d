"""``qm lookup``: lookup tables, their rows, and what a string may mean."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from quartermaster.cli import (
    lookup_create,
    lookup_curation,
    lookup_trial,
    lookup_tune,
    lookup_vectors,
)
from quartermaster.cli.output import err, minute, out, print_json, print_rows, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, open_session
from quartermaster.core.errors import QmError

Table = Annotated[str, typer.Argument(help="Name of the lookup table.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what would happen.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group = typer.Typer(no_args_is_help=True, help="Lookup tables: messy strings to right rows.")
    lookup_create.add_to(group)
    lookup_tune.add_to(group)
    lookup_vectors.add_to(group)
    group.command("load")(load_command)
    group.command("list")(list_command)
    group.command("show")(show_command)
    group.command("search")(search_command)
    group.command("drop")(drop_command)
    lookup_trial.add_to(group)
    lookup_curation.add_to(group)
    app.add_typer(group, name="lookup")


def load_command(
    table: Table,
    file: Annotated[
        Path | None, typer.Argument(help="CSV with a header, or .jsonl: id, value, aliases, ...")
    ] = None,
    query: Annotated[
        str | None, typer.Option(help="A query instead of a file; columns as in a file.")
    ] = None,
    source: Annotated[
        str | None, typer.Option("--from", metavar="DSN", help="Where the query runs.")
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Rows that are not in the file stay.")
    ] = False,
    dry_run: DryRun = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Load rows: all of them or none; only what differs is written."""
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
    would = ", if it were loaded" if dry_run else ""
    out.print(f"{table}: {counts}{would}", highlight=False)


def list_command(as_json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """List the lookup tables."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("lookup_tables")
    if not as_json:
        rows = [row | {"loaded_at": minute(row["loaded_at"])} for row in rows]
    print_rows(rows, ("name", "rows", "names", "threshold", "domain", "loaded_at"), as_json)


def show_command(
    table: Table,
    row: Annotated[str | None, typer.Argument(help="Id of a row; without it, a page.")] = None,
    after: Annotated[str | None, typer.Option(help="Id after which the page begins.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Size of the page.")] = 20,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show a row, or a page of rows."""
    with open_session(data_dir, dsn) as session:
        if row is not None:
            [found] = session.call("get_by_id", lookup=table, row_id=row)
            if as_json:
                print_json(found)
            else:
                print_table(("", ""), found.items())
            return
        page = {"after": after, "maximum": limit, "active_only": False}
        rows = session.call("lookup_rows", lookup=table, **page)
    print_rows(rows, ("id", "value", "aliases", "language", "active"), as_json)


def search_command(
    table: Table,
    text: Annotated[str, typer.Argument(help="The string to look up.")],
    properties: Annotated[
        list[str] | None, typer.Option("--property", metavar="NAME=VALUE", help="Asked for.")
    ] = None,
    language: Annotated[str | None, typer.Option(help="Preferred.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many rows.")] = 5,
    every: Annotated[
        bool, typer.Option("--all", help="Also what is below the threshold of the table.")
    ] = False,
    explain: Annotated[bool, typer.Option("--explain", help="The score, term by term.")] = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Say which rows a string may mean."""
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
        out.print("No row is probable enough. With --all there are the nearest.", highlight=False)
        return
    shown = [
        (row["id"], row["value"], row["name"], f"{row['score']:.3f}", "yes" if row["match"] else "")
        for row in rows
    ]
    print_table(("id", "value", "by its name", "score", "match"), shown)
    if explain:
        terms = rows[0]["scores"]["features"].items()
        ordered = sorted(terms, key=lambda term: -abs(term[1]["share"]))
        print_table(
            ("feature of the first", "value", "share"),
            [(name, term["value"], term["share"]) for name, term in ordered],
        )


def drop_command(
    table: Table,
    dry_run: DryRun = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Drop a lookup table with its rows."""
    with open_session(data_dir, dsn) as session:
        [found] = session.call("drop_lookup", lookup=table, dry_run=True)
        out.print(f"{table} has {found['rows']:,} rows.", highlight=False)
        if dry_run or not (yes or typer.confirm("Drop it?")):
            return
        session.call("drop_lookup", lookup=table)
    out.print(f"{table} is gone.", highlight=False)


def _rows(
    table: str, file: Path | None, query: str | None, dsn: str | None, data_dir: Path | None
) -> list[dict[str, Any]]:
    from quartermaster.lookup.table_file import read_rows, row_of

    if (file is None) == (query is None):
        raise QmError(
            422, "argument_invalid", "name a file or a query", "qm lookup load TABLE FILE"
        )
    if file is not None:
        rows = read_rows(file)
        # A file of several tables: of this one its own.
        return [row for row in rows if row.get("table", table) == table]
    with open_session(data_dir, dsn) as session:
        found = session.select(str(query))
    return [row_of(Path("query"), line, row) for line, row in enumerate(found, start=1)]


def _property(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise QmError(422, "argument_invalid", f"{text!r} is no NAME=VALUE", "family=Betulaceae")
    return name, value
