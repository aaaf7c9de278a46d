"""``qm toolset``: MCP endpoints that offer a pinned set of tools."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from quartermaster.cli.options import DataDir, DryRun, Dsn, Json, Yes
from quartermaster.cli.output import confirm, print_json, print_rows, say, tallied
from quartermaster.cli.session import open_session

Name = Annotated[str, typer.Argument(help="Name of the toolset.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    toolset = typer.Typer(
        no_args_is_help=True, help="Manage toolsets: endpoints /mcp/NAME with pinned tools."
    )
    toolset.command("list")(list_command)
    toolset.command("put")(put_command)
    toolset.command("remove")(remove_command)
    app.add_typer(toolset, name="toolset")


def list_command(json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """List the toolsets."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_toolsets")
    empty = "No toolsets. Create one with: qm toolset put NAME --tool PATTERN."
    for row in [] if json else rows:
        row["items"] = tallied(row["items"])
    print_rows(rows, ("name", "items", "description", "pinned"), json, empty=empty)


def put_command(
    name: Name,
    tool: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN", help="Tools whose name matches; * and ? are wildcards."),
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN", help="Tools of origins whose name matches."),
    ] = None,
    category: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Tools of this category.")
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Only read-only tools.")] = False,
    description: Annotated[str, typer.Option(help="Purpose of the toolset.")] = "",
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Create or replace a toolset of the tools that satisfy every option given."""
    pinned: dict[str, Any] = {"tools": tool, "origins": origin, "categories": category}
    given = {key: value for key, value in pinned.items() if value}
    given |= {"read_only": True} if read_only else {}
    with open_session(data_dir, dsn) as session:
        session.call("put_toolset", name=name, pinned=given, description=description)
        [row] = [row for row in session.call("list_toolsets") if row["name"] == name]
    if json:
        print_json(row)
    else:
        say(f"{name} pins {tallied(row['items']) or 'nothing'}. Its URL ends in /mcp/{name}.")


def remove_command(
    name: Name,
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Remove a toolset: its URL stops working, its tools stay."""
    with open_session(data_dir, dsn) as session:
        [found] = session.call("find_toolset", name=name)
        if not json:
            say(f"This removes the toolset {name}: {found['description'] or 'no description'}")
        if not dry_run:
            confirm("Remove it?", yes=yes)
            session.call("remove_toolset", name=name)
    if json:
        print_json(found | {"removed": not dry_run})
    elif not dry_run:
        say(f"Removed. To undo, create it again with: qm toolset put {name}.")
