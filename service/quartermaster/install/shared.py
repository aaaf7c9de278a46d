"""Adds a remedy to the error that refuses a database with other users."""

from __future__ import annotations

import shlex
from typing import Final

from psycopg.conninfo import make_conninfo

from quartermaster.core.errors import QmError
from quartermaster.install.connection import Connection

_SHOWN_OPTIONS: Final = ("host", "port", "user", "dbname", "sslmode", "sslrootcert")
_REFUSALS: Final = ("database_shared", "database_published", "schema_taken")

# A name that is free, and whether this login may create the database. UTF8 may need another locale.
_BETTER_QUERY: Final = """
select
    (
        select n.name
        from generate_series(1, 1000) as i
        cross join lateral concat('quartermaster', nullif('_' || i, '_1')) as n (name)
        where not exists (select from pg_database as d where d.datname = n.name)
        order by i
        limit 1
    ),
    case when pg_encoding_to_char(t.encoding) <> 'UTF8' then ' encoding ''UTF8'' locale ''C''' end,
    r.rolsuper or r.rolcreatedb,
    quote_ident(r.rolname)
from pg_roles as r
inner join pg_database as t on t.datname = 'template0'
where r.rolname = current_user
"""


def with_better_way(error: QmError, connection: Connection) -> QmError:
    """Returns the same error. If others use the database, adds the commands that create a separate
    database.

    Args:
        error: error of a step of the installation.
        connection: connection to the database, as the administrator.
    """
    row = connection.execute(_BETTER_QUERY).fetchone() if error.slug in _REFUSALS else None
    if row is None:
        return error
    name, locale, may_create, login = row
    given = connection.info.get_parameters()
    options = {name: given[name] for name in _SHOWN_OPTIONS if name in given}
    dsn = shlex.quote(make_conninfo("", **options))
    own = shlex.quote(make_conninfo("", **options | {"dbname": name}))
    statement = f"create database {name} template template0{locale or ''}"
    if may_create:
        way = f'psql {dsn} -c "{statement}"'
    else:
        way = f'an administrator runs "{statement} owner {login}"'
    hint = f"Give Quartermaster a database of its own: {way}, then qm install --dsn {own}."
    if error.slug == "database_shared":
        hint += (
            " Or share this one, at the cost that docs/doors.md names, so that nothing is taken"
            f" from others: qm install --shared --dsn {dsn}."
        )
    return QmError(error.status, error.slug, error.message, hint)
