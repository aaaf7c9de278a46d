"""Removes imported servers from the files of a client, and restores them."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, cast

import typer

from quartermaster.catalog.importers.mcp_servers import McpConfig
from quartermaster.cli.changed_file import print_change
from quartermaster.cli.command import Command
from quartermaster.cli.output import counted
from quartermaster.cli.session import Row
from quartermaster.clients.client import Client, Format
from quartermaster.clients.editing import replace_text, require_same, with_entry, without_entry
from quartermaster.clients.reading import format_of, read_exactly, read_servers
from quartermaster.core import paths
from quartermaster.core.errors import QmError

Place = tuple[str | int, ...]


def take_out(
    qm: Command,
    config: McpConfig,
    client: Client | None,
    unfit: Collection[str],
    *,
    asked: bool,
) -> list[str]:
    """Removes the imported servers from their files, after a preview and a confirmation.

    Without the option for the removal, asks a person at a terminal, if the files belong to a
    client.

    Args:
        qm: the command.
        config: the imported servers. Servers that are switched off stay in their files, because the
            agent does not see them.
        client: the client that the files belong to; None if it is unknown.
        unfit: names of servers that were refused or cannot be read. They stay in their files,
            because otherwise the agent could not reach them at all.
        asked: whether an option asks for the removal.

    Returns:
        The names of the origins whose servers were removed.
    """
    there = [one.name for one in config.origins if not one.is_off and one.name in config.places]
    names = [name for name in there if name not in unfit]
    staying = [name for name in there if name in unfit]
    if asked and staying:
        qm.note(f"Not taken out, because Quartermaster cannot use them: {', '.join(staying)}")
    if not names or not (asked or _wants(qm, client, names)):
        return []
    secrets = [value for one in config.origins for value in one.secrets.values()]
    by_file = _by_file(config, names)
    if not by_file:
        return []
    changes = {path: _without(path, places, client) for path, places in by_file.items()}
    if not qm.json:
        for path, (before, after) in changes.items():
            print_change(path, before, after, secrets)
    if not qm.confirmed(f"Write {' and '.join(map(str, changes))}?"):
        return []
    for path, (before, after) in changes.items():
        require_same(path, before)
        backup = _backup(path)
        retained = read_exactly(backup)
        # What an earlier import has taken out stays in the backup, too.
        whole = before if retained is None else _restored(path, before, retained, client)
        paths.write_private(backup, whole)
        replace_text(path, before, after)
    whose = client.name if client else shlex.quote(str(next(iter(by_file))))
    qm.say(
        f"{counted(len(names), 'server')} taken out. To undo: qm import {whose} --put-back. Connect"
        f" the client to Quartermaster with: qm connect {client.name if client else 'CLIENT'}"
    )
    return names


def put_back(qm: Command, files: Sequence[Path], client: Client | None) -> Row:
    """Restores the servers that `take_out` has removed from files.

    Returns:
        ``{files}``: the files that were written.

    Raises:
        QmError: QM404 file_not_found if nothing was removed.
    """
    found = {path.resolve(): read_exactly(_backup(path.resolve())) for path in files}
    retained = {path: text for path, text in found.items() if text is not None}
    if not retained:
        raise QmError(
            404,
            "file_not_found",
            f"Nothing was taken out of {' and '.join(map(str, found))}.",
            "There is nothing to put back.",
        )
    for path, text in retained.items():
        before = read_exactly(path)
        after = text if before is None else _restored(path, before, text, client)
        if not qm.json:
            print_change(path, before, after)
        if qm.confirmed(f"Write {path}?"):
            replace_text(path, before, after)
            _backup(path).unlink()
            qm.say(f"Written. Restart {client.title if client else 'the client'}.")
    return {"files": [str(path) for path in retained], "written": not qm.dry_run}


def _wants(qm: Command, client: Client | None, names: Sequence[str]) -> bool:
    """Asks a person at a terminal whether to remove the servers from the client's files. If the
    answer is no, that is not an error.
    """
    if client is None or qm.json or qm.yes or qm.dry_run or not sys.stdin.isatty():
        return False
    question = (
        f"{client.title} still starts {counted(len(names), 'server')} itself, so its agent would"
        " see them twice. Take them out of its files?"
    )
    return typer.confirm(question, err=True)


def _by_file(config: McpConfig, names: Iterable[str]) -> dict[Path, list[Place]]:
    """Returns the places of the servers in each file. A file that consists of a single server is
    left out, and is not changed.
    """
    by_file: dict[Path, list[Place]] = {}
    for name in names:
        for path, place in config.places[name]:
            if place:
                by_file.setdefault(path.resolve(), []).append(place)
    return by_file


def _without(path: Path, places: Iterable[Place], client: Client | None) -> tuple[str, str]:
    """Returns the text of a file, and its text without the servers at these places."""
    before = read_exactly(path) or ""
    after = before
    format_ = _format(before, path, client)
    # From the end, so that the items of a list keep their numbers.
    for place in sorted(places, key=_order, reverse=True):
        after = without_entry(after, format_, place, path)
    return before, after


def _restored(path: Path, now: str, retained: str, client: Client | None) -> str:
    """Returns the current text of a file with the servers that were removed since the backup. If
    nothing else has changed, returns the backup itself.
    """
    gone = [one.path for one in _missing(path, now, retained, client)]
    format_ = _format(retained, path, client)
    without = retained
    for place in sorted(gone, key=_order, reverse=True):
        without = without_entry(without, format_, place, path)
    if without == now:
        return retained
    for one in _missing(path, now, retained, client):
        place, server = one.path, one.server
        if isinstance(place[-1], int):
            server = {"name": one.name, **cast("dict[str, Any]", server)}
            place = (*place[:-1], sys.maxsize)
        now = with_entry(now, format_, place, server, path)
    return now


def _missing(path: Path, now: str, retained: str, client: Client | None) -> list[Any]:
    """Returns the servers in the backup that are missing in the current text."""
    present = {(one.path[:-1], one.name) for one in _servers(path, now, client)}
    return [
        one for one in _servers(path, retained, client) if (one.path[:-1], one.name) not in present
    ]


def _servers(path: Path, text: str, client: Client | None) -> list[Any]:
    try:
        return read_servers(text, path, client).servers
    except QmError:
        # The file has no server any more.
        return []


def _format(text: str, path: Path, client: Client | None) -> Format:
    return client.format if client else format_of(text, path)


def _order(place: Place) -> tuple[tuple[bool, int, str], ...]:
    return tuple(
        (isinstance(key, int), key if isinstance(key, int) else 0, str(key)) for key in place
    )


def _backup(path: Path) -> Path:
    return path.with_name(path.name + ".before-qm-import")
