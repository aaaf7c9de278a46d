"""People who log in to PostgreSQL itself, with psql."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from uuid import uuid4

from psycopg import sql

from tests.support.database import Database, with_parts


@contextmanager
def psql_login(database: Database, role: str, principal: str | None = None) -> Generator[str]:
    """The connection string of a new login, which ends with the block.

    Args:
        database: where it connects.
        role: the working role that it has, such as qm_user.
        principal: whom it acts as; None: nobody.
    """
    name = f"qm_test_login_{uuid4().hex[:8]}"
    login = sql.Identifier(name)
    with database.connect() as connection:
        connection.execute(
            sql.SQL("create role {} login password 'x' in role {}").format(
                login, sql.Identifier(role)
            )
        )
        connection.execute(
            "update policy.principal set database_role = %s where name = %s", [name, principal]
        )
    yield with_parts(database.dsn, database=database.name, user=name, password="x")
    with database.connect() as connection:
        connection.execute(
            "update policy.principal set database_role = null where database_role = %s", [name]
        )
        connection.execute(sql.SQL("drop owned by {} cascade").format(login))
        connection.execute(sql.SQL("drop role {}").format(login))
