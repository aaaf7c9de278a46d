"""Runs SQL files on the installer's connection, as the administrator or as the owner."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, LiteralString, cast

import psycopg
from psycopg import sql

from quartermaster.core.errors import QmError
from quartermaster.install import discover
from quartermaster.install.discover import Actor, Step

Connection = psycopg.Connection[tuple[Any, ...]]

# Any number works, as long as every installer uses the same.
LOCK = "select pg_catalog.pg_advisory_xact_lock(7141883)"
# Suppresses notices of "if not exists", and finds no object by accident.
SESSION = "set local client_min_messages = warning; set local search_path = pg_catalog, pg_temp"


def run_all(connection: Connection, steps: Iterable[Step]) -> None:
    """Runs the steps in order, each as its actor; leaves the owner's role set."""
    for step in steps:
        if step.actor is Actor.OWNER:
            as_owner(connection)
            execute_step(connection, step)
        else:
            # Only a superuser may create PL/Python functions; the owner gets them afterwards.
            as_administrator(connection)
            execute_step(connection, step)
            identity = sql.Identifier(*discover.function_identity(step).split("."))
            connection.execute(sql.SQL("alter function {} owner to qm_owner").format(identity))
    as_owner(connection)


def execute_step(connection: Connection, step: Step) -> psycopg.Cursor[tuple[Any, ...]]:
    """Runs a step as the role that is currently set.

    Raises:
        QmError: QM500 install_failed.
    """
    try:
        return connection.execute(cast(LiteralString, step.sql))
    except psycopg.Error as error:
        raise failed(step.name, error) from error


def failed(name: str, error: Exception) -> QmError:
    """The error for a file that the server refused, or the file's own error."""
    if isinstance(error, psycopg.Error) and (error.sqlstate or "").startswith("QM"):
        diagnosis = error.diag
        return QmError(
            int(str(error.sqlstate)[2:]),
            diagnosis.constraint_name or "install_failed",
            diagnosis.message_primary or "",
            diagnosis.message_hint or "",
        )
    return QmError(
        500,
        "install_failed",
        f"{name}: {str(error).strip()}",
        "Nothing was changed. Fix the cause and run the installation again.",
    )


def as_owner(connection: Connection) -> None:
    """From here on the transaction acts as qm_owner."""
    connection.execute("set local role qm_owner")


def as_administrator(connection: Connection) -> None:
    """Makes the transaction act as the role that connected."""
    connection.execute("reset role")


def run_checks(connection: Connection) -> None:
    """Runs sql/checks/.

    Raises:
        QmError: QM500 check_failed, with the rule and the offending objects.
    """
    for step in discover.checks():
        offenders = [str(row[0]) for row in execute_step(connection, step).fetchall()]
        if offenders:
            raise QmError(
                500,
                "check_failed",
                f"{step.name}: {', '.join(offenders)}",
                "The header of that file explains the rule and how to fix this.",
            )


def unreachable(error: BaseException) -> QmError:
    """The error for a database that cannot be connected to."""
    return QmError(
        503,
        "database_unavailable",
        f"cannot connect to the database: {str(error).strip().splitlines()[0]}",
        "Check that the server runs and that the DSN names the right host, port and password.",
    )
