"""``qm install``: installs or updates the schema."""

from __future__ import annotations

from typing import Annotated

import typer

from quartermaster.cli.options import DataDir, Dsn
from quartermaster.cli.output import note, say
from quartermaster.cli.session import running


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("install")(install_command)


def install_command(
    data_dir: DataDir = None,
    dsn: Dsn = None,
    functions_only: Annotated[
        bool, typer.Option("--functions-only", help="Only re-apply the functions.")
    ] = False,
) -> None:
    """Install or update the schema.

    It is one transaction; installing the same release again changes nothing.
    """
    from quartermaster.install.apply import install, refresh_functions
    from quartermaster.install.kind_folders import configured_folders

    target = dsn or running(data_dir).dsn
    folders = configured_folders(data_dir)
    if functions_only:
        say(f"{refresh_functions(target, folders)} functions re-applied.")
        return
    report = install(target, progress=note, folders=folders)
    say(f"Quartermaster {report.version} is installed on PostgreSQL {report.server}.")
    for name, reason in report.missing.items():
        say(f"Not available: {name}. {reason}")
