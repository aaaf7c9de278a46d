"""``qm bundle``: the installation as one psql script."""

from __future__ import annotations

import sys

import typer

from quartermaster.cli.options import DataDir


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("bundle")(bundle_command)


def bundle_command(data_dir: DataDir = None) -> None:
    """Print the installation as one psql script, with the kind folders of the settings."""
    from quartermaster.install.bundle import bundle
    from quartermaster.install.kind_folders import configured_folders

    sys.stdout.write(bundle(configured_folders(data_dir)))
