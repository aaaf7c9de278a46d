"""``qm origin login`` and ``logout``: OAuth with servers that require it."""

from __future__ import annotations

from typing import Annotated

import anyio
import typer

from quartermaster.cli.options import DataDir, Dsn, OriginName
from quartermaster.cli.output import say
from quartermaster.cli.session import open_session
from quartermaster.cli.waiting import report_refreshes
from quartermaster.core.errors import QmError

Whose = Annotated[
    str | None,
    typer.Option("--principal", help="Log in as this principal, where each has their own login."),
]


def login_command(
    name: OriginName,
    principal: Whose = None,
    browser: Annotated[
        bool, typer.Option(help="Open the address in a browser on this machine.")
    ] = True,
    paste: Annotated[
        bool,
        typer.Option("--paste", help="The browser runs elsewhere: paste the address it ends at."),
    ] = False,
    port: Annotated[
        int, typer.Option(help="Port of the address the browser returns to; 0: any free port.")
    ] = 0,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Log in to a server by OAuth; the tokens are kept as a secret."""
    # The flow imports the MCP SDK, which other commands do without.
    from quartermaster.cli.origin import login_flow as flow

    with open_session(data_dir, dsn) as session:
        opener = flow.opener_of(session, name, principal, data_dir)
        anyio.run(flow.log_in_to, opener, browser and not paste, paste, port)
        say(f"Logged in to {name}.")
        requested = session.call("renew_credential", name=name)
        # The service reads the tools; the login of a principal does not change that.
        if principal is None:
            report_refreshes(session, requested, data_dir)


def logout_command(
    name: OriginName, principal: Whose = None, data_dir: DataDir = None, dsn: Dsn = None
) -> None:
    """Forget the login to a server; the server itself is not told."""
    from quartermaster.cli.origin import login_flow as flow

    with open_session(data_dir, dsn) as session:
        opener = flow.opener_of(session, name, principal, data_dir)
        if opener.login_name not in opener.secrets.names():
            raise QmError(
                404, "login_not_found", f"No login to {name!r} is kept.", "There is nothing to do."
            )
        opener.secrets.remove(opener.login_name)
        session.call("renew_credential", name=name)
    say(f"The login to {name} is forgotten. To log in again: qm origin login {name}.")
