"""``qm snapshot``: the catalog as it was, kept, compared, and brought back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quartermaster.cli.options import DryRun, Yes
from quartermaster.cli.output import out, print_json, print_rows, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, Row, Session, open_session
from quartermaster.cli.snapshot_making import create_command
from quartermaster.core import paths
from quartermaster.core.errors import QmError
from quartermaster.secrets.store import SecretStore
from quartermaster.settings import load

if TYPE_CHECKING:
    from quartermaster.snapshots.store import Store

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
    snapshot.command("keep")(keep_command)
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
    with open_session(data_dir, dsn) as session:
        found = session.call("verify_snapshot", name=name)
        row = _one(session, name)
    found += [{"faulty": name, "fault": fault} for fault in _seal_faults(row, data_dir)]
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
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Take the catalog back to a snapshot, for every replica at once; it can be undone."""
    with open_session(data_dir, dsn) as session:
        [row] = session.call("activate_snapshot", name=name, dry_run=True)
        kept = _one(session, name)
        wrong = _seal_faults(kept, data_dir) if kept["signature"] else []
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
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Forget a snapshot and remove its file; the versions of its tools stay."""
    with open_session(data_dir, dsn) as session:
        [row] = session.call("drop_snapshot", name=name, dry_run=True)
        if not json:
            places = [row["artifact"] or "no file", *filter(None, [row["artifact_url"]])]
            out.print(f"{name} with {row['tools']} tools, {', '.join(places)}: goes.")
        if not dry_run:
            if not yes:
                typer.confirm("Drop it?", abort=True, err=True)
            session.call("drop_snapshot", name=name)
            folder = paths.data_dir(data_dir)
            if row["artifact"] is not None:
                (folder / row["artifact"]).unlink(missing_ok=True)
            if row["artifact_url"] is not None:
                _store_of(row["artifact_url"], folder).remove(
                    row["artifact_url"].rpartition("/")[2]
                )
    if json:
        print_json(row | {"name": name, "dropped": not dry_run})


def keep_command(
    count: Annotated[int, typer.Argument(min=1, max=1000, help="How many.")],
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Keep so many of the regular snapshots; `qm job set snapshot --off` makes no more of them."""
    with open_session(data_dir, dsn) as session:
        kept: int = session.call_value("keep_snapshots", count=count)
    out.print(f"{kept} regular snapshots are kept, from the next one on.")


def _seal_faults(row: Row, data_dir: Path | None) -> list[str]:
    """What is wrong with seal and artifact; an artifact that is not here is fetched first."""
    from quartermaster.snapshots import seal

    folder = paths.data_dir(data_dir)
    if row["artifact_url"] is not None and not (folder / row["artifact"]).exists():
        _store_of(row["artifact_url"], folder).fetch(folder / row["artifact"])
    return seal.faults(row, folder)


def _store_of(url: str, folder: Path) -> Store:
    from quartermaster.snapshots.store import beside

    return beside(url, load(folder).snapshots, SecretStore(folder))


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
