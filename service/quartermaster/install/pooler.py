"""Refuses an address behind which a pooler changes the connection after each transaction."""

from __future__ import annotations

from typing import Any, Final, cast

import psycopg
from psycopg.rows import scalar_row

from quartermaster.core.errors import QmError, argument_invalid
from quartermaster.install.connection import connected

_PROCESS: Final = "select pg_catalog.pg_backend_pid()"


def require_direct(dsn: str) -> None:
    """Checks that a DSN leads to the same process of the server from one transaction to the next.

    Raises:
        QmError: QM422 argument_invalid, QM503 database_unavailable.
    """
    with connected(dsn, autocommit=True) as connection:
        refuse_pooler(connection, dsn)


def refuse_pooler(connection: psycopg.Connection[Any], dsn: str) -> None:
    """Checks a connection on which no transaction is open; see `require_direct`.

    A pooler in front of the server gives other numbers to its clients than the server does. It may
    keep a process for each client, which is fine.
    """
    served_by = _process_of(connection)
    if served_by == connection.info.backend_pid:
        return
    with connected(dsn, autocommit=True) as other:
        is_shared = _process_of(other) == served_by
    if is_shared:
        raise _pooled()


def _process_of(connection: psycopg.Connection[Any]) -> int:
    with connection.cursor(row_factory=scalar_row) as cursor:
        return cast(int, cursor.execute(_PROCESS).fetchone())


def _pooled() -> QmError:
    return argument_invalid(
        "This DSN leads to a pooler that changes the connection after each transaction, so"
        " notifications and settings of a session get lost.",
        "Give the address of the database server itself. The service can use the pooler: set"
        " database.service_dsn to its address, and database.listen_dsn to that of the server"
        " (docs/supervision.md).",
    )
