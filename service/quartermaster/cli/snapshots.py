"""``qm snapshot``: the catalog as it was, kept, compared, and brought back."""

from __future__ import annotations

from typing import Annotated

import typer

from quartermaster import paths
from quartermaster.cli.output import out, print_json, print_rows, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, Row, Session, open_session
from quartermaster.cli.snapshot_making import create_command
from quartermaster.errors import QmError

_LISTED = ("name", "created_at", "created_by", "tools", "origins", "sealed", "activated_at", "note")
_CHANGES = ("change", "name", "origin", "from_version", "to_version")
Name = Annotated[str, typer.Argument(help="Name of the snapshot, as listed.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    snapshot = typer.Typer(no_args_is_help=True, help="The catalog as it was.")
    snapshot.command("create")(create_command)
    snapshot.command("list")(list_command)
    snapshot.command("diff")(diff_command)
    snapshot.command("verify")(verify_command)
    snapshot.command("activate")(activate_command)
    snapshot.command("drop")(drop_command)
    app.add_typer(snapshot, name="snapshot")


def list_command(json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """List the snapshots, the newest first."""
    with open_session(data_dir, dsn) as session:
        rows = [_shown(row) for row in session.call("list_snapshots")]
    print_rows(rows, _LISTED, json)


def diff_command(
    before: Name,
    after: Annotated[str | None, typer.Argument(help="Another one; else what is now.")] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show what was added, removed and changed from one snapshot to another, or to now."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("diff_snapshots", before=before, after=after)
    if rows or json:
        print_rows(rows, _CHANGES, json)
    else:
        out.print("No difference.")


def verify_command(
    name: Name, json: Json = False, data_dir: DataDir = None, dsn: Dsn = None
) -> None:
    """Compare a snapshot with what was written and signed; status 1 where it is not that."""
    from quartermaster.snapshots import seal

    with open_session(data_dir, dsn) as session:
        found = session.call("verify_snapshot", name=name)
        row = _one(session, name)
    found += [
        {"faulty": name, "fault": fault} for fault in seal.faults(row, paths.data_dir(data_dir))
    ]
    if json:
        print_json({"name": name, "faults": found})
    elif found:
        print_table(("faulty", "fault"), [(each["faulty"], each["fault"]) for each in found])
    else:
        out.print(f"{name} is whole: {row['tools']} tools, signature and artifact fit.")
    if found:
        raise typer.Exit(1)


def activate_command(
    name: Name,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would happen.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Take the catalog back to a snapshot, for every replica at once; it can be undone."""
    from quartermaster.snapshots import seal

    with open_session(data_dir, dsn) as session:
        [row] = session.call("activate_snapshot", name=name, dry_run=True)
        kept = _one(session, name)
        wrong = seal.faults(kept, paths.data_dir(data_dir)) if kept["signature"] else []
        if wrong:
            raise QmError(
                409,
                "snapshot_damaged",
                f"The snapshot {name} cannot be trusted: {'; '.join(wrong)}.",
                f"See qm snapshot verify {name}; take another one, or restore its file.",
            )
        if not json:
            _print_effect(row)
        if not dry_run:
            if not yes:
                typer.confirm(f"Take the catalog back to {name}?", abort=True, err=True)
            [row] = session.call("activate_snapshot", name=name)
    if json:
        print_json(row | {"name": name, "activated": not dry_run})
    elif not dry_run:
        out.print(
            f"Done. To undo it: qm snapshot activate {row['undo']}",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )


def drop_command(
    name: Name,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Forget a snapshot and remove its file; the versions of its tools stay."""
    with open_session(data_dir, dsn) as session:
        [row] = session.call("drop_snapshot", name=name, dry_run=True)
        if not json:
            out.print(f"{name} with {row['tools']} tools, {row['artifact'] or 'no file'}: goes.")
        if not dry_run:
            if not yes:
                typer.confirm("Drop it?", abort=True, err=True)
            session.call("drop_snapshot", name=name)
            if row["artifact"] is not None:
                (paths.data_dir(data_dir) / row["artifact"]).unlink(missing_ok=True)
    if json:
        print_json(row | {"name": name, "dropped": not dry_run})


def _one(session: Session, name: str) -> Row:
    return next(row for row in session.call("list_snapshots") if row["name"] == name)


def _shown(row: Row) -> Row:
    sealed = row["signature"] is not None
    secretless = {key: value for key, value in row.items() if not isinstance(value, bytes)}
    return secretless | {"sealed": sealed}


def _print_effect(row: Row) -> None:
    out.print(
        f"{row['restored']} definitions are put back, {row['returned']} tools come back,"
        f" {row['withdrawn']} are withdrawn."
    )
    if row["unavailable"]:
        out.print(f"{row['unavailable']} stay away: their origin was removed.")
