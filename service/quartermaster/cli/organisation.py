"""``qm organisation``: the organisations that principals belong to."""

from __future__ import annotations

from typing import Annotated

import typer

from quartermaster.cli.options import DataDir, Dsn, Json
from quartermaster.cli.output import print_json, print_rows, say
from quartermaster.cli.session import open_session


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    organisation = typer.Typer(
        no_args_is_help=True, help="Manage the organisations that principals belong to."
    )
    organisation.command("list")(list_command)
    organisation.command("put")(put_command)
    app.add_typer(organisation, name="organisation")


def list_command(json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """List the organisations."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_organisations")
    empty = "No organisations. Create one with: qm organisation put NAME."
    print_rows(rows, ("name", "principals", "description"), json, empty=empty)


def put_command(
    name: Annotated[str, typer.Argument(help="Name of the organisation.")],
    description: Annotated[str, typer.Option(help="Description of the organisation.")] = "",
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Create an organisation, or change its description."""
    with open_session(data_dir, dsn) as session:
        session.call("put_organisation", name=name, description=description)
    if json:
        print_json({"name": name, "description": description})
    else:
        say(f"Organisation {name} saved. To add a principal: qm principal create --organisation.")
