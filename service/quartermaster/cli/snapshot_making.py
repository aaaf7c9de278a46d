"""``qm snapshot create``."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import MofNCompleteColumn

from quartermaster.cli.output import out, print_json
from quartermaster.cli.session import DataDir, Dsn, Json, Row, Session, open_session
from quartermaster.cli.waiting import progress_bar
from quartermaster.core import paths
from quartermaster.secrets.store import SecretStore
from quartermaster.settings import load

if TYPE_CHECKING:
    from quartermaster.snapshots.store import Store

_PAGE = 1000


def create_command(
    name: Annotated[str, typer.Argument(help="Letters, digits, dots, dashes, underscores.")],
    note: Annotated[str, typer.Option(help="What it is for.")] = "",
    to: Annotated[
        str | None, typer.Option(metavar="URL", help="Copy its file there; else snapshots.store.")
    ] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Keep the catalog as it is offered now: in the database, and as a signed file."""
    from quartermaster.snapshots import artifact
    from quartermaster.snapshots.seal import write_sealed

    folder = paths.data_dir(data_dir)
    store = open_store(folder, to)
    path = artifact.path_of(folder, name)
    url: str | None = None
    with open_session(data_dir, dsn) as session:
        [made] = session.call("create_snapshot", name=name, note=note)
        tools = _tools(session, name, made["tools"])
        session.call("seal_snapshot", **write_sealed(folder, name, made["manifest"], tools))
        if store is not None:
            url = store.put(path)
            session.call("place_snapshot", name=name, url=url)
    if json:
        print_json(made | {"name": name, "artifact": str(path), "artifact_url": url})
        return
    out.print(
        f"Snapshot {name}: {made['tools']} tools of {made['origins']} origins, signed, in {path}"
        + (f" and {url}" if url else ""),
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


def open_store(folder: Path, url: str | None) -> Store | None:
    """The store of a URL, or of the settings, if they name one.

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


def _tools(session: Session, name: str, total: int) -> Generator[Row]:
    after = 0
    with progress_bar(MofNCompleteColumn()) as bars:
        task = bars.add_task("writing", total=total)
        while rows := session.call("read_snapshot", name=name, after=after, maximum=_PAGE):
            yield from rows
            after = rows[-1]["tool_id"]
            bars.advance(task, len(rows))
