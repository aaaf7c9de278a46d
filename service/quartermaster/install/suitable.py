"""Refuses databases in which texts mean something else, and sets the session of an installation."""

from __future__ import annotations

from typing import Final

import psycopg
from psycopg import sql

from quartermaster.core.errors import QmError
from quartermaster.install.execute import HAS_SCHEMA, Connection

# Settings of the database, the role or the session do not change what an installation does. The
# transaction has made no statement before.
BEGIN: Final = """
set transaction isolation level read committed, read write, not deferrable;
set local standard_conforming_strings = on;
set local row_security = on;
set local lock_timeout = 0;
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
set local gin_fuzzy_search_limit = 0
"""

_TOLD: Final = f"""
select
    pg_catalog.current_database(),
    pg_catalog.getdatabaseencoding(),
    pg_catalog.current_setting('session_replication_role'),
    not {HAS_SCHEMA}
"""

# Where PostgreSQL knows no letters but those of English, a dash joins two words to one.
KNOWS_LETTERS: Final = """
select pg_catalog.length(pg_catalog.to_tsvector('pg_catalog.simple', e'one\\u2014two')) = 2
"""
_PLAIN: Final = "create database {} template template0 encoding 'UTF8' locale 'C.UTF-8'"


def connected(dsn: str) -> Connection:
    """A connection that sends and receives UTF-8, whatever the database does by itself."""
    return psycopg.connect(dsn, client_encoding="UTF8")


def require_suitable(connection: Connection) -> None:
    """Checks that the database can hold every text, and knows its letters.

    An installation that is there already may stay where PostgreSQL knows no letters; `qm doctor`
    tells.

    Raises:
        QmError: QM500 encoding_unsuitable, letters_unknown, triggers_disabled.
    """
    row = connection.execute(_TOLD).fetchone()
    assert row is not None
    database, encoding, replication, is_first = row
    # A database of another name can be made beside it.
    other = sql.SQL(_PLAIN).format(sql.Identifier(f"{database}_utf8")).as_string()
    if encoding != "UTF8":
        raise QmError(
            500,
            "encoding_unsuitable",
            f"the database {database} has the encoding {encoding}, which lacks most characters",
            f"Use a database with the encoding UTF8: {other};",
        )
    if is_first and connection.execute(KNOWS_LETTERS).fetchone() != (True,):
        raise QmError(
            500,
            "letters_unknown",
            f"in the locale of the database {database}, PostgreSQL knows no letters but a to z",
            f"Use a database with the character type C.UTF-8 or another of UTF-8: {other};",
        )
    if replication != "origin":
        raise QmError(
            500,
            "triggers_disabled",
            f"session_replication_role is {replication}, so that PostgreSQL runs no triggers",
            "Reset it for the database or the login: alter database"
            f" {sql.Identifier(database).as_string()} reset session_replication_role;",
        )
