"""``qm policy why`` and ``qm policy decisions``: which rule decided what, for whom."""

from __future__ import annotations

from typing import Annotated

import typer

from quartermaster.cli.output import out, print_json, print_rows
from quartermaster.cli.session import DataDir, Dsn, Json, open_session


def why_command(
    principal: Annotated[str, typer.Argument(help="Name of a principal.")],
    tool: Annotated[str, typer.Argument(help="Callable name of a tool.")],
    toolset: Annotated[str | None, typer.Option(help="Through this toolset.")] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Say whether a principal may use a tool, and which rule decides."""
    with open_session(data_dir, dsn) as session:
        [verdict] = session.call("explain_rights", principal=principal, name=tool, toolset=toolset)
    if json:
        print_json(verdict)
    else:
        word = "may" if verdict["is_allowed"] else "may not"
        out.print(
            f"{principal} {word} use {tool}: {verdict['reason']} (version {verdict['version']}).",
            markup=False,
        )


def decisions_command(
    limit: Annotated[int, typer.Option(min=1, help="How many.")] = 100,
    everything: Annotated[bool, typer.Option("--all", help="Allowed ones, too.")] = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """List what was denied lately, to whom, and by which rule."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_decisions", entries=limit, denied=not everything)
    columns = ("decided_at", "principal", "toolset", "door", "name", "is_allowed", "reason")
    print_rows(rows, columns, json)
