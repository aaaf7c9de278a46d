"""``qm lookup create``, ``refresh``, ``sources``: tables of one's own, and in place over others."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from quartermaster.cli.output import err, minute, out, print_json, print_rows
from quartermaster.cli.session import DataDir, Dsn, Json, open_session
from quartermaster.core.errors import QmError

Table = Annotated[str, typer.Argument(help="Name of the lookup table.")]
Columns = list[str] | None


def add_to(group: typer.Typer) -> None:
    """Adds the commands to ``qm lookup``."""
    group.command("create")(create_command)
    group.command("refresh")(refresh_command)
    group.command("sources")(sources_command)


def create_command(
    table: Table,
    description: Annotated[str | None, typer.Option(help="What its rows are.")] = None,
    domain: Annotated[str | None, typer.Option(help="What it belongs to.")] = None,
    over: Annotated[
        str | None, typer.Option(metavar="SCHEMA.TABLE", help="In place, over this table or view.")
    ] = None,
    key: Annotated[str | None, typer.Option("--id", help="Its column of ids.")] = None,
    value: Annotated[str | None, typer.Option(help="Its column of values.")] = None,
    aliases: Annotated[
        Columns, typer.Option("--alias", help="A column of aliases: an array, or text with |.")
    ] = None,
    properties: Annotated[
        Columns, typer.Option("--property", help="A column that is a property.")
    ] = None,
    language: Annotated[str | None, typer.Option(help="Its column of languages.")] = None,
    active: Annotated[
        str | None, typer.Option(help="Its column that says whether a row is active.")
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Triggers there tell of changes.")
    ] = False,
    every: Annotated[
        str, typer.Option(help="How often it is read again where they do not.")
    ] = "1 hour",
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Make a lookup table, or describe it anew; with --over, in place over a table of yours.

    That table is only read; its owner has to allow it: grant select on SCHEMA.TABLE to qm_owner.
    """
    described = {"name": table, "description": description, "domain": domain}
    if over is None:
        if key or value or aliases or properties or language or active or follow:
            raise QmError(
                422, "argument_invalid", "columns are those of a table", "Name it: --over TABLE."
            )
        with open_session(data_dir, dsn) as session:
            session.call("create_lookup", **described)
        out.print(f"{table} is there. Load it: qm lookup load {table} FILE", highlight=False)
        return
    if key is None or value is None:
        raise QmError(
            422, "argument_invalid", "which columns are id and value?", "Say --id and --value."
        )
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
    _print_counts(table, found)


def refresh_command(
    table: Table,
    changed: Annotated[
        bool, typer.Option("--changed", help="Only rows that triggers have told of.")
    ] = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Read the table again that a lookup table lies over."""
    with open_session(data_dir, dsn) as session, err.status(f"refreshing {table}"):
        [found] = session.call("refresh_lookup", lookup=table, changed_only=changed)
    if as_json:
        print_json(found)
        return
    _print_counts(table, found)


def sources_command(as_json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """List the lookup tables that lie over others, and how fresh they are."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_lookup_sources")
    if not as_json:
        rows = [
            row
            | {
                "over": row["relation"],
                "by": "triggers" if row["follows"] else f"every {row['every']}",
                "refreshed": minute(row["refreshed_at"]),
                "failure": row["failure"] or "",
            }
            for row in rows
        ]
    print_rows(rows, ("name", "over", "by", "waiting", "refreshed", "failure"), as_json)


def _print_counts(table: str, found: dict[str, Any]) -> None:
    counts = ", ".join(f"{count:,} {what}" for what, count in found.items())
    out.print(f"{table}: {counts}", highlight=False)
