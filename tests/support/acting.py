"""Acting as a principal in connections of tests."""

from __future__ import annotations

from typing import Any, LiteralString

import psycopg

Connection = psycopg.Connection[tuple[Any, ...]]


def scalar(connection: Connection, query: str, *parameters: object) -> object:
    """Returns the first value of the first row; None if there is no row."""
    row = connection.execute(query.encode(), parameters).fetchone()
    return row[0] if row else None


def act(connection: Connection, name: str, role: LiteralString = "qm_operator") -> None:
    """Acts as a principal until the connection ends."""
    found = scalar(connection, "select id from policy.principal where name = %s", name)
    connection.execute("set session authorization qm_service")
    connection.execute(f"set role {role}")
    connection.execute("select set_config('qm.principal', %s, false)", (str(found),))
