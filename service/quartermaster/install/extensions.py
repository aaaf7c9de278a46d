"""Replaces the schema ``ext`` in SQL with the schemas in which the extensions are installed.

Our files write ``ext.vector``, because an installation creates the extensions in ``ext``. If
somebody else has created them elsewhere, the files are rewritten when they are executed.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final, LiteralString

import psycopg
from psycopg import sql

from quartermaster.core.errors import QmError
from quartermaster.install.connection import Connection

REQUIRED_EXTENSIONS: Final = ("vector", "pg_trgm", "unaccent")
# A member of two extensions, such as the operator <->, is that of the first.
_ELSEWHERE_QUERY: Final = """
select m.name, quote_ident(n.nspname)
from pg_extension as e
inner join pg_namespace as n on n.oid = e.extnamespace
inner join pg_depend as d
    on d.refclassid = 'pg_extension'::regclass and d.refobjid = e.oid and d.deptype = 'e'
cross join lateral (
    select t.typname from pg_type as t where d.classid = 'pg_type'::regclass and t.oid = d.objid
    union all
    select p.proname from pg_proc as p where d.classid = 'pg_proc'::regclass and p.oid = d.objid
    union all
    select o.oprname from pg_operator as o
    where d.classid = 'pg_operator'::regclass and o.oid = d.objid
    union all
    select c.opcname from pg_opclass as c
    where d.classid = 'pg_opclass'::regclass and c.oid = d.objid
    union all
    select t.dictname from pg_ts_dict as t
    where d.classid = 'pg_ts_dict'::regclass and t.oid = d.objid
) as m (name)
where e.extname = any(%(required)s) and n.nspname <> 'ext'
order by array_position(%(required)s, e.extname::text) desc
"""
_NAMED_PATTERN: Final = re.compile(r"(?<![\w.])ext\.([a-z_]\w*|[-+*/<>=~!@#%^&|`?]+)")
# Roles that name members of extensions; the others have the rights of one of them.
_USERS: Final = ("qm_owner", "qm_reader", "qm_user", "qm_service")
_HIDDEN_QUERY: Final = """
select distinct quote_ident(n.nspname)
from pg_extension as e
inner join pg_namespace as n on n.oid = e.extnamespace
cross join unnest(%s::text[]) as r (name)
where e.extname = any(%s) and not has_schema_privilege(r.name, n.oid, 'usage')
"""
_USAGE: Final = "grant usage on schema"


def placed(connection: Connection, text: str) -> str:
    """Returns the SQL with ``ext`` replaced by the schemas that contain the members of the
    extensions.
    """
    if "ext." not in text:
        return text
    elsewhere = dict(
        connection.execute(_ELSEWHERE_QUERY, {"required": [*REQUIRED_EXTENSIONS]}).fetchall()
    )
    if not elsewhere:
        return text

    def renamed(found: re.Match[str]) -> str:
        # Within a format string, the operator % is written %%.
        schema = elsewhere.get(found[1].replace("%%", "%"), "ext")
        return f"{schema}.{found[1]}"

    return _NAMED_PATTERN.sub(renamed, text)


def open_schemas(connection: Connection) -> None:
    """Allows the database roles of Quartermaster to use the schemas of the extensions.

    Raises:
        QmError: QM403 not_permitted, if this login may not grant that. The error contains the
            statements that the owner of the schemas, or a superuser, must run.
    """
    hidden = _hidden(connection)
    for (schema,) in _hidden(connection):
        # Who may use a schema, but not grant it, only gets a warning.
        with suppress(psycopg.errors.InsufficientPrivilege), connection.transaction():
            connection.execute(f"{_USAGE} {schema} to {', '.join(_USERS)}")
    if hidden := _hidden(connection):
        login = sql.Identifier(connection.info.user).as_string(connection)
        statements = (f"{_USAGE} {schema} to {login} with grant option;" for (schema,) in hidden)
        raise QmError(
            403,
            "not_permitted",
            f"the extensions stand in the schema {hidden[0][0]}, which our roles may not use",
            f"The owner of that schema, or a superuser, must run: {' '.join(statements)}",
        )


def _hidden(connection: Connection) -> list[tuple[LiteralString]]:
    # The server has quoted the names.
    return connection.execute(_HIDDEN_QUERY, ([*_USERS], [*REQUIRED_EXTENSIONS])).fetchall()
