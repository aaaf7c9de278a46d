"""Locks all tables of an installation while clients search and write."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, LiteralString, cast

import psycopg

from quartermaster.core.errors import QmError
from quartermaster.install.connection import Connection

# Those that operations read first, so that whoever comes later waits without holding anything.
_GATES: Final = ("policy.principal", "core.setting")
_TABLES: Final = """
select c.oid::regclass::text from pg_class as c
inner join pg_namespace as n on n.oid = c.relnamespace
where n.nspowner = to_regrole('qm_owner') and c.relkind in ('r', 'p', 'v') order by c.oid
"""
_ROUNDS: Final = 10
# A round that waits longer has met a client that waits for it.
_PATIENCE: LiteralString = "set local lock_timeout = '500ms'"
_PASSAGE_S: Final = 0.1


def lock_tables(connection: Connection, before_round: Callable[[], None] | None = None) -> None:
    """Locks all our tables until the transaction ends.

    An installation changes each table. If it locked the tables one by one, it would sooner or later
    deadlock with a client that has locked one table and needs another. PostgreSQL then cancels one
    of the two transactions.

    Args:
        connection: connection of the administrator, in a transaction.
        before_round: function that is called before each attempt.

    Raises:
        QmError: QM503 retryable.
    """
    tables = [str(row[0]) for row in connection.execute(_TABLES)]
    gates = [table for table in _GATES if table in tables]
    if not tables:
        return
    for _ in range(_ROUNDS):
        if before_round is not None:
            before_round()
        with suppress(psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected):
            with connection.transaction():
                connection.execute(_PATIENCE)
                for gate in gates:
                    _lock(connection, gate)
                # Operations that are past the gates come to their end.
                time.sleep(_PASSAGE_S)
                _lock(connection, ", ".join(tables))
            return
        time.sleep(random.uniform(0, _PASSAGE_S))  # noqa: S311 - no secret
    raise QmError(
        503,
        "retryable",
        "others keep tables of Quartermaster locked",
        "Let them end, and try again. Nothing was changed.",
    )


def _lock(connection: Connection, tables: str) -> None:
    # The server itself has quoted the names.
    statement = f"lock table {tables} in access exclusive mode"
    connection.execute(cast(LiteralString, statement))
