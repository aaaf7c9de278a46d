"""Creates a database for one measurement, installs the schema, and always drops the database."""

from __future__ import annotations

import os
import secrets
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Final, LiteralString, cast
from urllib.parse import quote, urlencode

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from quartermaster.core.errors import QmError
from quartermaster.install.apply import install
from quartermaster.install.connection import unreachable

_VECTOR_INDEXES: Final = """
select c.oid::regclass::text, pg_get_indexdef(c.oid)
from pg_class as c
inner join pg_am as a on a.oid = c.relam
where a.amname = 'hnsw' and c.relnamespace = 'search'::regnamespace
"""
# asyncpg, the driver for `qm_service`, would send any other option to the server as a setting.
_PASSED_OPTIONS: Final = ("host", "port", "sslmode", "sslrootcert")


@contextmanager
def throw_away_database(admin_dsn: str) -> Generator[str]:
    """Creates a database with the schema of this release, and drops it at the end.

    Args:
        admin_dsn: DSN of an administrator who may create databases, for any database on the server.

    Yields:
        The administrator's DSN for the new database, as a URL.

    Raises:
        QmError: QM503 database_unavailable, QM403 not_permitted, or any error of `install`.
    """
    name = f"qm_eval_{os.getpid()}_{secrets.token_hex(4)}"
    try:
        _administer(admin_dsn, "create database {} template template0", name)
        dsn = _url(make_conninfo(admin_dsn, dbname=name))
        install(dsn)
        # Only the search is measured, so all tools in a file are offered.
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute("update catalog.scan_rule set enabled = false")
        # The data does not have to survive a power failure.
        _administer(admin_dsn, "alter database {} set synchronous_commit = off", name)
        yield dsn
    finally:
        _administer(admin_dsn, "drop database if exists {} with (force)", name)


@contextmanager
def without_vector_indexes(dsn: str) -> Generator[None]:
    """Drops the HNSW indexes for the duration of the block, then builds them again. Building an
    index over all vectors takes a tenth of the time that adding the vectors one by one takes.

    Args:
        dsn: DSN of the administrator of a throw-away database.
    """
    with psycopg.connect(dsn, autocommit=True) as connection:
        indexes = connection.execute(_VECTOR_INDEXES).fetchall()
        for name, _ in indexes:
            connection.execute(_statement(f"drop index {name}"))
    yield
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("set maintenance_work_mem = '256MB'")
        for _, definition in indexes:
            _build(connection, str(definition))


def settle(dsn: str) -> None:
    """Updates statistics and the visibility map, as autovacuum would do within minutes.

    Args:
        dsn: DSN of the administrator of a throw-away database.
    """
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("vacuum analyze")


def _build(connection: psycopg.Connection[tuple[Any, ...]], definition: str) -> None:
    try:
        connection.execute(_statement(definition))
    except psycopg.errors.DiskFull:
        # Parallel workers share memory under /dev/shm, which containers often keep small.
        connection.execute("set max_parallel_maintenance_workers = 0")
        connection.execute(_statement(definition))


def _statement(text: str) -> LiteralString:
    # The text is safe, because the server itself has quoted the names in it.
    return cast(LiteralString, text)


def _administer(admin_dsn: str, statement: LiteralString, database: str) -> None:
    try:
        with psycopg.connect(admin_dsn, autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(sql.Identifier(database)))
    except psycopg.OperationalError as error:
        raise unreachable(error) from error
    except psycopg.errors.InsufficientPrivilege as error:
        raise QmError(
            403,
            "not_permitted",
            f"this login may not create a database: {error.diag.message_primary}",
            "Choose another server with --dsn, or use --embedded, which starts its own server.",
        ) from error


def _url(conninfo: str) -> str:
    """Converts a DSN into a URL, which both database drivers can read."""
    given = {key: str(value) for key, value in conninfo_to_dict(conninfo).items() if value}
    login = quote(given.get("user", ""), safe="")
    if "password" in given:
        login += f":{quote(given['password'], safe='')}"
    options = urlencode({key: given[key] for key in _PASSED_OPTIONS if key in given})
    return f"postgresql://{login}@/{quote(given['dbname'], safe='')}?{options}"
