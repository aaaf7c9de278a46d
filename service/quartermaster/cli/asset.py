"""``qm asset``: resources, prompts and instructions: what waits, what the scan found."""

from __future__ import annotations

import typer

from quartermaster.cli import items


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    asset = typer.Typer(
        no_args_is_help=True, help="Review the resources, prompts and instructions of servers."
    )
    items.add_commands(asset)
    asset.command("show")(items.show_command)
    app.add_typer(asset, name="asset")
