"""``qm lookup alias``, ``retire``, ``restore`` and the rest: what curators say of rows."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from quartermaster.cli.lookup_suggest import suggest_command
from quartermaster.cli.options import DryRun
from quartermaster.cli.output import err, minute, out, print_json, print_rows
from quartermaster.cli.session import DataDir, Dsn, Json, open_session
from quartermaster.core.errors import QmError

Table = Annotated[str, typer.Argument(help="Name of the lookup table.")]
RowId = Annotated[str, typer.Argument(help="Id of the row.", metavar="ID")]
Alias = Annotated[str, typer.Argument(help="The name.")]
Reason = Annotated[str, typer.Option(help="Why; it is kept.")]


def add_to(group: typer.Typer) -> None:
    """Adds the commands to those of lookup tables."""
    alias = typer.Typer(no_args_is_help=True, help="Names that curators give to rows.")
    alias.command("add")(add_alias_command)
    alias.command("remove")(remove_alias_command)
    group.add_typer(alias, name="alias")
    group.command("retire")(retire_command)
    group.command("restore")(restore_command)
    group.command("provenance")(provenance_command)
    group.command("curations")(curations_command)
    group.command("suggest-aliases")(suggest_command)


def add_alias_command(
    table: Table,
    row: RowId,
    alias: Alias,
    reason: Reason = "",
    dry_run: DryRun = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Give a row another name; loading the table anew keeps it."""
    done = _curate(
        "add_alias", data_dir, dsn, dry_run, lookup=table, row_id=row, alias=alias, reason=reason
    )
    _tell(done, as_json, dry_run)
    if not as_json and done["shared_with"]:
        others = ", ".join(done["shared_with"])
        err.print(f"Rows {others} have the name, too: it is a match for none.", markup=False)


def remove_alias_command(
    table: Table,
    row: RowId,
    alias: Alias,
    dry_run: DryRun = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Take back a name that a curator has given."""
    given = {"lookup": table, "row_id": row, "alias": alias}
    _tell(_curate("remove_alias", data_dir, dsn, dry_run, **given), as_json, dry_run)


def retire_command(
    table: Table,
    row: RowId,
    reason: Reason = "",
    dry_run: DryRun = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Take a row out of use, also when the table is loaded anew; `restore` brings it back."""
    given = {"lookup": table, "row_id": row, "reason": reason}
    _tell(_curate("retire_row", data_dir, dsn, dry_run, **given), as_json, dry_run)


def restore_command(
    table: Table,
    row: RowId,
    dry_run: DryRun = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Bring back a row that a curator has retired."""
    given = {"lookup": table, "row_id": row}
    _tell(_curate("restore_row", data_dir, dsn, dry_run, **given), as_json, dry_run)


def provenance_command(
    table: Table,
    row: RowId,
    members: Annotated[
        list[str], typer.Argument(metavar="NAME=VALUE...", help="An empty value takes it away.")
    ],
    reason: Reason = "",
    dry_run: DryRun = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Say where a row comes from, over what its source says of it."""
    given = {"lookup": table, "row_id": row, "members": dict(map(_member, members))}
    done = _curate("attach_provenance", data_dir, dsn, dry_run, reason=reason, **given)
    _tell(done, as_json, dry_run)


def curations_command(
    table: Table,
    row: Annotated[str | None, typer.Argument(help="Id of a row; without it, all.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 50,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """List what curators have said, newest first."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_curations", lookup=table, row_id=row, maximum=limit)
    if not as_json:
        rows = [
            row
            | {"said": row["alias"] or _as_given(row["provenance"]) or "retired"}
            | {"curated_at": minute(row["curated_at"])}
            for row in rows
        ]
    print_rows(rows, ("id", "value", "said", "reason", "curator", "curated_at"), as_json)


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
    would = " It would be; nothing was changed." if dry_run else ""
    out.print(
        f"{row['id']} {row['value']}: {'; '.join(facts) or 'as its source has it'}.{would}",
        markup=False,
        highlight=False,
    )


def _as_given(members: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in members.items())


def _member(text: str) -> tuple[str, str | None]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise QmError(422, "argument_invalid", f"{text!r} is no NAME=VALUE", "source=SEAD")
    return name, value or None
