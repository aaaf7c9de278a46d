"""``qm origin approval``."""

from __future__ import annotations

from typing import Annotated

import typer

from quartermaster.cli.output import out, print_json
from quartermaster.cli.session import DataDir, Dsn, Json, open_session


def approval_command(
    name: Annotated[str, typer.Argument(help="Name of the origin.")],
    approval: Annotated[
        str | None,
        typer.Argument(help="none, changes or all; without: as the settings of the database say."),
    ] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Say which of a server's tools wait for approval: changed ones, new ones too, or none."""
    with open_session(data_dir, dsn) as session:
        approval_now: str = session.call_value("set_approval", origin=name, approval=approval)
    if json:
        print_json({"name": name, "approval": approval_now})
    else:
        waits = {"none": "No tool waits", "changes": "Changed tools wait", "all": "All tools wait"}
        out.print(f"{waits[approval_now]} for approval.")
