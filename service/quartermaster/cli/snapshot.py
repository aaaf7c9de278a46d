"""``qm snapshot``: keeps, compares and restores states of the catalog."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import MofNCompleteColumn

from quartermaster.cli.options import DataDir, DryRun, Dsn, Json, Yes
from quartermaster.cli.output import confirm, counted, err, print_json, print_rows, say
from quartermaster.cli.progress import progress_bar
from quartermaster.cli.session import Row, Session, open_session
from quartermaster.core import paths
from quartermaster.core.errors import QmError
from quartermaster.secrets.store import SecretStore
from quartermaster.settings import load

if TYPE_CHECKING:
    from quartermaster.snapshots.store import Store

_LISTED = ("name", "created_at", "created_by", "items", "origins", "sealed", "activated_at", "note")
_PAGE = 1000
_CHANGES = ("change", "kind", "name", "origin", "from_version", "to_version")
Name = Annotated[str, typer.Argument(help="Name of the snapshot; see qm snapshot list.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    snapshot = typer.Typer(
        no_args_is_help=True, help="Keep, compare and restore states of the catalog."
    )
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
    shown = rows if json else [row | {"items": _items(row["items"])} for row in rows]
    print_rows(shown, _LISTED, json, empty="No snapshots. Take one: qm snapshot create NAME.")


def diff_command(
    before: Name,
    after: Annotated[
        str | None, typer.Argument(help="Another snapshot; default: the present catalog.")
    ] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show what was added, removed and changed since a snapshot, or between two."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("diff_snapshots", before=before, after=after)
    print_rows(rows, _CHANGES, json, empty="No difference.")


def verify_command(
    name: Name, json: Json = False, data_dir: DataDir = None, dsn: Dsn = None
) -> None:
    """Check a snapshot against its signature.

    Exit status 1: something was altered.
    """
    with open_session(data_dir, dsn) as session, err.status(f"verifying {name}"):
        found = session.call("verify_snapshot", name=name)
        row = _one(session, name)
        found += [{"faulty": name, "fault": fault} for fault in _seal_faults(row, data_dir)]
    if json:
        print_json({"name": name, "faults": found})
    elif found:
        print_rows(found, ("faulty", "fault"), as_json=False)
    else:
        say(f"{name} is intact: {_items(row['items'])}; the signature matches the file.")
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
    """Restore the catalog of a snapshot, for all replicas at once.

    The state before it is kept as a snapshot, so this can be undone.
    """
    with open_session(data_dir, dsn) as session:
        [row] = session.call("activate_snapshot", name=name, dry_run=True)
        kept = _one(session, name)
        wrong = _seal_faults(kept, data_dir) if kept["signature"] else []
        if wrong:
            raise QmError(
                409,
                "snapshot_damaged",
                f"The snapshot {name} was altered: {'; '.join(wrong)}.",
                f"See qm snapshot verify {name}. Use another snapshot, or restore its file.",
            )
        if not json:
            _print_effect(row)
        if not dry_run:
            confirm(f"Restore the catalog of {name}?", yes=yes)
            with err.status("restoring the catalog"):
                [row] = session.call("activate_snapshot", name=name)
    if json:
        print_json(row | {"name": name, "activated": not dry_run})
    elif not dry_run:
        say(f"Restored. To undo: qm snapshot activate {row['undo']}")


def drop_command(
    name: Name,
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Delete a snapshot and its file; the versions of its items are kept."""
    with open_session(data_dir, dsn) as session:
        [row] = session.call("drop_snapshot", name=name, dry_run=True)
        if not json:
            places = [row["artifact"] or "no file", *filter(None, [row["artifact_url"]])]
            items = _items(row["items"])
            say(f"This deletes the snapshot {name} of {items} ({', '.join(places)}) for good.")
        if not dry_run:
            confirm("Delete it?", yes=yes)
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
    elif not dry_run:
        say("Deleted.")


def keep_command(
    count: Annotated[int, typer.Argument(min=1, max=1000, help="Number of regular snapshots.")],
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Set how many regular snapshots are kept.

    To take none: qm job set snapshot --off.
    """
    with open_session(data_dir, dsn) as session:
        kept: int = session.call_value("keep_snapshots", count=count)
    if json:
        print_json({"kept": kept})
    else:
        say(f"{counted(kept, 'regular snapshot')} will be kept; older ones are deleted.")


def _seal_faults(row: Row, data_dir: Path | None) -> list[str]:
    """Faults of the seal and the file, which is fetched first if it is not on this machine."""
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


def _items(number_of: dict[str, int]) -> str:
    """How many items there are, and how many of each kind."""
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in sorted(number_of.items()))
    return counted(sum(number_of.values()), "item") + (f" ({kinds})" if kinds else "")


def _print_effect(row: Row) -> None:
    say(
        f"This restores {counted(row['restored'], 'definition')}, brings back"
        f" {counted(row['returned'], 'item')} and withdraws {row['withdrawn']}."
    )
    if row["unavailable"]:
        say(f"Not restored, since their origin was removed: {counted(row['unavailable'], 'item')}.")


def create_command(
    name: Annotated[str, typer.Argument(help="Name: letters, digits, dots, dashes, underscores.")],
    note: Annotated[str, typer.Option(help="Purpose of the snapshot.")] = "",
    to: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Store for a copy; default: setting snapshots.store."),
    ] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Keep the present catalog in the database and as a signed file."""
    from quartermaster.snapshots import artifact
    from quartermaster.snapshots.seal import write_sealed

    folder = paths.data_dir(data_dir)
    store = open_store(folder, to)
    path = artifact.path_of(folder, name)
    url: str | None = None
    with open_session(data_dir, dsn) as session:
        [made] = session.call("create_snapshot", name=name, note=note)
        items = _read(session, name, sum(made["items"].values()))
        session.call("seal_snapshot", **write_sealed(folder, name, made["manifest"], items))
        if store is not None:
            url = store.put(path)
            session.call("place_snapshot", name=name, url=url)
    if json:
        print_json(made | {"name": name, "artifact": str(path), "artifact_url": url})
        return
    say(
        f"Snapshot {name}: {_items(made['items'])} of"
        f" {counted(made['origins'], 'origin')}, signed, in {path}" + (f" and {url}" if url else "")
    )


def open_store(folder: Path, url: str | None) -> Store | None:
    """The store of a URL, or that of the settings.

    Args:
        folder: data directory with settings and secrets.
        url: None for that of the settings.

    Raises:
        QmError: QM422 settings_invalid, QM502 store_failed.
    """
    from quartermaster.snapshots.store import Store

    options = load(folder).snapshots
    target = url or options.store
    return None if target is None else Store(target, options, SecretStore(folder))


def _read(session: Session, name: str, total: int) -> Generator[Row]:
    after = 0
    with progress_bar(MofNCompleteColumn()) as bars:
        task = bars.add_task("Writing", total=total)
        while rows := session.call("read_snapshot", name=name, after=after, maximum=_PAGE):
            yield from rows
            after = rows[-1]["id"]
            bars.advance(task, len(rows))
