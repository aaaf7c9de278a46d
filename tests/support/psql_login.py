"""People who log in to PostgreSQL itself, with psql."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from uuid import uuid4

from psycopg import sql

from tests.support.database import Database, with_parts
from tests.support.logins import remove_login


@contextmanager
def psql_login(
    database: Database, role: str | None, principal: str | None = None
) -> Generator[str]:
    """Provides the connection string of a new login; the login and its sessions end with the block.

    Args:
        database: where it connects.
        role: the working role that it has, such as qm_user; None: none.
        principal: whom it acts as; None: nobody.
    """
    name = f"qm_test_login_{uuid4().hex[:8]}"
    login = sql.Identifier(name)
    with database.connect() as connection:
        connection.execute(sql.SQL("create role {} login password 'x'").format(login))
        if role is not None:
            grant = sql.SQL("grant {} to {}").format(sql.Identifier(role), login)
            connection.execute(grant)
        connection.execute(
            "update policy.principal set database_role = %s where name = %s", [name, principal]
        )
    try:
        yield with_parts(database.dsn, database=database.name, user=name, password="x")
    finally:
        with database.connect() as connection:
            connection.execute(
                "update policy.principal set database_role = null where database_role = %s", [name]
            )
            remove_login(connection, name)
