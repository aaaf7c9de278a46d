"""Connects the installer to a database, and explains why a connection was refused."""

from __future__ import annotations

from typing import Any, Final

import psycopg

from quartermaster.core.errors import QmError

Connection = psycopg.Connection[tuple[Any, ...]]

# A setting of the database, the login or the DSN may make a session another role's.
_SWITCHED_QUERY: Final = """
select quote_ident(session_user), quote_ident(current_database()), quote_ident(current_user)
where session_user <> current_user
"""

# What to do about a refused connection, by a part of what the server says.
_TLS: Final = (
    "The server demands TLS. Add sslmode=require to the DSN, or sslmode=verify-full and"
    " sslrootcert=FILE with the certificate of the server's authority."
)
_NO_CONNECTIONS_HINT: Final = (
    "All connections of the server are in use. End some, or let an administrator increase"
    " max_connections. The service takes up to 8 (setting database.pool_max)."
)
_REFUSALS: Final = {
    "too many clients": _NO_CONNECTIONS_HINT,
    "too many connections": _NO_CONNECTIONS_HINT,
    "connection slots are reserved": _NO_CONNECTIONS_HINT,
    "permission denied for database": "Only roles of Quartermaster may connect to its database."
    " Use the login that installed it, or let it run: grant connect on database NAME to LOGIN.",
    "no encryption": _TLS,
    "SSL required": _TLS,
    "does not exist": "The database or the login may have been renamed or dropped: psql -l lists"
    " the databases. Use its new name: in --dsn, or in the setting database.dsn.",
    "password authentication failed": "Somebody may have changed the password. Use the new one: in"
    " --dsn, or in the setting database.dsn.",
}


def connected(dsn: str, *, autocommit: bool = False) -> Connection:
    """Returns a connection that sends and receives UTF-8, regardless of the database's default
    encoding. Names in its statements never refer to objects of other users. It does not prepare
    statements automatically, because code in the database could replace a prepared statement.

    Raises:
        QmError: QM503 database_unavailable; QM403 not_permitted if the session is another role's.
    """
    try:
        connection = psycopg.connect(
            dsn, autocommit=autocommit, client_encoding="UTF8", prepare_threshold=None
        )
    except psycopg.OperationalError as error:
        raise unreachable(error) from error
    connection.execute("set search_path = pg_catalog, pg_temp")
    switched = connection.execute(_SWITCHED_QUERY).fetchone()
    if switched is not None:
        connection.close()
        raise _acts_as_another(*switched)
    if not autocommit:
        connection.commit()
    return connection


def _acts_as_another(login: str, database: str, role: str) -> QmError:
    # `reset role` would lead to that role again.
    return QmError(
        403,
        "not_permitted",
        f"in the database {database}, the sessions of {login} begin as the role {role}, which"
        " cannot install or check what is installed",
        f"Run in psql as {login}, which changes it for this login only: set role none; alter role"
        f" {login} in database {database} set role = none;",
    )


def is_replica(connection: Connection) -> bool:
    """Returns whether the server is a replica."""
    return connection.execute("show in_hot_standby").fetchone() == ("on",)


def unreachable(error: BaseException) -> QmError:
    """Returns the error for a database to which no connection can be made."""
    if isinstance(error, psycopg.errors.ConnectionTimeout):
        return QmError(
            503,
            "database_unavailable",
            "the database accepts connections, but does not answer",
            "The database server may be suspended, overloaded, or behind a firewall. Read the"
            " server's log, or restart the server.",
        )
    message = str(error).strip()
    # PostgreSQL refuses a connection without an SQLSTATE.
    hint = next(
        (known for part, known in _REFUSALS.items() if part in message.splitlines()[0]),
        "Check that the server is running and that the DSN has the right host, port and password.",
    )
    return QmError(
        503,
        "database_unavailable",
        f"cannot connect to the database: {message.splitlines()[0]}",
        hint,
    )


def explained(error: psycopg.Error) -> QmError:
    """Converts a database error into the error that the user sees."""
    message = error.diag
    return QmError.from_sqlstate(
        error.sqlstate or "08006",
        message.constraint_name,
        message.message_primary or str(error),
        message.message_hint,
        message.message_detail,
    )
