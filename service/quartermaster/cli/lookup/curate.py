"""``qm lookup alias``, ``retire`` and the other commands of curators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from quartermaster.cli.options import DataDir, DryRun, Dsn, Json, Limit, Reason, TableName
from quartermaster.cli.output import err, note, print_json, print_rows, say
from quartermaster.cli.session import open_session
from quartermaster.core.errors import argument_invalid

RowId = Annotated[str, typer.Argument(help="Id of the row.", metavar="ID")]
Alias = Annotated[str, typer.Argument(help="The further name.")]
_MOST_STRINGS: Final = 1_000


def register(group: typer.Typer) -> None:
    """Adds the commands to those of lookup tables."""
    alias = typer.Typer(no_args_is_help=True, help="Add or remove further names of rows.")
    alias.command("add")(add_alias_command)
    alias.command("remove")(remove_alias_command)
    group.add_typer(alias, name="alias")
    group.command("retire")(retire_command)
    group.command("restore")(restore_command)
    group.command("provenance")(provenance_command)
    group.command("curations")(curations_command)
    group.command("suggest-aliases")(suggest_command)


def add_alias_command(
    table: TableName,
    row: RowId,
    alias: Alias,
    reason: Reason = "",
    dry_run: DryRun = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Add a further name to a row; it is kept when the table is loaded again."""
    done = _curate(
        "add_alias", data_dir, dsn, dry_run, lookup=table, row_id=row, alias=alias, reason=reason
    )
    _tell(done, as_json, dry_run)
    if not as_json and done["shared_with"]:
        others = ", ".join(done["shared_with"])
        note(f"Rows {others} have this name too, so it matches none of them.")


def remove_alias_command(
    table: TableName,
    row: RowId,
    alias: Alias,
    dry_run: DryRun = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Remove a name that a curator added."""
    given = {"lookup": table, "row_id": row, "alias": alias}
    _tell(_curate("remove_alias", data_dir, dsn, dry_run, **given), as_json, dry_run)


def retire_command(
    table: TableName,
    row: RowId,
    reason: Reason = "",
    dry_run: DryRun = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Retire a row; loading the table again does not bring it back.

    To undo: qm lookup restore.
    """
    given = {"lookup": table, "row_id": row, "reason": reason}
    _tell(_curate("retire_row", data_dir, dsn, dry_run, **given), as_json, dry_run)


def restore_command(
    table: TableName,
    row: RowId,
    dry_run: DryRun = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Restore a row that a curator retired."""
    given = {"lookup": table, "row_id": row}
    _tell(_curate("restore_row", data_dir, dsn, dry_run, **given), as_json, dry_run)


def provenance_command(
    table: TableName,
    row: RowId,
    members: Annotated[
        list[str],
        typer.Argument(metavar="NAME=VALUE...", help="Members to set; an empty value removes one."),
    ],
    reason: Reason = "",
    dry_run: DryRun = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Record where a row comes from, instead of what its source says."""
    given = {"lookup": table, "row_id": row, "members": dict(map(_member, members))}
    done = _curate("attach_provenance", data_dir, dsn, dry_run, reason=reason, **given)
    _tell(done, as_json, dry_run)


def curations_command(
    table: TableName,
    row: Annotated[str | None, typer.Argument(help="Id of a row; default: all rows.")] = None,
    limit: Limit = 50,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """List the changes of curators, the newest first."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_curations", lookup=table, row_id=row, maximum=limit)
    if not as_json:
        rows = [
            row | {"change": row["alias"] or _as_given(row["provenance"]) or "retired"}
            for row in rows
        ]
    columns = ("id", "value", "change", "reason", "curator", "curated_at")
    print_rows(rows, columns, as_json, empty="Curators have changed nothing.")


def _curate(
    operation: str, data_dir: Path | None, dsn: str | None, dry_run: bool, /, **given: object
) -> dict[str, Any]:
    with (
        open_session(data_dir, dsn) as session,
        session.rolled_back() if dry_run else nullcontext(),
    ):
        [done] = session.call(operation, **given)
    return done


def _tell(row: dict[str, Any], as_json: bool, dry_run: bool) -> None:
    if as_json:
        print_json({**row, "dry_run": dry_run})
        return
    facts = [f"also {', '.join(row['aliases'])}"] if row["aliases"] else []
    facts += [] if row["active"] else ["retired"]
    facts += [f"from {_as_given(row['provenance'])}"] if row["provenance"] else []
    would = " (preview; nothing was changed)" if dry_run else ""
    say(f"{row['id']} {row['value']}: {'; '.join(facts) or 'as in its source'}.{would}")


def _as_given(members: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in members.items())


def _member(text: str) -> tuple[str, str | None]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argument_invalid(f"{text!r} is not NAME=VALUE.", "For instance: source=SEAD.")
    return name, value or None


def suggest_command(
    table: TableName,
    file: Annotated[
        Path | None,
        typer.Argument(help="Strings that people use, one a line; default: recent queries."),
    ] = None,
    limit: Limit = 20,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Suggest further names for rows, from strings that do not match today."""
    from quartermaster.lookup.table_file import read_text

    given: dict[str, Any] = {}
    if file is not None:
        lines = (line.strip() for line in read_text(file).splitlines())
        counts = Counter(line for line in lines if line)
        given["asked"] = dict(counts.most_common(_MOST_STRINGS))
        if len(counts) > _MOST_STRINGS:
            note(f"Of {len(counts):,} strings, only the {_MOST_STRINGS:,} most frequent are used.")
    with open_session(data_dir, dsn) as session, err.status("comparing names"):
        rows = session.call("suggest_aliases", lookup=table, maximum=limit, **given)
    if not as_json and not rows:
        say("No suggestions: every string already matches a row or resembles none.")
        return
    if not as_json:
        rows = [row | {"score": f"{row['score']:.2f}"} for row in rows]
    print_rows(rows, ("id", "value", "alias", "form", "times", "score"), as_json)
