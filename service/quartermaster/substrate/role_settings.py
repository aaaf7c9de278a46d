"""The settings that a login has stored for its own role in the embedded server."""

from __future__ import annotations

from typing import Final, LiteralString, cast

import psycopg

_RESETS: Final = """
select format('alter role %%I%%s reset all', r.rolname, ' in database ' || quote_ident(d.datname))
from pg_db_role_setting as s
inner join pg_roles as r on r.oid = s.setrole
left join pg_database as d on d.oid = s.setdatabase
where r.rolname = %s
"""


def reset_role_settings(admin_dsn: str, login: str) -> None:
    """Removes all settings of a login, and frees the disk space that earlier settings still use.

    Args:
        admin_dsn: DSN of a superuser.
        login: name of the login.
    """
    with psycopg.connect(admin_dsn, autocommit=True) as connection:
        # On the path of the database, a name may be that of somebody else's function.
        connection.execute("set search_path = pg_catalog, pg_temp")
        for (reset,) in connection.execute(_RESETS, [login]).fetchall():
            connection.execute(cast(LiteralString, reset))
        connection.execute("vacuum pg_catalog.pg_db_role_setting")
