"""A login of PostgreSQL that attacks: it has qm_user and acts as a principal who may do little."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from uuid import uuid4

from psycopg import sql

from tests.support.database import Database, with_parts


@contextmanager
def mallory(
    database: Database, role: str | None = "qm_user", *, is_mapped: bool = True
) -> Generator[str]:
    """The connection string of a new login; the login is dropped at the end.

    Args:
        database: with the schema.
        role: working role of the login; None: a login without any grant.
        is_mapped: whether its sessions act as the principal ``mallory``.
    """
    name = f"qm_test_mallory_{uuid4().hex[:8]}"
    login = sql.Identifier(name)
    with database.connect() as connection:
        connection.execute(sql.SQL("create role {} login password 'x'").format(login))
        if role is not None:
            grant = sql.SQL("grant {} to {}").format(sql.Identifier(role), login)
            connection.execute(grant)
            if is_mapped:
                connection.execute(
                    "select policy.put_principal('mallory', 'person', %s, %s)",
                    [role.removeprefix("qm_"), name],
                )
    try:
        yield with_parts(database.dsn, database=database.name, user=name, password="x")
    finally:
        with database.connect() as connection:
            connection.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where usename = %s",
                [name],
            )
            connection.execute(
                "update policy.principal set database_role = null where name = 'mallory'"
            )
            connection.execute(sql.SQL("drop owned by {} cascade").format(login))
            connection.execute(sql.SQL("drop role {}").format(login))
