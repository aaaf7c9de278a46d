"""``qm lookup create``, ``refresh`` and ``sources``: new tables, and tables over your own."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from quartermaster.cli.options import DataDir, Dsn, Json, TableName
from quartermaster.cli.output import err, print_json, print_rows, say
from quartermaster.cli.session import open_session
from quartermaster.core.errors import argument_invalid

Columns = list[str] | None


def register(group: typer.Typer) -> None:
    """Adds the commands to ``qm lookup``."""
    group.command("create")(create_command)
    group.command("refresh")(refresh_command)
    group.command("sources")(sources_command)


def create_command(
    table: TableName,
    description: Annotated[str | None, typer.Option(help="Description of its rows.")] = None,
    domain: Annotated[str | None, typer.Option(help="Domain that the table belongs to.")] = None,
    over: Annotated[
        str | None, typer.Option(metavar="SCHEMA.TABLE", help="Read this table or view in place.")
    ] = None,
    key: Annotated[str | None, typer.Option("--id", help="Column of ids.")] = None,
    value: Annotated[str | None, typer.Option(help="Column of values.")] = None,
    aliases: Annotated[
        Columns, typer.Option("--alias", help="Column of aliases: an array, or text divided by |.")
    ] = None,
    properties: Annotated[
        Columns, typer.Option("--property", help="Column to offer as a property.")
    ] = None,
    language: Annotated[str | None, typer.Option(help="Column of languages.")] = None,
    active: Annotated[
        str | None, typer.Option(help="Column that says whether a row is active.")
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Install triggers that report changes at once.")
    ] = False,
    every: Annotated[
        str, typer.Option(help="Interval of reading the table again, without triggers.")
    ] = "1 hour",
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Create a lookup table, or change its description.

    With --over it reads a table of yours in place, without changing it. The owner of your table
    must run: grant select on SCHEMA.TABLE to qm_owner.
    """
    described = {"name": table, "description": description, "domain": domain}
    if over is None:
        if key or value or aliases or properties or language or active or follow:
            raise argument_invalid(
                "Options that name columns require --over.", "Add --over SCHEMA.TABLE."
            )
        with open_session(data_dir, dsn) as session:
            session.call("create_lookup", **described)
        if as_json:
            print_json(described)
        else:
            say(f"{table} is ready. Load its rows with: qm lookup load {table} FILE.")
        return
    if key is None or value is None:
        raise argument_invalid("--over requires --id and --value.", "Name both columns.")
    with open_session(data_dir, dsn) as session, err.status(f"reading {over}"):
        [found] = session.call(
            "create_lookup_over",
            **described,
            relation=over,
            id_column=key,
            value_column=value,
            alias_columns=aliases or [],
            property_columns=properties or [],
            language_column=language,
            active_column=active,
            follow=follow,
            every=every,
        )
    _print_counts(table, found, as_json)


def refresh_command(
    table: TableName,
    changed: Annotated[
        bool, typer.Option("--changed", help="Only rows that triggers have reported.")
    ] = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Read the rows of a table again that is read in place."""
    with open_session(data_dir, dsn) as session, err.status(f"refreshing {table}"):
        [found] = session.call("refresh_lookup", lookup=table, changed_only=changed)
    _print_counts(table, found, as_json)


def sources_command(as_json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """List the tables that are read in place, and when they were last read."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_lookup_sources")
    if not as_json:
        rows = [
            row
            | {
                "over": row["relation"],
                "by": "triggers" if row["follows"] else f"every {row['every']}",
                "refreshed": row["refreshed_at"],
                "failure": row["failure"] or "",
            }
            for row in rows
        ]
    columns = ("name", "over", "by", "waiting", "refreshed", "failure")
    print_rows(rows, columns, as_json, empty="No lookup table reads another in place.")


def _print_counts(table: str, found: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    counts = ", ".join(f"{count:,} {what}" for what, count in found.items())
    say(f"{table}: {counts}.")
