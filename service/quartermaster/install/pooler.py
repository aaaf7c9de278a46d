"""Refuses the address of a pooler that may use another server connection for each transaction."""

from __future__ import annotations

from typing import Any, Final, cast

import psycopg
from psycopg.rows import scalar_row

from quartermaster.core.errors import QmError, argument_invalid
from quartermaster.install.connection import connected

_PROCESS: Final = "select pg_catalog.pg_backend_pid()"


def require_direct(dsn: str) -> None:
    """Checks that successive transactions on a connection to a DSN run in the same server process.

    Raises:
        QmError: QM422 argument_invalid, QM503 database_unavailable.
    """
    with connected(dsn, autocommit=True) as connection:
        refuse_pooler(connection, dsn)


def refuse_pooler(connection: psycopg.Connection[Any], dsn: str) -> None:
    """Checks a connection on which no transaction is open; see `require_direct`.

    The process id that a pooler reports to its clients differs from the server's. A pooler that
    keeps one server process for each client is accepted.
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
