"""``qm tool``: reviews tools, tries them out, and sets the terms of their calls."""

from __future__ import annotations

import typer

from quartermaster.cli import items
from quartermaster.cli.tool import probe, terms


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    tool = typer.Typer(no_args_is_help=True, help="Review tools: approve, quarantine, scan, probe.")
    items.add_commands(tool)
    tool.command("probe")(probe.probe_command)
    terms.register(tool)
    app.add_typer(tool, name="tool")
