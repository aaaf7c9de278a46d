"""Runs SQL files on the installer's connection, as the administrator or as the owner."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, Any, Final, Literal, LiteralString, cast

import psycopg
from psycopg import sql

from quartermaster.core.errors import RETRYABLE_SQLSTATES, QmError
from quartermaster.install import discover
from quartermaster.install.connection import Connection, is_replica
from quartermaster.install.extensions import placed
from quartermaster.install.steps import Actor, InstallStep

if TYPE_CHECKING:
    from quartermaster.install.kind_folder import KindFolder

# Whether any release is installed in the database. Others, too, may have a schema `core`.
HAS_SCHEMA: LiteralString = """exists (
    select from pg_catalog.pg_class as c
    inner join pg_catalog.pg_namespace as n on n.oid operator(pg_catalog.=) c.relnamespace
    where
        n.nspname operator(pg_catalog.=) 'core' and c.relname operator(pg_catalog.=) 'kind_folder'
)"""

# Only one installer may run at a time. The lock is a lock on a table, because any login could take
# an advisory lock and keep it. Only the first installers of a database have no table yet. The
# number of their lock is arbitrary. An installation before this one takes longer than other locks.
LOCK: LiteralString = f"""
set local lock_timeout = '1min';
do $do$
begin
    if not {HAS_SCHEMA} then
        perform pg_catalog.pg_advisory_xact_lock(7141883);
    end if;
    if {HAS_SCHEMA} then
        lock table core.release in share row exclusive mode;
    end if;
