"""``qm bundle``: the installation as one psql script."""

from __future__ import annotations

import sys

import typer


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("bundle")(bundle_command)


def bundle_command() -> None:
    """Print the installation as one psql script."""
    from quartermaster.install.bundle import bundle

    sys.stdout.write(bundle())
