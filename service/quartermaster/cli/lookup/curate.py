"""``qm lookup alias``, ``retire`` and the other commands of curators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from typer import Argument

from quartermaster.cli.command import Qm, Trial
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import Limit, Reason, TableName, pair
from quartermaster.cli.output import Columns, err, note
from quartermaster.cli.session import Row

RowId = Annotated[str, Argument(help="Id of the row.", metavar="ID")]
Alias = Annotated[str, Argument(help="The further name.")]
_MOST_STRINGS: Final = 1_000

noun = Noun()
_alias = Noun("Add or remove further names of rows.")
noun.add_typer(_alias, name="alias")


@_alias.verb()
def add_command(qm: Trial, table: TableName, row: RowId, alias: Alias, reason: Reason = "") -> Row:
    """Add a further name to a row; it is kept when the table is loaded again."""
    done = _curated(qm, "add_alias", table, row, alias=alias, reason=reason)
    if done["shared_with"]:
        others = ", ".join(done["shared_with"])
        qm.note(f"Rows {others} have this name too, so it matches none of them.")
    return done


@_alias.verb()
def remove_command(qm: Trial, table: TableName, row: RowId, alias: Alias) -> Row:
    """Remove a name that a curator added."""
    return _curated(qm, "remove_alias", table, row, alias=alias)


@noun.verb()
def retire_command(qm: Trial, table: TableName, row: RowId, reason: Reason = "") -> Row:
    """Retire a row; loading the table again does not bring it back.

    To undo: qm lookup restore.
    """
    return _curated(qm, "retire_row", table, row, reason=reason)


@noun.verb()
def restore_command(qm: Trial, table: TableName, row: RowId) -> Row:
    """Restore a row that a curator retired."""
    return _curated(qm, "restore_row", table, row)


@noun.verb()
def provenance_command(
    qm: Trial,
    table: TableName,
    row: RowId,
    members: Annotated[
        list[str],
        Argument(metavar="NAME=VALUE...", help="Members to set; an empty value removes one."),
    ],
    reason: Reason = "",
) -> Row:
    """Record where a row comes from, instead of what its source says."""
    pairs = (pair(member, "source=SEAD") for member in members)
    given = {name: value or None for name, value in pairs}
    return _curated(qm, "attach_provenance", table, row, members=given, reason=reason)


@noun.verb()
def curations_command(
    qm: Qm,
    table: TableName,
    row: Annotated[str | None, Argument(help="Id of a row; default: all rows.")] = None,
    limit: Limit = 50,
) -> list[Row]:
    """List the changes of curators, the newest first."""
    rows = qm.call("list_curations", lookup=table, row_id=row, maximum=limit)
    columns: Columns = (
        "id",
        "value",
        ("change", lambda row: row["alias"] or _as_given(row["provenance"]) or "retired"),
        "reason",
        "curator",
        "curated_at",
    )
    qm.table(rows, columns, empty="Curators have changed nothing.")
    return rows


@noun.verb()
def suggest_aliases_command(
    qm: Qm,
    table: TableName,
    file: Annotated[
        Path | None, Argument(help="Strings that people use, one a line; default: recent queries.")
    ] = None,
    limit: Limit = 20,
) -> list[Row]:
    """Suggest further names for rows, from strings that do not match today."""
    from quartermaster.lookup.table_file import read_text

    given: dict[str, Any] = {}
    if file is not None:
        lines = (line.strip() for line in read_text(file).splitlines())
        counts = Counter(line for line in lines if line)
        given["asked"] = dict(counts.most_common(_MOST_STRINGS))
        if len(counts) > _MOST_STRINGS:
            note(f"Of {len(counts):,} strings, only the {_MOST_STRINGS:,} most frequent are used.")
    with err.status("comparing names"):
        rows = qm.call("suggest_aliases", lookup=table, maximum=limit, **given)
    qm.table(rows, ("id", "value", "alias", "form", "times", ("score", "{score:.2f}")))
    if not rows:
        qm.say("No suggestions: every string already matches a row or resembles none.")
    return rows


def _curated(qm: Trial, operation: str, table: str, row_id: str, **given: object) -> Row:
    with qm.unless_dry():
        [row] = qm.call(operation, lookup=table, row_id=row_id, **given)
    facts = [f"also {', '.join(row['aliases'])}"] if row["aliases"] else []
    facts += [] if row["active"] else ["retired"]
    facts += [f"from {_as_given(row['provenance'])}"] if row["provenance"] else []
    qm.say(f"{row['id']} {row['value']}: {'; '.join(facts) or 'as in its source'}.{qm.preview}")
    return {**row, "dry_run": qm.dry_run}


def _as_given(members: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in members.items())
