"""The database server of an evaluation: one that is there, or an embedded one for its length."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from quartermaster.core import paths
from quartermaster.settings import Settings
from quartermaster.substrate.embedded import EmbeddedServer


@dataclass(frozen=True)
class Place:
    """A server on which throw-away databases can be made.

    Attributes:
        dsn: of an administrator.
        keeps: whether the database of that DSN outlives the run, so that results can stay there.
    """

    dsn: str
    keeps: bool


@contextmanager
def find_place(
    settings: Settings, data_dir: Path, dsn: str | None, *, embedded: bool = False
) -> Generator[Place]:
    """The server to use: the DSN given, that of the running `qm up`, or a new embedded one.

    Args:
        settings: postgres counts here.
        data_dir: the data directory; its runtime directory holds PostgreSQL's programs.
        dsn: of an administrator, or None.
        embedded: start a server of its own whatever runs.

    Raises:
        QmError: of the embedded server.
    """
    run = paths.RunFile.read(data_dir)
    if dsn is not None:
        yield Place(dsn, keeps=True)
    elif run is not None and run.is_alive() and not embedded:
        yield Place(run.dsn, keeps=True)
    else:
        folder = Path(tempfile.mkdtemp(prefix="qm-eval-"))
        # Open to the user that PostgreSQL runs as.
        folder.chmod(0o755)
        try:
            with EmbeddedServer(
                folder,
                paths.runtime_dir(data_dir),
                shared_buffers=settings.postgres.shared_buffers,
            ) as server:
                yield Place(server.dsn, keeps=False)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
