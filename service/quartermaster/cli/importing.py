"""``qm import``: files of servers and of tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from quartermaster.cli.options import DryRun
from quartermaster.cli.output import print_json
from quartermaster.cli.session import DataDir, Dsn, Json

Format = Literal["auto", "mcp", "jsonl"]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("import")(import_command)


def import_command(
    file: Annotated[Path, typer.Argument(help="mcpServers JSON, tools JSONL or registry dump.")],
    format: Annotated[Format, typer.Option(help="What the file holds.")] = "auto",  # noqa: A002
    dry_run: DryRun = False,
    wait: Annotated[bool, typer.Option(help="Wait for tools and vectors.")] = True,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Import servers (Claude, Cursor, VS Code, smartmcp) or tools; status 1: all were rejected."""
    from quartermaster.cli.import_servers import import_servers_file
    from quartermaster.cli.import_tools import import_tools_file

    holds_servers = format == "mcp" or (format == "auto" and _holds_servers(file))
    run = import_servers_file if holds_servers else import_tools_file
    report = run(file, dry_run, wait, json, data_dir, dsn)
    if json:
        print_json(report)
    if report["all_rejected"]:
        raise typer.Exit(1)


def _holds_servers(file: Path) -> bool:
    """Whether a file is one JSON object rather than an array, or an object a line."""
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
