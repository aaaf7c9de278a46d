"""``qm origin login`` and ``logout``: OAuth with servers that require it."""

from __future__ import annotations

from typing import Annotated

import anyio
from typer import Option

from quartermaster.cli.command import Plain
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import OriginName
from quartermaster.cli.waiting import finish_refreshes
from quartermaster.core.errors import QmError

Whose = Annotated[
    str | None,
    Option("--principal", help="Log in as this principal, where each has their own login."),
]

noun = Noun()


@noun.verb()
def login_command(
    qm: Plain,
    name: OriginName,
    principal: Whose = None,
    browser: Annotated[bool, Option(help="Open the address in a browser on this machine.")] = True,
    paste: Annotated[
        bool, Option("--paste", help="The browser runs elsewhere: paste the address it ends at.")
    ] = False,
    port: Annotated[
        int, Option(help="Port of the address the browser returns to; 0: any free port.")
    ] = 0,
) -> None:
    """Log in to a server by OAuth; the tokens are kept as a secret."""
    # The flow imports the MCP SDK, which other commands do without.
    from quartermaster.cli.origin import login_flow as flow

    opener = flow.opener_of(qm, name, principal)
    anyio.run(flow.log_in_to, opener, browser and not paste, paste, port)
    qm.say(f"Logged in to {name}.")
    requested = qm.call("renew_credential", name=name)
    # The service reads the tools; the login of a principal does not change that.
    if principal is None:
        finish_refreshes(qm, requested)


@noun.verb()
def logout_command(qm: Plain, name: OriginName, principal: Whose = None) -> None:
    """Forget the login to a server; the server itself is not told."""
    from quartermaster.cli.origin import login_flow as flow

    opener = flow.opener_of(qm, name, principal)
    if opener.login_name not in opener.secrets.names():
        raise QmError(
            404, "login_not_found", f"No login to {name!r} is kept.", "There is nothing to do."
        )
    opener.secrets.remove(opener.login_name)
    qm.call("renew_credential", name=name)
    qm.say(f"The login to {name} is forgotten. To log in again: qm origin login {name}.")
