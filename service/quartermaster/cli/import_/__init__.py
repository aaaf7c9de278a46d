"""``qm import``: files of servers or tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Option

from quartermaster.cli.command import Trial
from quartermaster.cli.noun import Noun
from quartermaster.cli.session import Row

Format = Literal["auto", "mcp", "jsonl"]

noun = Noun()


@noun.verb()
def import_command(
    qm: Trial,
    file: Annotated[
        Path, Argument(help="mcpServers JSON, tools as JSON Lines, or a registry dump.")
    ],
    format: Annotated[Format, Option(help="Format of the file.")] = "auto",  # noqa: A002
    wait: Annotated[bool, Option(help="Wait until tools are read and embedded.")] = True,
) -> Row:
    """Import servers or tools from a file.

    Reads the configurations of Claude, Cursor, VS Code and smartmcp, files of tools, and registry
    dumps. Exit status 1: every entry was rejected.
    """
    from quartermaster.cli.import_.servers import import_servers_file
    from quartermaster.cli.import_.tools import import_tools_file

    holds_servers = format == "mcp" or (format == "auto" and _holds_servers(file))
    report = (import_servers_file if holds_servers else import_tools_file)(qm, file, wait=wait)
    qm.failed = report["all_rejected"]
    return report


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
