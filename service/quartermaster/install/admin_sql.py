"""The SQL that an administrator of the server has to run once, before an owner without superuser
rights can install.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, LiteralString

from psycopg import sql

from quartermaster import __version__
from quartermaster.core.errors import QmError
from quartermaster.install import discover
from quartermaster.install.connection import Connection, connected
from quartermaster.install.extensions import REQUIRED_EXTENSIONS
from quartermaster.install.suitable import LANGUAGES

_LOGIN: Final = """
select
    r.rolname, current_database(), r.rolsuper,
    pg_get_userbyid(d.datdba) as owner, pg_has_role(r.oid, d.datdba, 'usage') as is_owner,
    r.rolcreaterole
from pg_roles as r, pg_database as d
where r.rolname = session_user and d.datname = current_database()
"""
_SCHEMAS: Final = """
select distinct n.nspname
from pg_extension as e inner join pg_namespace as n on n.oid = e.extnamespace
where
    e.extname = any(%s) and n.nspname <> 'ext'
    and not has_schema_privilege('public', n.oid, 'usage')
order by n.nspname
"""

_CLOSED_LANGUAGES: Final = """
select l.lanname from pg_language as l
where l.lanname = any(%s) and not has_language_privilege('public', l.oid, 'usage')
order by l.lanname
"""
_IS_ELSEWHERE: Final = """
select to_regnamespace('ext') is null and array_agg(e.extname::text) @> %s::text[]
from pg_extension as e
"""


def admin_sql(dsn: str) -> str:
    """Returns the script for psql. The script can be run again, and does not change existing
    objects.

    Args:
        dsn: DSN of the login that will install, in the database for Quartermaster.

    Raises:
        QmError: QM503 database_unavailable, QM403 not_permitted if the database belongs to another
            role.
    """
    with connected(dsn) as connection:
        return "\n".join(_lines(connection)) + "\n"


def _not_owner(login: str, database: str, owner: str, quoted: str) -> QmError:
    return QmError(
        403,
        "not_permitted",
        f"the database {database} belongs to {owner}, and an installation changes rights and"
        f" settings that {login} may not change",
        f"Use the DSN of {owner}. Or let a superuser make a database for Quartermaster:"
        f" create database quartermaster owner {quoted};",
    )


def _lines(connection: Connection) -> Iterator[str]:
    [(login, database, is_superuser, owner, is_owner, creates_roles)] = connection.execute(
        _LOGIN
    ).fetchall()
    yield f"-- Quartermaster {__version__}, made by qm install --print-admin-sql."
    if is_superuser:
        yield "-- The login is a superuser, so nothing has to be run: qm install does all of it."
        return

    def written(statement: LiteralString, **names: str) -> str:
        named = {key: sql.Identifier(name) for key, name in names.items()}
        return f"{sql.SQL(statement).format(**named).as_string(connection)};"

    if not is_owner:
        raise _not_owner(login, database, owner, sql.Identifier(login).as_string(connection))
    # A name with a line break would leave the comment.
    yield "-- Run it once, as a superuser or as an administrator of your provider, in the database"
    yield f"-- {database!r}: psql -v ON_ERROR_STOP=1 -f FILE. It can be repeated."
    yield f"-- Then the login {login!r} runs qm install."
    yield "begin;"
    # The settings of a database belong to its owner: no name means a function of others.
    yield "set local search_path = pg_catalog, pg_temp;"
    yield "\n-- The extensions. They may also stand in another schema, and stay there if they do."
    if connection.execute(_IS_ELSEWHERE, [[*REQUIRED_EXTENSIONS]]).fetchone() != (True,):
        yield discover.extension_schema().sql.strip()
        yield "grant usage on schema ext to public;"
    for step in discover.required_extensions():
        yield step.sql.strip()
    yield f"\n-- {discover.roles().name}"
    yield discover.roles().sql.strip()
    yield "\n-- The login acts as these roles, and gives them to people."
    yield written(
        "grant qm_owner, qm_reader, qm_user, qm_operator, qm_admin, qm_service to {login}"
        " with admin option",
        login=login,
    )
    if not creates_roles:
        yield "-- It sets the password of qm_service."
        yield written("alter role {login} createrole", login=login)
    for (language,) in connection.execute(_CLOSED_LANGUAGES, [[*LANGUAGES]]).fetchall():
        yield "-- It makes functions, and lets qm_owner make them."
        yield written(
            "grant usage on language {language} to {login} with grant option",
            language=language,
            login=login,
        )
    for (schema,) in connection.execute(_SCHEMAS, [[*REQUIRED_EXTENSIONS]]).fetchall():
        yield "-- Our functions use the extensions in this schema."
        yield written(
            "grant usage on schema {schema} to qm_owner, qm_reader, qm_user, qm_service",
            schema=schema,
        )
    yield "commit;"
