"""The database's functions for people and for the service, its views, row policies and grants."""

from __future__ import annotations

from typing import Any, Final, LiteralString

import psycopg

from lab.bench.outputs.writing import Output
from lab.bench.server import throw_away
from tests.sql.test_privileges import PRIVILEGES
from tests.support.catalogue import snapshot

Connection = psycopg.Connection[tuple[Any, ...]]

_API: Final = """
select format(
    E'%s\\n  arguments: %s\\n  returns: %s\\n  %s, %s, parallel %s, security %s, owner %s, rows %s'
    '\\n  settings: %s\\n  may execute: %s\\n  comment: %s',
    p.oid::regprocedure, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid),
    l.lanname,
    case p.provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end,
    case p.proparallel when 's' then 'safe' when 'r' then 'restricted' else 'unsafe' end,
    case when p.prosecdef then 'definer' else 'invoker' end,
    pg_get_userbyid(p.proowner), p.prorows, array_to_string(p.proconfig, ', '),
    (
        select string_agg(r.name, ' ' order by r.place)
        from unnest(array['public', 'qm_user', 'qm_operator', 'qm_admin', 'qm_service'])
            with ordinality as r (name, place)
        where has_function_privilege(r.name, p.oid, 'execute')
    ),
    obj_description(p.oid, 'pg_proc')
)
from pg_proc as p
inner join pg_language as l on l.oid = p.prolang
where p.pronamespace in ('api'::regnamespace, 'service'::regnamespace)
order by p.oid::regprocedure::text collate "C"
"""
_VIEWS: Final = """
select format(
    E'view %s\\n  options: %s\\n  columns: %s\\n  comment: %s',
    c.oid::regclass, c.reloptions,
    (
        select string_agg(
            format('%s %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', '
            order by a.attnum
        )
        from pg_attribute as a where a.attrelid = c.oid and a.attnum > 0
    ),
    obj_description(c.oid, 'pg_class')
)
from pg_class as c
inner join pg_namespace as n on n.oid = c.relnamespace
where c.relkind in ('v', 'm') and n.nspowner = 'qm_owner'::regrole
order by c.oid::regclass::text collate "C"
"""
# Of all that makes up a database.
_RIGHTS: Final = ("policy ", "relation ", "schema ", "default privileges ")


def write_api(output: Output) -> None:
    """`api.txt` and `policies.txt` of a new database."""
    output.tell("installing a database")
    with throw_away() as bench:
        # What the bench itself has granted is no part of an installation.
        bench.owner.execute("revoke qm_reader from qm_service")
        for name, text in described(bench.owner).items():
            output.write(name, text)


def described(connection: Connection) -> dict[str, str]:
    """Returns the text of each file; the session's search path changes."""
    connection.execute("set search_path = pg_catalog")
    rights = [line for line in snapshot("", connection) if line.startswith(_RIGHTS)]
    return {
        "api.txt": "\n\n".join(
            [*_query_lines(connection, _API), *_query_lines(connection, _VIEWS)]
        ),
        "policies.txt": "\n".join([*rights, *_query_lines(connection, PRIVILEGES)]),
    }


def _query_lines(connection: Connection, query: LiteralString) -> list[str]:
    return [str(text) for (text,) in connection.execute(query)]
