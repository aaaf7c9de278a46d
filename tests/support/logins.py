"""Logins of PostgreSQL that tests make."""

from __future__ import annotations

import psycopg
from psycopg import sql

from tests.support.waiting import wait_until


def remove_login(connection: psycopg.Connection[tuple[object, ...]], name: str) -> None:
    """Ends a login's sessions, takes over what it owns in this database, and drops it.

    A session that ends drops its temporary functions first: to give these to another owner
    meanwhile is an error of PostgreSQL.
    """
    of_the_login = "from pg_stat_activity where usename = %s"
    connection.execute(f"select pg_terminate_backend(pid) {of_the_login}", [name])
    assert wait_until(lambda: not connection.execute(f"select {of_the_login}", [name]).fetchall())
    for statement in (
        sql.SQL("reassign owned by {} to current_user"),
        sql.SQL("drop owned by {} cascade"),
        sql.SQL("drop role {}"),
    ):
        connection.execute(statement.format(sql.Identifier(name)))
