"""``qm tool`` and ``qm asset``: what is offered, what waits, what was found."""

from __future__ import annotations

import typer

from quartermaster.cli import items, probing, terms


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    tool = typer.Typer(no_args_is_help=True, help="Tools: approval, quarantine, scan, probes.")
    items.add_commands(tool)
    tool.command("probe")(probing.probe_command)
    terms.register(tool)
    app.add_typer(tool, name="tool")
    asset = typer.Typer(no_args_is_help=True, help="Resources, prompts, instructions: trust.")
    items.add_commands(asset)
    asset.command("withhold", hidden=True)(items.withhold_command)
    app.add_typer(asset, name="asset")
