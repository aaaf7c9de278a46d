"""``qm lookup create``, ``refresh`` and ``sources``: create lookup tables, also over your own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from typer import Option

from quartermaster.cli.command import Qm
from quartermaster.cli.lookup.counts import say_counts
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import TableName
from quartermaster.cli.output import Columns, err
from quartermaster.cli.session import Row
from quartermaster.core.errors import argument_invalid

noun = Noun()


@dataclass
class OwnTable:
    """Options that name the columns in a table that is read in place."""

    id_column: Annotated[str | None, Option("--id", help="Column with ids.")] = None
    value_column: Annotated[str | None, Option("--value", help="Column with values.")] = None
    alias_columns: Annotated[
        list[str] | None,
        Option("--alias", help="Column with aliases: an array, or text separated by |."),
    ] = None
    property_columns: Annotated[
        list[str] | None, Option("--property", help="Column to use as a property.")
    ] = None
    language_column: Annotated[str | None, Option("--language", help="Column with languages.")] = (
        None
    )
    active_column: Annotated[
        str | None, Option("--active", help="Column that says whether a row is active.")
    ] = None
    follow: Annotated[
        bool, Option("--follow", help="Install triggers that report changes immediately.")
    ] = False


@noun.verb()
def create_command(
    qm: Qm,
    own: OwnTable,
    table: TableName,
    description: Annotated[str | None, Option(help="Description of the rows.")] = None,
    domain: Annotated[str | None, Option(help="Domain to which the table belongs.")] = None,
    over: Annotated[
        str | None, Option(metavar="SCHEMA.TABLE", help="Read this table or view in place.")
    ] = None,
    every: Annotated[
        str, Option(help="Interval between refreshes, if there are no triggers.")
    ] = "1 hour",
) -> Row:
    """Create a lookup table, or change its description.

    With --over, it reads one of your own tables in place, without changing it. The owner of that
    table must run: grant select on SCHEMA.TABLE to qm_owner.
    """
    described = {"name": table, "description": description, "domain": domain}
    given = {name: value for name, value in vars(own).items() if value}
    if over is None:
        if given:
            raise argument_invalid(
                "Options that name columns require --over.", "Add --over SCHEMA.TABLE."
            )
        qm.call("create_lookup", **described)
        qm.say(f"{table} is ready. Load its rows with: qm lookup load {table} FILE.")
        return described
    if own.id_column is None or own.value_column is None:
        raise argument_invalid("--over requires --id and --value.", "Name both columns.")
    with err.status(f"reading {over}"):
        [found] = qm.call("create_lookup_over", **described, relation=over, **given, every=every)
    say_counts(qm, table, found)
    return found


@noun.verb()
def refresh_command(
    qm: Qm,
    table: TableName,
    changed: Annotated[
        bool, Option("--changed", help="Only rows whose changes were reported by triggers.")
    ] = False,
) -> Row:
    """Refresh a lookup table that reads another table in place."""
    with err.status(f"refreshing {table}"):
        [found] = qm.call("refresh_lookup", lookup=table, changed_only=changed)
    say_counts(qm, table, found)
    return found


@noun.verb()
def sources_command(qm: Qm) -> list[Row]:
    """List the tables that are read in place, with the time of their last refresh."""
    rows = qm.call("list_lookup_sources")
    columns: Columns = (
        "name",
        ("over", "relation"),
        ("by", lambda row: "triggers" if row["follows"] else f"every {row['every']}"),
        "waiting",
        ("refreshed", "refreshed_at"),
        "failure",
    )
    qm.table(rows, columns, empty="No lookup table reads another table in place.")
    return rows
