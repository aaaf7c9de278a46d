"""``qm up``: start everything and serve."""

from __future__ import annotations

import functools
import gc
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import anyio
import typer

from quartermaster import __version__
from quartermaster.cli.output import out
from quartermaster.cli.secret_values import open_store, warn_of_lock
from quartermaster.cli.session import DataDir, Dsn
from quartermaster.core import logs, paths
from quartermaster.core.stop_signals import stop_as_by_ctrl_c
from quartermaster.settings import Settings, load

SettingsFile = Annotated[
    Path | None, typer.Option("--settings", help="Settings file (YAML).", envvar="QM_SETTINGS")
]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("up")(up_command)


def up_command(
    data_dir: DataDir = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port to serve at; 0: any free one.")
    ] = None,
    dsn: Dsn = None,
    settings: SettingsFile = None,
    starter: Annotated[bool, typer.Option(help="Install and connect the starter servers.")] = True,
) -> None:
    """Start the database, install the schema, connect the servers, and serve until stopped."""
    folder = paths.data_dir(data_dir)
    configured = configure(folder, settings, dsn=dsn, port=port)
    # At a terminal, a vault is unlocked here; elsewhere the environment or a file has to.
    warn_of_lock(open_store(data_dir))
    _log_to_file(folder, configured)
    out.print(f"[bold]Quartermaster {__version__}[/] in {folder}")
    # None of the many classes that are made here is ever garbage: nobody need look at them.
    gc.disable()
    from quartermaster.cli.welcome import Welcome
    from quartermaster.doors.http.up import up

    gc.freeze()
    gc.enable()

    stop_as_by_ctrl_c()
    welcome = Welcome(with_starters=starter)
    anyio.run(
        functools.partial(up, configured, folder, welcome, welcome.step),
        backend_options={"use_uvloop": sys.platform != "win32"},
    )
    with suppress(OSError):  # its terminal may be gone
        out.print("Stopped. Everything is kept for the next [bold]qm up[/].")


def configure(
    data_dir: Path, file: Path | None, *, dsn: str | None = None, port: int | None = None
) -> Settings:
    """The settings, with what the command line overrides.

    Raises:
        QmError: QM422 settings_invalid.
    """
    settings = load(data_dir, file)
    if dsn is not None:
        database = settings.database.model_copy(update={"dsn": dsn})
        settings = settings.model_copy(update={"database": database})
    if port is not None:
        server = settings.server.model_copy(update={"port": port})
        settings = settings.model_copy(update={"server": server})
    return settings


def _log_to_file(data_dir: Path, settings: Settings) -> None:
    """On a terminal the log goes to a file, so that people can read what is printed."""
    if sys.stderr.isatty():
        folder = data_dir / "log"
        folder.mkdir(parents=True, exist_ok=True)
        sys.stderr = (folder / "service.log").open("a", encoding="utf-8", buffering=1)
    logs.configure(settings.log.level, json=settings.log.as_json)
