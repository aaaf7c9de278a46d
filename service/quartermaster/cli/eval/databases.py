"""Temporary databases of the commands that measure, and the options these commands share."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quartermaster.cli.interruption import raise_on_signals
from quartermaster.cli.output import err
from quartermaster.cli.progress import Progress
from quartermaster.core import logs, paths
from quartermaster.settings import Settings, load

if TYPE_CHECKING:
    from quartermaster.eval.arena import Bench

Sets = Annotated[
    list[Path],
    typer.Argument(help="Folders with tools.jsonl and queries.jsonl, or pairs of such files."),
]
LearningSplit = Annotated[str, typer.Option(help="Split to learn from: dev or train.")]
Embedded = Annotated[
    bool,
    typer.Option("--embedded", help="Use a temporary database server, even if one is running."),
]
Kind = Annotated[str, typer.Option(help="Kind of the cards in the file; see qm card.")]


def prepared(data_dir: Path, file: Path | None) -> Settings:
    """The settings; from here on only warnings are logged, and SIGTERM acts like Ctrl-C.

    Raises:
        QmError: QM422 settings_invalid.
    """
    logs.configure("warning", json=False)
    raise_on_signals()
    return load(data_dir, file)


@contextmanager
def workbench(
    settings: Settings,
    data_dir: Path,
    dsn: str | None,
    count: int = 1,
    *,
    embedded: bool = False,
    title: str = "",
) -> Generator[Bench]:
    """Temporary databases that are dropped at the end: on the server of the DSN given, of the
    running `qm up`, or on an embedded one for their length.

    Raises:
        QmError: of the server or the installation.
    """
    from quartermaster.eval.arena import Bench
    from quartermaster.install.throw_away import throw_away_database

    run = paths.RunFile.read(data_dir)
    keeps = dsn
    if dsn is None and run is not None and run.is_alive() and not embedded:
        keeps = run.dsn
    with ExitStack() as stack:
        with err.status("starting a database"):
            place = keeps or stack.enter_context(_server(settings, data_dir))
            made = [stack.enter_context(throw_away_database(place)) for _ in range(count)]
        progress = stack.enter_context(Progress(title))
        yield Bench(settings, data_dir, made, progress.update, keeps)


@contextmanager
def _server(settings: Settings, data_dir: Path) -> Generator[str]:
    """A new embedded server in a folder of its own; its administrator's DSN."""
    from quartermaster.substrate.embedded import EmbeddedServer

    folder = Path(tempfile.mkdtemp(prefix="qm-eval-"))
    # Open to the user that PostgreSQL runs as.
    folder.chmod(0o755)
    buffers = settings.postgres.shared_buffers
    try:
        with EmbeddedServer(folder, paths.runtime_dir(data_dir), shared_buffers=buffers) as server:
            yield server.dsn
    finally:
        shutil.rmtree(folder, ignore_errors=True)
