"""``qm docs``: the reference of the api functions."""

from __future__ import annotations

import sys

import typer

from quartermaster.cli.options import DataDir, Dsn
from quartermaster.cli.session import running


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("docs")(docs_command)


def docs_command(data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """Print the reference of the api functions (Markdown)."""
    from quartermaster.install.reference import reference

    sys.stdout.write(reference(dsn or running(data_dir).dsn))
