"""``qm lookup``: manages lookup tables and their rows, and searches them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from quartermaster.cli.command import Command, Decision, Qm, Trial
from quartermaster.cli.lookup import create, curate, trial, tune, vectors
from quartermaster.cli.lookup.counts import say_counts
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import Limit, TableName, pair
from quartermaster.cli.output import Columns, counted, err
from quartermaster.cli.session import Row, open_session
from quartermaster.core.errors import argument_invalid

noun = Noun("Match messy strings to the rows of lookup tables.")


@noun.verb()
def load_command(
    qm: Trial,
    table: TableName,
    file: Annotated[
        Path | None, Argument(help="CSV (with header) or JSON Lines file: id, value, aliases, ...")
    ] = None,
    query: Annotated[
        str | None,
        Option(help="SQL query to use instead of a file; it must return the same columns."),
    ] = None,
    source: Annotated[
        str | None, Option("--from", metavar="DSN", help="Database in which to run the query.")
    ] = None,
    keep: Annotated[bool, Option("--keep", help="Keep rows that are not in the file.")] = False,
) -> Row:
    """Load rows into a table.

    Either all rows are loaded or none. Rows that are not in the file are removed unless --keep is
    given.
    """
    rows = _rows(qm, table, file, query, source)
    with err.status(f"loading {len(rows):,} rows into {table}"), qm.unless_dry():
        qm.call("create_lookup", name=table)
        [found] = qm.call("load_lookup", lookup=table, rows=rows, replaces=not keep)
    say_counts(qm, table, found)
    return {**found, "dry_run": qm.dry_run}


@noun.verb()
def list_command(qm: Qm) -> list[Row]:
    """List the lookup tables."""
    rows = qm.call("lookup_tables")
    columns = ("name", "rows", "names", "threshold", "domain", "loaded_at")
    qm.table(rows, columns, empty="No tables. Load one with: qm lookup load TABLE FILE.")
    return rows


@noun.verb()
def show_command(
    qm: Qm,
    table: TableName,
    row: Annotated[
        str | None, Argument(help="Id of a row; if it is omitted, the rows are listed.")
    ] = None,
    after: Annotated[str | None, Option(help="List the rows after this id.")] = None,
    limit: Limit = 20,
) -> Row | list[Row]:
    """Show a row, or list the rows."""
    if row is not None:
        [found] = qm.call("get_by_id", lookup=table, row_id=row)
        qm.facts("row", found["id"], found)
        return found
    page = {"after": after, "maximum": limit, "active_only": False}
    rows = qm.call("lookup_rows", lookup=table, **page)
    qm.table(rows, ("id", "value", "aliases", "language", "active"))
    return rows


@noun.verb()
def search_command(
    qm: Qm,
    table: TableName,
    text: Annotated[str, Argument(help="The string to look up.")],
    properties: Annotated[
        list[str] | None,
        Option("--property", metavar="NAME=VALUE", help="Prefer rows with this property."),
    ] = None,
    language: Annotated[str | None, Option(help="Prefer names in this language.")] = None,
    limit: Annotated[int, Option(min=1, max=100, help="Maximum number of rows.")] = 5,
    every: Annotated[
        bool, Option("--all", help="Show rows even if none reaches the threshold of the table.")
    ] = False,
    explain: Annotated[
        bool, Option("--explain", help="Show the score of the first row, term by term.")
    ] = False,
) -> list[Row]:
    """Find the rows to which a string may refer."""
    given: Row = {"lookup": table, "query": text, "k_final": limit, "explain": explain}
    if properties:
        given["properties"] = dict(pair(each, "family=Betulaceae") for each in properties)
    if every:
        given["threshold"] = 0.0
    if language is not None:
        given["in_language"] = language
    rows = qm.call("search_lookup", **given)
    if not rows:
        qm.say("No row reaches the threshold. To see the nearest rows, add --all.")
        return rows
    columns: Columns = (
        "id",
        "value",
        ("matched name", "name"),
        ("score", "{score:.3f}"),
        ("match", lambda row: "yes" if row["match"] else ""),
    )
    qm.table(rows, columns)
    if explain:
        terms = rows[0]["scores"]["features"].items()
        shares = [{"feature": name, **term} for name, term in terms]
        shares.sort(key=lambda term: -abs(term["share"]))
        qm.table(shares, ("feature", "value", "share"))
    return rows


@noun.verb()
def drop_command(qm: Decision, table: TableName) -> Row:
    """Delete a lookup table and its rows. This cannot be undone."""
    [found] = qm.call("drop_lookup", lookup=table, dry_run=True)
    qm.say(f"This permanently deletes {table} with {counted(found['rows'], 'row')}.")
    if qm.confirmed(f"Delete {table}?"):
        qm.call("drop_lookup", lookup=table)
        qm.say("Deleted.")
    return found | {"dropped": not qm.dry_run}


noun.include(create.noun, curate.noun, trial.noun, tune.noun, vectors.noun)


def _rows(
    qm: Command, table: str, file: Path | None, query: str | None, source: str | None
) -> list[Row]:
    from quartermaster.lookup.table_file import read_rows, row_of

    if (file is None) == (query is None):
        raise argument_invalid(
            "Give either a file or --query.", "For instance: qm lookup load TABLE FILE."
        )
    if file is not None:
        rows = read_rows(file)
        # A file may contain rows for several tables.
        return [row for row in rows if row.get("table", table) == table]
    with open_session(qm.data_dir, source or qm.dsn) as session:
        found = session.select(str(query))
    return [row_of(Path("query"), line, row) for line, row in enumerate(found, start=1)]
