"""``qm dsn``: prints the connection string of the database."""

from __future__ import annotations

import typer

from quartermaster.cli.command import PlainCommand
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import Admin

noun = Noun()


@noun.verb()
def dsn_command(qm: PlainCommand, admin: Admin = False) -> None:
    """Print the connection string of the database, for other programs.

    The string contains no user, so add a login role of your own. With --admin, the string contains
    the user and the password of the administrator; only the owner of the data directory can use
    --admin.
    """
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    if admin:
        typer.echo(qm.target)
        return
    retained = {
        k: v for k, v in conninfo_to_dict(qm.target).items() if k not in {"user", "password"}
    }
    typer.echo(make_conninfo("", **retained))
