"""``qm asset``: reviews the resources, prompts and instructions of servers."""

from __future__ import annotations

import typer

from quartermaster.cli import items


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    asset = typer.Typer(
        no_args_is_help=True, help="Review the resources, prompts and instructions of servers."
    )
    items.add_commands(asset)
    app.add_typer(asset, name="asset")
