"""A login of PostgreSQL that attacks: it has qm_user and acts as a principal who may do little."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from tests.support.database import Database
from tests.support.psql_login import psql_login


@contextmanager
def mallory(
    database: Database, role: str | None = "qm_user", *, is_mapped: bool = True
) -> Generator[str]:
    """Provides the connection string of a new login; the login is dropped at the end.

    Args:
        database: with the schema.
        role: working role of the login; None: a login without any grant.
        is_mapped: whether its sessions act as the principal ``mallory``.
    """
    principal = "mallory" if role is not None and is_mapped else None
    if role is not None and principal is not None:
        with database.connect() as connection:
            connection.execute(
                "select policy.put_principal(%s, 'person', %s)",
                [principal, role.removeprefix("qm_")],
            )
    with psql_login(database, role, principal) as dsn:
        yield dsn
