"""Refuses databases that cannot store every text, or in which the login cannot create functions."""

from __future__ import annotations

from typing import Final

from psycopg import sql

from quartermaster.core.errors import QmError
from quartermaster.install.connection import Connection
from quartermaster.install.execute import HAS_SCHEMA

_ENCODING_QUERY: Final = f"""
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
# A superuser, or who may grant it, lets qm_owner use a language, too (sql/admin.sql).
LANGUAGES: Final = ("plpgsql", "sql")
_CLOSED_QUERY: Final = """
select l.lanname, quote_ident(current_user)
from pg_language as l
where
    l.lanname = any(%s) and not has_language_privilege('public', l.oid, 'usage')
    and not has_language_privilege(l.oid, 'usage with grant option')
    and not (
        has_language_privilege(l.oid, 'usage')
        and coalesce(has_language_privilege(to_regrole('qm_owner'), l.oid, 'usage'), false)
    )
order by l.lanname
"""
_CREATE_DATABASE: Final = "create database {} template template0 encoding 'UTF8' locale 'C.UTF-8'"


def require_suitable(connection: Connection) -> None:
    """Checks that the database can store every text, recognises the letters of all scripts, and
    lets the login create functions.

    An existing installation may stay in a database that recognises only ASCII letters; `qm doctor`
    reports this.

    Raises:
        QmError: QM500 encoding_unsuitable, letters_unknown, triggers_disabled; QM403 not_permitted
            if the login may not use a language.
    """
    row = connection.execute(_ENCODING_QUERY).fetchone()
    assert row is not None
    database, encoding, replication, is_first = row
    # A database of another name can be made beside it.
    other = sql.SQL(_CREATE_DATABASE).format(sql.Identifier(f"{database}_utf8")).as_string()
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
    if closed := connection.execute(_CLOSED_QUERY, [[*LANGUAGES]]).fetchall():
        names, login = ", ".join(name for name, _ in closed), closed[0][1]
        raise QmError(
            403,
            "not_permitted",
            f"{login} may not use the language {names} in the database {database}",
            f"A superuser must run: grant usage on language {names} to {login} with grant option;"
            " (qm install --print-admin-sql prints everything that needs an administrator)",
        )