end
$do$;
set local lock_timeout = '10s'
"""
# Settings of the database, of the login, or of what the owner has run do not change what an
# installation does. Names are not resolved in unintended schemas, and "if not exists" gives no
# notices. Only a lock is not waited for without end, because everybody else waits behind this
# transaction. With SESSION, the transaction has made no query before.
PINNED_SETTINGS: LiteralString = f"""
{discover.NAMED_ROLES}
set local client_min_messages = warning;
set local search_path = pg_catalog, pg_temp;
set local statement_timeout = 0;
set local idle_in_transaction_session_timeout = 0;
set local lock_timeout = '10s';
set local standard_conforming_strings = on;
set local row_security = on;
set local datestyle = 'ISO, MDY';
set local intervalstyle = 'postgres';
set local timezone = 'UTC';
set local bytea_output = 'hex';
set local extra_float_digits = 1;
set local array_nulls = on;
set local transform_null_equals = off;
set local quote_all_identifiers = off;
set local default_text_search_config = 'pg_catalog.simple';
set local default_table_access_method = 'heap';
set local default_tablespace = '';
set local gin_fuzzy_search_limit = 0;
-- Servers before PostgreSQL 17 do not know it.
select set_config(s.name, '0', true) from pg_settings as s where s.name = 'transaction_timeout';
"""  # noqa: S608 - of constants only
SESSION: LiteralString = f"""
set transaction isolation level read committed, read write, not deferrable;
{PINNED_SETTINGS.strip()}
"""

# Requests the step sql/login_limits.sql, which changes the rights of all roles in the database.
LIMIT_LOGINS = "set local qm.limit_logins = on"

# Requests that nothing is taken from others in the database (sql/shared.sql).
SHARE = "set local qm.shared = on"

_LOCKS: Final = "max_locks_per_transaction"
# Files of functions that a statement runs.
_FUNCTION_BATCH: Final = 50


def begin(connection: Connection) -> None:
    """Applies the installer's settings to a transaction that has not run a query yet.

    Raises:
        QmError: QM503 database_read_only if the server is a replica.
    """
    if is_replica(connection):
        raise QmError(
            503,
            "database_read_only",
            "the database can only be read",
            "The server is a replica: use the address of the primary server, or promote it.",
        )
    connection.execute(SESSION)


def wait_for_turn(connection: Connection) -> None:
    """Waits until no other installation runs, and then makes other installations wait.

    Raises:
        QmError: QM503 retryable.
    """
    _execute(connection, "another installation", LOCK)


def set_service_password(connection: Connection, password: str) -> None:
    """Sets the password of qm_service. The statement contains only a hash of the password, because
    the server may log statements.
    """
    verifier = connection.pgconn.encrypt_password(
        password.encode(), b"qm_service", b"scram-sha-256"
    )
    alter = sql.SQL("alter role qm_service password {}")
    connection.execute(alter.format(sql.Literal(verifier.decode())))


def run_all(connection: Connection, steps: Iterable[InstallStep]) -> None:
    """Runs the steps in order, each with the rights of its actor."""
    for is_function_of_owner, group in groupby(steps, _is_function_of_owner):
        if is_function_of_owner:
            _run_together(connection, list(group))
        else:
            _run_one_by_one(connection, group)


def _is_function_of_owner(step: InstallStep) -> bool:
    return step.function is not None and step.actor is Actor.OWNER


def _run_together(connection: Connection, steps: Sequence[InstallStep]) -> None:
    """Runs files that create functions, many files in one statement, because starting a statement
    takes as long as running a small file.
    """
    for first in range(0, len(steps), _FUNCTION_BATCH):
        some = steps[first : first + _FUNCTION_BATCH]
        try:
            with connection.transaction():
                as_owner(connection, "\n".join(step.statement for step in some))
        except QmError:
            # One by one, the error names the file.
            _run_one_by_one(connection, some)


def _run_one_by_one(connection: Connection, steps: Iterable[InstallStep]) -> None:
    for step in steps:
        execute_step(connection, step)
        if step.function is not None and step.actor is Actor.ADMINISTRATOR:
            # Only a superuser may create PL/Python functions. Afterwards, they are given to the
            # owner.
            identity = sql.Identifier(*step.function.split("."))
            connection.execute(sql.SQL("alter function {} owner to qm_owner").format(identity))


def run_functions(
    connection: Connection,
    shipped: Sequence[InstallStep],
    folders: Sequence[KindFolder],
    afterwards: Sequence[InstallStep] = (),
) -> int:
    """Runs the files that create functions, then the files that register kinds. Returns the number
    of files with functions.

    Args:
        connection: connection of the installer.
        shipped: files of our own functions.
        folders: kind folders of the user, which may not replace these functions.
        afterwards: files that run after the functions and before the kinds of the folders.

    Raises:
        QmError: see `execute_step`.
    """
    own = discover.between_doors([step for folder in folders for step in folder.functions()])
    kinds = [step for folder in folders for step in folder.applied()]
    # Functions call each other, so they are checked when all are there.
    check_bodies(connection, "off")
    as_owner(connection, discover.BEFORE_FUNCTIONS)
    run_all(connection, shipped)
    as_owner(connection, discover.SHIPPED_FUNCTIONS)
    run_all(connection, [*own, *afterwards, *kinds])
    as_owner(connection, discover.SHIPPED_FUNCTIONS_CHECK, "kind folders")
    as_owner(connection, discover.drop_leftovers(), "functions that were removed")
    # A file of the user is more often wrong than ours, and is then told at once.
    _check_bodies(connection, [*own, *kinds, *shipped])
    return len(shipped) + len(own)


def check_bodies(connection: Connection, state: Literal["on", "off"]) -> None:
    """Sets whether PostgreSQL checks the bodies of functions when they are created."""
    connection.execute(sql.SQL("set local check_function_bodies = {}").format(state))


def _check_bodies(connection: Connection, steps: Sequence[InstallStep]) -> None:
    check_bodies(connection, "on")
    try:
        with connection.transaction():
            as_owner(connection, discover.VALIDATION)
    except QmError:
        # One by one, the error names the file.
        for step in steps:
            as_owner(connection, discover.BEFORE_FUNCTIONS)
            _run_one_by_one(connection, [step])
            as_owner(connection, discover.VALIDATION, step.name)
        raise
    _run_one_by_one(connection, [step for step in steps if step.actor is Actor.ADMINISTRATOR])


def execute_step(connection: Connection, step: InstallStep) -> psycopg.Cursor[tuple[Any, ...]]:
    """Runs a step with the rights of its actor.

    Raises:
        QmError: QM500 install_failed, QM503 retryable.
    """
    if step.actor is Actor.OWNER:
        return as_owner(connection, step.statement, step.name)
    connection.execute(PINNED_SETTINGS)
    return _execute(connection, step.name, placed(connection, step.statement))


def let_owner_act(connection: Connection) -> None:
    """Creates the functions that `as_owner` and `owner_rows` need in this session
    (sql/as_owner.sql).
    """
    connection.execute(cast(LiteralString, discover.owner().sql))


def as_owner(
    connection: Connection, statement: str, name: str = "functions"
) -> psycopg.Cursor[tuple[Any, ...]]:
    """Runs SQL with the rights of qm_owner. Nothing that the SQL calls can get the rights of the
    login.

    Args:
        connection: connection of the administrator, after `let_owner_act`, in a transaction that
            ends with `settle`.
        statement: one or more statements.
        name: name of the file, for the error.

    Raises:
        QmError: QM500 install_failed, QM503 retryable, or the error that the SQL raised.
    """
    return _execute(
        connection, name, "select pg_temp.as_owner(%s)", [placed(connection, statement)]
    )


def owner_rows(
    connection: Connection, query: str, given: Sequence[object] = ()
) -> list[tuple[Any, ...]]:
    """Returns the rows of a query that runs as qm_owner. Its side effects are rolled back.

    Args:
        connection: connection of the administrator, after `let_owner_act`.
        query: the query. Each column needs a unique name, and values that JSON can express.
        given: values of the parameters.
    """
    composed = placed(connection, query).strip().removesuffix(";")
    if given:
        composed = psycopg.ClientCursor(connection).mogrify(cast(LiteralString, composed), given)
    with connection.transaction():
        [(rows,)] = connection.execute("select pg_temp.ask_owner(%s)", [composed]).fetchall()
    return [tuple(row.values()) for row in rows]


def settle(connection: Connection) -> None:
    """Runs the deferred triggers now, so that no code of the owner runs at the end of the
    transaction, when the login acts again.

    Raises:
        QmError: see `execute_step`.
    """
    execute_step(connection, discover.settlement())


def _execute(
    connection: Connection, name: str, statement: str, given: Sequence[object] | None = None
) -> psycopg.Cursor[tuple[Any, ...]]:
    try:
        return connection.execute(cast(LiteralString, statement), given)
    except psycopg.Error as error:
        raise failed(name, error) from error


def failed(name: str, error: Exception) -> QmError:
    """Returns the error that a file raised, or an error that says why the server refused the
    file.
    """
    if isinstance(error, psycopg.Error) and (error.sqlstate or "").startswith("QM"):
        diagnosis = error.diag
        return QmError(
            int(str(error.sqlstate)[2:]),
            diagnosis.constraint_name or "install_failed",
            diagnosis.message_primary or "",
            diagnosis.message_hint or "",
        )
    if isinstance(error, psycopg.Error) and error.sqlstate in RETRYABLE_SQLSTATES:
        return QmError(
            503,
            "retryable",
            f"{name}: {_error_text(error)}",
            "Other sessions kept locking the same tables. Run the installation again.",
        )
    if isinstance(error, psycopg.errors.OutOfMemory) and _LOCKS in str(error):
        return QmError(
            500,
            "locks_exhausted",
            f"{name}: the server has no room for the locks of this transaction",
            f"An administrator must increase {_LOCKS}, so that {_LOCKS} * max_connections is more"
            " than 6000, and restart the server. Nothing was changed.",
        )
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return QmError(
            500,
            "install_failed",
            f"{name}: {_error_text(error)}",
            "Use the DSN of a superuser, or of the owner of the database with createrole. If"
            " another login has installed before, use that one. What an administrator of the server"
            " can grant, qm install --print-admin-sql prints. Nothing was changed.",
        )
    return QmError(
        500,
        "install_failed",
        f"{name}: {_error_text(error)}",
        "Fix the cause and run the installation again. Nothing was changed.",
    )


def _error_text(error: Exception) -> str:
    """Returns the message of the server, without the text of the file. It names the function in
    which the error happened, unless this is a function of the installer.
    """
    message = re.split(r"\n(?:QUERY|CONTEXT):", str(error), maxsplit=1)[0].strip()
    context = error.diag.context if isinstance(error, psycopg.Error) else None
    place = (context or "").partition("\n")[0]
    if re.match(r"(SQL|PL/pgSQL) function (?!pg_temp|inline_code_block)", place):
        message += f" ({place})"
    return message


def in_conflict(error: Exception) -> bool:
    """Returns whether a conflict with other sessions caused the error, such as a deadlock."""
    return isinstance(error, QmError) and error.is_retryable


def run_checks(connection: Connection, checks: Iterable[InstallStep]) -> None:
    """Runs files of sql/checks/ as the owner, and reports objects that violate a rule.

    Raises:
        QmError: QM500 check_failed, with the rule and the offending objects.
    """
    for step in checks:
        try:
            offenders = [str(offender) for (offender,) in owner_rows(connection, step.sql)]
        except psycopg.Error as error:
            raise failed(step.name, error) from error
        if offenders:
            rule, remedy = rule_of(step)
            raise QmError(
                500,
                "check_failed",
                f"{step.name}: {', '.join(offenders)}. The rule is: {rule}",
                f"To mend it: {remedy}",
            )


def rule_of(check: InstallStep) -> tuple[str, str]:
    """Returns the rule of a check and the remedy for a violation, from the comment at the top of
    the check's file.
    """
    comment = takewhile(lambda line: line.startswith("--"), check.sql.splitlines())
    text = " ".join(line.removeprefix("--").strip() for line in comment)
    summary, _, rest = text.removeprefix("Summary: ").partition(" Consequence: ")
    return summary.removesuffix("."), rest.partition(" Fix: ")[2]
