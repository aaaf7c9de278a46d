"""Finds and runs the migrations that have not run yet. The ledger core.migration lists the
migrations that have run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import psycopg
from psycopg import sql

from quartermaster.core.errors import QmError
from quartermaster.install import discover
from quartermaster.install.connection import Connection
from quartermaster.install.execute import as_owner, owner_rows
from quartermaster.install.steps import InstallStep, require_unchanged

_LEDGER: Final = "select to_regclass('core.migration') as ledger"
_APPLIED_QUERY: Final = "select m.name, m.digest from core.migration as m where m.folder = %s"


def run(connection: Connection, steps: Sequence[InstallStep], folder: str = "") -> None:
    """Runs the migrations of a folder that have not run yet, and records them.

    Args:
        connection: connection of the administrator, after `execute_step` of `discover.ledger`.
        steps: all migrations of the folder.
        folder: name of the folder; empty for the migrations of the core.

    Raises:
        QmError: QM500 migration_edited, or see `execute_step`.
    """
    for step in pending(steps, applied(connection, folder)):
        try:
            as_owner(connection, recorded(step), step.name)
        except QmError as error:
            cause = error.__cause__
            if not folder and isinstance(
                cause, (psycopg.errors.DuplicateSchema, psycopg.errors.DuplicateTable)
            ):
                raise _half_installed(cause) from error
            raise


def applied(connection: Connection, folder: str = "") -> dict[str, str]:
    """Returns the digests of the migrations of a folder that have run, by name."""
    return dict(owner_rows(connection, _APPLIED_QUERY, [folder]))


def pending(steps: Sequence[InstallStep], applied: Mapping[str, str]) -> list[InstallStep]:
    """Returns the migrations that have not run yet.

    Args:
        steps: all migrations of a folder.
        applied: digests of the migrations that have run, by name.

    Raises:
        QmError: QM500 migration_edited.
    """
    found = {step.name: step for step in steps}
    for name, digest in applied.items():
        require_unchanged(found.get(name), digest, f"the applied migration {name}")
    return [step for step in steps if step.name not in applied]


def recorded(step: InstallStep) -> str:
    """Returns the statements of a migration, followed by the statement that records the
    migration.
    """
    insert = sql.SQL("insert into core.migration (folder, name, digest) values ({})").format(
        sql.SQL(", ").join([step.folder or "", step.name, step.digest])
    )
    return f"{step.statement}\n{insert.as_string()};"


def is_newer(connection: Connection) -> bool:
    """Returns whether the schema in the database was installed by a newer release.

    Args:
        connection: connection of the administrator, after `let_owner_act`.
    """
    if owner_rows(connection, _LEDGER) == [(None,)]:
        return False
    return any(
        name > steps[-1].name
        for folder, steps in discover.all_migrations().items()
        for name in applied(connection, folder)
    )


def is_pending(step: InstallStep) -> str:
    """Returns a query that returns a row only if a migration has not run."""
    return (
        sql.SQL(
            "select where not exists ("
            "select from core.migration as m where m.folder = {} and m.name = {})"
        )
        .format(step.folder or "", step.name)
        .as_string()
    )


def _half_installed(cause: psycopg.Error) -> QmError:
    return QmError(
        500,
        "install_failed",
        f"the database holds a part of an installation: {str(cause).splitlines()[0]}",
        "A restore may have failed. Drop the database, create it again, and install or restore into"
        " the empty one. Nothing was changed.",
    )
