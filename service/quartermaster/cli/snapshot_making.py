"""``qm snapshot create``."""

from __future__ import annotations

from collections.abc import Generator
from typing import Annotated

import typer
from rich.progress import MofNCompleteColumn

from quartermaster import paths
from quartermaster.cli.output import out, print_json
from quartermaster.cli.session import DataDir, Dsn, Json, Row, Session, open_session
from quartermaster.cli.waiting import progress_bar

_PAGE = 1000


def create_command(
    name: Annotated[str, typer.Argument(help="Letters, digits, dots, dashes, underscores.")],
    note: Annotated[str, typer.Option(help="What it is for.")] = "",
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Keep the catalog as it is offered now: in the database, and as a signed file."""
    from quartermaster.signing_key import SigningKey
    from quartermaster.snapshots import artifact, seal

    folder = paths.data_dir(data_dir)
    key = SigningKey.open(folder)
    with open_session(data_dir, dsn) as session:
        [made] = session.call("create_snapshot", name=name, note=note)
        path = artifact.path_of(folder, name)
        artifact.write_artifact(path, made["manifest"], _tools(session, name, made["tools"]))
        digest = artifact.digest_of(path)
        session.call(
            "seal_snapshot",
            name=name,
            public_key=key.public_key,
            signature=key.sign(seal.message(made["manifest"], digest)),
            artifact=str(path.relative_to(folder)),
            artifact_hash=digest,
            artifact_bytes=path.stat().st_size,
        )
    if json:
        print_json(made | {"name": name, "artifact": str(path)})
        return
    out.print(
        f"Snapshot {name}: {made['tools']} tools of {made['origins']} origins, signed, in {path}",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


def _tools(session: Session, name: str, total: int) -> Generator[Row]:
    after = 0
    with progress_bar(MofNCompleteColumn()) as bars:
        task = bars.add_task("writing", total=total)
        while rows := session.call("read_snapshot", name=name, after=after, maximum=_PAGE):
            yield from rows
            after = rows[-1]["tool_id"]
            bars.advance(task, len(rows))
