"""``qm policy why`` and ``qm policy decisions``: which rule decides, and what was denied."""

from __future__ import annotations

from typing import Annotated

import typer

from quartermaster.cli.options import DataDir, Dsn, Json, Limit
from quartermaster.cli.output import print_json, print_rows, say
from quartermaster.cli.session import open_session


def why_command(
    principal: Annotated[str, typer.Argument(help="Name of a principal.")],
    tool: Annotated[str, typer.Argument(help="Name of a tool.")],
    toolset: Annotated[
        str | None, typer.Option(help="Decide for the endpoint of this toolset.")
    ] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show whether a principal may use a tool, and which rule decides."""
    with open_session(data_dir, dsn) as session:
        [verdict] = session.call("explain_rights", principal=principal, name=tool, toolset=toolset)
    if json:
        print_json(verdict)
    else:
        word = "may" if verdict["is_allowed"] else "may not"
        say(f"{principal} {word} use {tool}: {verdict['reason']} (version {verdict['version']}).")


def decisions_command(
    limit: Limit = 100,
    everything: Annotated[bool, typer.Option("--all", help="Include what was allowed.")] = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """List recent denials: who was denied what, and by which rule."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_decisions", entries=limit, denied=not everything)
    columns = ("decided_at", "principal", "toolset", "door", "name", "is_allowed", "reason")
    print_rows(rows, columns, json, empty="Nothing was denied.")
