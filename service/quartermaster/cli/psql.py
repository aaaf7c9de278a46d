"""``qm psql``: opens psql on the database."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import typer

from quartermaster.cli.command import PlainCommand
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import Admin
from quartermaster.core import paths
from quartermaster.core.errors import QmError, argument_invalid

noun = Noun()


@noun.verb(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def psql_command(qm: PlainCommand, context: typer.Context, admin: Admin = False) -> None:
    """Open psql on the database; all further arguments are passed to psql.

    With --admin, you connect as the role that installed Quartermaster. This role may read and
    change everything. Only the owner of the data directory can use --admin. With --dsn, you connect
    as the login role in the DSN. The api functions act for the principal to which your role is
    mapped; with --admin, for the principal "local".
    """
    if not admin and qm.dsn is None:
        raise argument_invalid(
            "qm psql needs --admin or --dsn.",
            "As administrator: qm psql --admin. With a login role of your own: qm psql --dsn DSN.",
        )
    target = qm.target
    program, environment = _psql(paths.runtime_dir(qm.folder))
    # Every user can read process arguments, so the password is passed in the environment.
    from psycopg.conninfo import conninfo_to_dict

    options = conninfo_to_dict(target)
    names = {"host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "password": "PGPASSWORD"}
    names |= {"dbname": "PGDATABASE", "sslmode": "PGSSLMODE", "sslrootcert": "PGSSLROOTCERT"}
    for key, name in names.items():
        if key in options:
            environment[name] = str(options[key])
    # psql prints errors without the stack of function calls; \errverbose shows it.
    quiet = ["-v", "SHOW_CONTEXT=never"]
    os.execvpe(program, [program, *quiet, *context.args], environment)  # noqa: S606 - psql takes over


def _psql(runtime_dir: Path) -> tuple[str, dict[str, str]]:
    from quartermaster.substrate.binaries import installed_at

    embedded = installed_at(runtime_dir)
    if (program := embedded / "bin" / "psql").exists():
        libraries = f"{embedded / 'lib'}:{os.environ.get('LD_LIBRARY_PATH', '')}".rstrip(":")
        return str(program), {**os.environ, "LD_LIBRARY_PATH": libraries}
    if found := shutil.which("psql"):
        return found, dict(os.environ)
    raise QmError(
        404,
        "psql_not_found",
        "psql is not installed on this machine.",
        "Install it (Debian: postgresql-client), or run qm up once, which installs it.",
    )
