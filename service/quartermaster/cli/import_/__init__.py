"""``qm import``: files of servers or tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from quartermaster.cli.options import DataDir, DryRun, Dsn, Json
from quartermaster.cli.output import print_json

Format = Literal["auto", "mcp", "jsonl"]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("import")(import_command)


def import_command(
    file: Annotated[
        Path, typer.Argument(help="mcpServers JSON, tools as JSON Lines, or a registry dump.")
    ],
    format: Annotated[Format, typer.Option(help="Format of the file.")] = "auto",  # noqa: A002
    dry_run: DryRun = False,
    wait: Annotated[bool, typer.Option(help="Wait until tools are read and embedded.")] = True,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Import servers or tools from a file.

    Reads the configurations of Claude, Cursor, VS Code and smartmcp, files of tools, and registry
    dumps. Exit status 1: every entry was rejected.
    """
    from quartermaster.cli.import_.servers import import_servers_file
    from quartermaster.cli.import_.tools import import_tools_file

    holds_servers = format == "mcp" or (format == "auto" and _holds_servers(file))
    run = import_servers_file if holds_servers else import_tools_file
    report = run(file, dry_run, wait, json, data_dir, dsn)
    if json:
        print_json(report)
    if report["all_rejected"]:
        raise typer.Exit(1)


def _holds_servers(file: Path) -> bool:
    """Whether a file is a single JSON object, not an array or one object a line."""
    from quartermaster.catalog.importers.mcp_servers import read_text
    from quartermaster.core.json_text import SyntaxProblem, parse

    if file.suffix == ".jsonl":
        return False
    text = read_text(file).lstrip()
    if text.startswith("["):
        return False
    try:
        first, _ = parse(text.partition("\n")[0])
    except SyntaxProblem:
        return True
    return not (isinstance(first, dict) and "name" in first)
