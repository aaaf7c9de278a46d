"""``qm origin login`` and ``logout``: OAuth with servers that ask for it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import anyio
import typer

from quartermaster.cli.output import out
from quartermaster.cli.session import DataDir, Dsn, Session, open_session
from quartermaster.cli.waiting import is_service_running, print_refreshes, wait_for_refreshes
from quartermaster.core.errors import QmError

Name = Annotated[str, typer.Argument(help="Name of the origin.")]
Whose = Annotated[
    str | None, typer.Option("--principal", help="Who logs in, where each does for themselves.")
]


def login_command(
    name: Name,
    principal: Whose = None,
    browser: Annotated[bool, typer.Option(help="Open the address in a browser here.")] = True,
    paste: Annotated[
        bool, typer.Option("--paste", help="The browser is elsewhere: paste where it ends up.")
    ] = False,
    port: Annotated[int, typer.Option(help="Of the address it comes back to; 0: any.")] = 0,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Log in to a server that grants access by OAuth; the tokens are kept as a secret."""
    # It loads the SDK, which other commands do without.
    from quartermaster.cli import login_flow as flow

    with open_session(data_dir, dsn) as session:
        opener = flow.opener_of(session, name, principal, data_dir)
        anyio.run(flow.log_in_to, opener, browser and not paste, paste, port)
        out.print(f"Logged in to {name}.", markup=False)
        _tell(session, name, principal, data_dir)


def logout_command(
    name: Name, principal: Whose = None, data_dir: DataDir = None, dsn: Dsn = None
) -> None:
    """Forget the login at a server; ending it there too is up to you."""
    from quartermaster.cli import login_flow as flow

    with open_session(data_dir, dsn) as session:
        opener = flow.opener_of(session, name, principal, data_dir)
        if opener.login_name not in opener.secrets.names():
            raise QmError(404, "login_not_found", f"There is no login at {name!r}.", "It is done.")
        opener.secrets.remove(opener.login_name)
        session.call("renew_credential", name=name)
    out.print(f"Forgot the login at {name}.", markup=False)


def _tell(session: Session, name: str, principal: str | None, data_dir: Path | None) -> None:
    rows = session.call("renew_credential", name=name)
    # Its tools are read by the service, for which a principal's login says nothing.
    if principal is None and is_service_running(data_dir):
        done = wait_for_refreshes(session, {row["origin"]: row["refresh_id"] for row in rows})
        print_refreshes(done)
        if any(row["status"] == "failed" for row in done):
            raise typer.Exit(1)
