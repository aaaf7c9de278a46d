"""``qm toolset`` and ``qm organisation``: doors to pinned tools, and who belongs where."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from quartermaster.cli.options import Yes
from quartermaster.cli.output import out, print_rows
from quartermaster.cli.session import DataDir, Dsn, Json, open_session

Name = Annotated[str, typer.Argument(help="Name of the toolset.")]
Patterns = Annotated[list[str] | None, typer.Option(metavar="PATTERN", help="* and ? as usual.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    toolset = typer.Typer(no_args_is_help=True, help="Named doors, /mcp/NAME, to pinned tools.")
    toolset.command("list")(list_command)
    toolset.command("put")(put_command)
    toolset.command("remove")(remove_command)
    app.add_typer(toolset, name="toolset")
    organisation = typer.Typer(no_args_is_help=True, help="Organisations that principals are of.")
    organisation.command("list")(list_organisations_command)
    organisation.command("put")(put_organisation_command)
    app.add_typer(organisation, name="organisation")


def list_command(json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """List the toolsets."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_toolsets")
    print_rows(rows, ("name", "tools", "pinned", "description"), json)


def put_command(
    name: Name,
    tool: Patterns = None,
    origin: Patterns = None,
    category: Annotated[list[str] | None, typer.Option(metavar="NAME")] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Only tools that read.")] = False,
    description: Annotated[str, typer.Option(help="What it is for.")] = "",
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Make or replace a toolset: of what one may use, it shows what fits every option given."""
    pinned: dict[str, Any] = {"tools": tool, "origins": origin, "categories": category}
    given = {key: value for key, value in pinned.items() if value}
    given |= {"read_only": True} if read_only else {}
    with open_session(data_dir, dsn) as session:
        session.call("put_toolset", name=name, pinned=given, description=description)
        [tools] = [row["tools"] for row in session.call("list_toolsets") if row["name"] == name]
    out.print(f"{name} pins {tools} tools. Its address ends in /mcp/{name}.", markup=False)


def remove_command(
    name: Name,
    yes: Yes = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Take a toolset away; who still uses its address finds nothing."""
    with open_session(data_dir, dsn) as session:
        [found] = session.call("find_toolset", name=name)
        out.print(f"{name}: {found['description']}", markup=False)
        if not yes:
            typer.confirm("Remove it?", abort=True)
        session.call("remove_toolset", name=name)
    out.print("Removed.")


def list_organisations_command(
    json: Json = False, data_dir: DataDir = None, dsn: Dsn = None
) -> None:
    """List the organisations."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_organisations")
    print_rows(rows, ("name", "principals", "description"), json)


def put_organisation_command(
    name: Annotated[str, typer.Argument(help="Name of the organisation.")],
    description: Annotated[str, typer.Option(help="Who they are.")] = "",
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Make an organisation, or describe it anew."""
    with open_session(data_dir, dsn) as session:
        session.call("put_organisation", name=name, description=description)
    out.print(f"{name} is there.", markup=False)
