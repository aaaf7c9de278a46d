"""Removes an installation in one transaction, completely or not at all."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from typing import Final, LiteralString, cast

import psycopg
from psycopg import sql

from quartermaster.core.errors import QmError
from quartermaster.install import discover
from quartermaster.install.connection import Connection, connected
from quartermaster.install.execute import (
    as_owner,
    begin,
    failed,
    let_owner_act,
    settle,
    wait_for_turn,
)
from quartermaster.install.locks import lock_tables
from quartermaster.install.removal import (
    Removal,
    our_schemas,
    removal_of,
    require_administrator,
    require_own,
    sessions,
)
from quartermaster.install.retries import again_in_conflict

_HAS_JOBS: Final = """
select exists (
    select from pg_extension as e inner join pg_namespace as n on n.nspname = 'cron'
    where e.extname = 'pg_cron' and has_schema_privilege(n.oid, 'usage')
)
"""
_UNSCHEDULE: Final = """
select cron.unschedule(j.jobid) from cron.job as j
where j.jobname = 'quartermaster' and j.database = current_database()
"""
# Those that tables need stay.
_FUNCTIONS: Final = """
select p.oid::regprocedure::text from pg_proc as p
inner join pg_namespace as n on n.oid = p.pronamespace
where
    n.nspowner = 'qm_owner'::regrole and n.nspname || '.' || p.proname = any(%s)
    and not exists (
        select from pg_depend as d
        where
            d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid
            and d.classid in (
                'pg_class'::regclass, 'pg_type'::regclass, 'pg_constraint'::regclass,
                'pg_attrdef'::regclass
            )
    )
"""
# Sessions that began during the transaction, of roles that are gone.
_LEFT_QUERY: Final = """
select pg_terminate_backend(a.pid) from pg_stat_activity as a
where a.datname = current_database() and a.usesysid not in (select r.oid from pg_roles as r)
"""


def preview(dsn: str) -> Removal:
    """Returns the effects that `uninstall` would have; changes nothing.

    Args:
        dsn: DSN of the administrator who installed, or of a superuser.

    Raises:
        QmError: QM503 database_unavailable, QM404 not_installed, QM403 not_permitted, QM409
            installation_in_use.
    """
    with (
        connected(dsn, autocommit=True) as connection,
        _explained(),
        connection.transaction(force_rollback=True),
    ):
        begin(connection)
        # Somebody may have locked a table whose rows are counted.
        connection.execute("set local lock_timeout = '10s'")
        require_administrator(connection)
        let_owner_act(connection)
        require_own(connection)
        return removal_of(connection)


@again_in_conflict
def uninstall(dsn: str) -> Removal:
    """Removes everything that installations have created in the database, and restores the rights
    that they took from other roles. Ends the sessions of the service and of psql logins. If the
    process or the server stops before the transaction ends, nothing is changed.

    Args:
        dsn: see `preview`.

    Raises:
        QmError: see `preview`; QM503 retryable, QM500 uninstall_failed. Nothing is changed then.
    """
    with connected(dsn, autocommit=True) as connection:
        with _explained(), connection.transaction():
            _begin(connection)
            removal = removal_of(connection)
            _remove(connection, removal)
        with suppress(psycopg.errors.InsufficientPrivilege), connection.transaction():
            begin(connection)
            connection.execute(_LEFT_QUERY)
        return removal


@again_in_conflict
def remove_functions(dsn: str) -> int:
    """Drops the functions that this release has created, with the triggers, policies and views that
    use them, and returns their number. The next installation creates all of them again.

    Args:
        dsn: see `preview`.

    Raises:
        QmError: see `uninstall`.
    """
    steps = discover.functions(has_python=True)
    names = [step.function for step in steps if step.function is not None]
    with (
        connected(dsn, autocommit=True) as connection,
        _explained(),
        connection.transaction(),
    ):
        _begin(connection)
        found = [str(row[0]) for row in connection.execute(_FUNCTIONS, [names])]
        if found:
            as_owner(connection, f"drop function {', '.join(found)} cascade")
        # So that an installation finds that something is missing.
        as_owner(connection, "update core.release set digest = ''")
        settle(connection)
        return len(found)


@contextmanager
def _explained() -> Generator[None]:
    try:
        yield
    except psycopg.Error as error:
        raise _failed(error) from error


def _failed(error: psycopg.Error) -> QmError:
    failure = failed("uninstall", error)
    if failure.slug != "install_failed":
        return failure
    return QmError(
        500,
        "uninstall_failed",
        failure.message,
        "Fix the cause and run qm uninstall again. Nothing was changed.",
    )


def _begin(connection: Connection) -> None:
    """Ends the sessions that use the installation, and locks its tables against new sessions.

    Raises:
        QmError: see `preview`; QM503 retryable if another session has locked a table.
    """
    begin(connection)
    require_administrator(connection)
    wait_for_turn(connection)
    let_owner_act(connection)
    require_own(connection)
    schemas = our_schemas(connection)

    def end_sessions() -> None:
        # The membership is not kept; the sessions are ended all the same.
        with connection.transaction(force_rollback=True):
            _join(connection, ["qm_service"])
            for pid, _ in sessions(connection, schemas):
                with suppress(psycopg.errors.InsufficientPrivilege), connection.transaction():
                    connection.execute("select pg_terminate_backend(%s)", [pid])

    lock_tables(connection, end_sessions)


def _remove(connection: Connection, removal: Removal) -> None:
    if connection.execute(_HAS_JOBS).fetchone() == (True,):
        connection.execute(_UNSCHEDULE)
    for statement in removal.statements:
        _execute(connection, statement)
    ours, rest = our_schemas(connection), [row["schema"] for row in removal.schemas]
    _drop(connection, "drop schema {} cascade", ours)
    _drop(connection, "drop extension {}", removal.extensions)
    _drop(connection, "drop schema {}", [name for name in rest if name not in ours])
    _join(connection, removal.roles)
    _drop(connection, "drop owned by {}", removal.roles)
    _drop(connection, "drop role {}", removal.roles)


def _join(connection: Connection, roles: Sequence[str]) -> None:
    """Makes the current login a member of roles for this transaction, so that it can act for them
    without superuser rights.
    """
    for role in roles:
        with suppress(psycopg.errors.InsufficientPrivilege), connection.transaction():
            name = sql.Identifier(role)
            connection.execute(sql.SQL("grant {} to current_user").format(name))


def _drop(connection: Connection, statement: LiteralString, names: Sequence[str]) -> None:
    if names:
        listed = sql.SQL(", ").join(map(sql.Identifier, names))
        connection.execute(sql.SQL(statement).format(listed))


def _execute(connection: Connection, statement: str) -> None:
    # The server itself has quoted the names in it.
    connection.execute(cast(LiteralString, statement))
