"""``qm snapshot``: stores, compares and restores snapshots of the catalog."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Annotated, Final

from typer import Argument, Option

from quartermaster import api
from quartermaster.cli.command import Command, Decision, Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import Columns, counted, err, tallied
from quartermaster.cli.session import Row
from quartermaster.cli.waiting import progress_bar
from quartermaster.core.errors import QmError

if TYPE_CHECKING:
    from quartermaster.snapshots.store import Store

_PAGE: Final = 1000
_LISTED_COLUMNS: Final[Columns] = [
    "name",
    ("created", "created_at"),
    ("items", lambda row: f"{sum(row['items'].values()):,}"),
    ("activated", "activated_at"),
    "note",
]
_CHANGES: Final = ("change", "kind", "name", "origin", "from_version", "to_version")
Name = Annotated[str, "Name of the snapshot; see qm snapshot list."]

noun = Noun("Create, compare and restore snapshots of the catalog.")


@noun.verb()
def create_command(
    qm: Qm,
    name: Annotated[str, "Name: letters, digits, dots, dashes and underscores."],
    note: Annotated[str, "Purpose of the snapshot."] = "",
    to: Annotated[
        str | None,
        "Where to put a copy of the snapshot (default: the setting snapshots.store).",
        Option(metavar="URL"),
    ] = None,
) -> Row:
    """Save the current catalog in the database and as a signed file."""
    from quartermaster.core.locks import exclusive
    from quartermaster.secrets.store import SecretStore
    from quartermaster.snapshots import artifact
    from quartermaster.snapshots.seal import write_sealed
    from quartermaster.snapshots.store import Store

    options = qm.settings().snapshots
    target = to or options.store
    # Problems with the store are reported before anything is saved.
    store = None if target is None else Store(target, options, SecretStore(qm.folder))
    path = artifact.path_of(qm.folder, name)
    # Another process could take an unsealed snapshot of this name again, and write the same file.
    with exclusive(qm.folder / "snapshots.lock"):
        [made] = qm.call(api.create_snapshot(name=name, note=note))
        items = _read(qm, name, sum(made["items"].values()))
        qm.call(api.seal_snapshot(**write_sealed(qm.folder, name, made["manifest"], items)))
    url = None if store is None else store.put(path)
    if url is not None:
        qm.call(api.place_snapshot(name=name, url=url))
    qm.say(
        f"Snapshot {name}: {_items(made)} from {counted(made['origins'], 'origin')}, signed,"
        f" in {path}" + (f" and {url}" if url else "")
    )
    return {**made, "name": name, "artifact": str(path), "artifact_url": url}


@noun.verb()
def list_command(qm: Qm) -> Sequence[Row]:
    """List the snapshots, newest first."""
    rows = [
        {key: value for key, value in row.items() if not isinstance(value, bytes)}
        | {"sealed": row["signature"] is not None}
        for row in qm.read(api.list_snapshots())
    ]
    return qm.table(
        rows, _LISTED_COLUMNS, empty="No snapshots. Create one with: qm snapshot create NAME."
    )


@noun.verb()
def diff_command(
    qm: Qm,
    before: Name,
    after: Annotated[
        str | None, "Another snapshot; default: the current catalog.", Argument()
    ] = None,
) -> Sequence[Row]:
    """Show what was added, removed and changed since a snapshot or between two snapshots."""
    rows = qm.call(api.diff_snapshots(before=before, after=after))
    return qm.table(rows, _CHANGES, empty="There are no differences.")


@noun.verb()
def verify_command(qm: Qm, name: Name) -> Row:
    """Verify that a snapshot matches its signature.

    Exits with status 1 if something was altered.
    """
    with err.status(f"verifying {name}"):
        found = qm.call(api.verify_snapshot(name=name))
        row = _one(qm, name)
        found += [{"faulty": name, "fault": fault} for fault in _seal_faults(qm, row)]
    qm.table(found, ("faulty", "fault"))
    if not found:
        qm.say(f"{name} is intact: {_items(row)}; the signature matches the file.")
    qm.failed = bool(found)
    return {"name": name, "faults": found}


@noun.verb()
def activate_command(
    qm: Decision,
    name: Name,
    lift: Annotated[
        list[str] | None, "Restore this item even if it is in quarantine; repeatable."
    ] = None,
) -> Row:
    """Restore the catalog from a snapshot, for all replicas together.

    The current state is kept as a snapshot, so this can be undone.
    """
    lifted = lift or []
    [row] = qm.call(api.activate_snapshot(name=name, dry_run=True, lift=lifted))
    retained = _one(qm, name)
    wrong = _seal_faults(qm, retained) if retained["signature"] else []
    if wrong:
        raise QmError(
            409,
            "snapshot_damaged",
            f"The snapshot {name} was altered: {'; '.join(wrong)}.",
            f"See qm snapshot verify {name}. Use another snapshot, or restore this snapshot's file"
            " from a backup.",
        )
    qm.say(
        f"This restores {counted(row['restored'], 'definition')}, brings back"
        f" {counted(row['returned'], 'item')} and withdraws"
        f" {counted(row['withdrawn'], 'item')}."
    )
    if row["unavailable"]:
        gone = counted(row["unavailable"], "item")
        qm.say(f"Not restored, because the origin was removed: {gone}.")
    for item in row["quarantined"]:
        qm.say(f"{item} stays in quarantine. To bring it back, add: --lift {item}")
    for item in lifted:
        qm.confirmed(f"End the quarantine of {item}?")
    if qm.confirmed(f"Restore the catalog from {name}?"):
        with err.status("restoring the catalog"):
            [row] = qm.call(api.activate_snapshot(name=name, lift=lifted))
        qm.say(f"Restored. To undo: qm snapshot activate {row['undo']}")
    return row | {"name": name, "activated": not qm.dry_run}


@noun.verb()
def drop_command(qm: Decision, name: Name) -> Row:
    """Delete a snapshot and its file; the versions of its items are kept."""
    [row] = qm.call(api.drop_snapshot(name=name, dry_run=True))
    file, url = row["artifact"], row["artifact_url"]
    places = ", ".join(filter(None, [file or "no file", url]))
    qm.say(f"This permanently deletes the snapshot {name} with {_items(row)} ({places}).")
    if qm.confirmed("Delete it?"):
        qm.call(api.drop_snapshot(name=name))
        if file is not None:
            (qm.folder / file).unlink(missing_ok=True)
        if url is not None:
            _store_of(qm, url).remove(url.rpartition("/")[2])
        qm.say("Deleted.")
    return {**row, "name": name, "dropped": not qm.dry_run}


@noun.verb()
def keep_command(
    qm: Qm, count: Annotated[int, "Number of snapshots to keep.", Argument(min=1, max=1000)]
) -> Row:
    """Set the number of regular snapshots that are kept.

    To take none: qm job set snapshot --off.
    """
    retained: int = qm.call_value(api.keep_snapshots(count=count))
    qm.say(
        f"{counted(retained, 'regular snapshot')} will be kept; older regular snapshots will be"
        " deleted."
    )
    return {"kept": retained}


def _seal_faults(qm: Command, row: Row) -> list[str]:
    """Returns the faults in the signature and the file of a snapshot. Downloads the file first if
    it is not on this machine.
    """
    from quartermaster.snapshots import seal

    if row["artifact_url"] is not None and not (file := qm.folder / row["artifact"]).exists():
        _store_of(qm, row["artifact_url"]).fetch(file)
    return seal.faults(row, qm.folder)


def _store_of(qm: Command, url: str) -> Store:
    from quartermaster.secrets.store import SecretStore
    from quartermaster.snapshots.store import beside

    return beside(url, qm.settings().snapshots, SecretStore(qm.folder))


def _one(qm: Command, name: str) -> Row:
    return next(row for row in qm.call(api.list_snapshots()) if row["name"] == name)


def _items(row: Row) -> str:
    """Returns the number of items, in total and of each kind."""
    kinds = tallied(row["items"])
    return counted(sum(row["items"].values()), "item") + (f" ({kinds})" if kinds else "")


def _read(qm: Command, name: str, total: int) -> Generator[Row]:
    from rich.progress import MofNCompleteColumn

    after = 0
    with progress_bar(MofNCompleteColumn()) as bars:
        task = bars.add_task("Writing", total=total)
        while rows := qm.call(api.read_snapshot(name=name, after=after, maximum=_PAGE)):
            yield from rows
            after = rows[-1]["id"]
            bars.advance(task, len(rows))
