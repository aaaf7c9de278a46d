"""The reference, rendered from the database's own comments and error registry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import psycopg

_OPERATIONS: Final = """
select p.proname, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid),
    obj_description(p.oid, 'pg_proc'),
    case
        when has_function_privilege('qm_user', p.oid, 'execute') then 'user'
        when has_function_privilege('qm_operator', p.oid, 'execute') then 'operator'
        when has_function_privilege('qm_admin', p.oid, 'execute') then 'admin'
        else 'the service''s login'
    end
from pg_proc as p where p.pronamespace = 'api'::regnamespace order by p.proname
"""
_TABLES: Final = """
select format('%s.%s', n.nspname, c.relname), obj_description(c.oid, 'pg_class')
from pg_class as c inner join pg_namespace as n on n.oid = c.relnamespace
where n.nspowner = 'qm_owner'::regrole
    and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'alembic_version'
order by 1
"""
_ERRORS: Final = "select status, slug, meaning, next_step from core.error_code order by 1, 2"


def reference(dsn: str) -> str:
    """Markdown: the operations of schema api, the error registry, the tables.

    Args:
        dsn: of a database with the schema installed.
    """
    with psycopg.connect(dsn) as connection:
        return "\n".join(_lines(connection)) + "\n"


def _lines(connection: psycopg.Connection[tuple[Any, ...]]) -> Iterator[str]:
    yield "# Reference"
    yield ""
    yield "Rendered by `make docs` from the database's own comments; do not edit."
    yield ""
    yield "## Operations"
    yield ""
    yield "Functions of schema `api`, called with named arguments:"
    yield "`select * from select_tools('open a ticket', mode => 'fast')`."
    for name, arguments, result, comment, role in connection.execute(_OPERATIONS):
        yield ""
        yield f"### {name}"
        yield ""
        yield f"`api.{name}({arguments})`"
        yield ""
        yield f"Returns `{result}`. Role: {role}."
        yield ""
        yield str(comment)
    yield ""
    yield "## Errors"
    yield ""
    yield "SQLSTATE is `QM` and the status; the slug stands in the constraint field."
    yield ""
    yield "| code | slug | meaning | next step |"
    yield "|---|---|---|---|"
    for status, slug, meaning, next_step in connection.execute(_ERRORS):
        yield f"| QM{status} | `{slug}` | {meaning} | {next_step} |"
    yield ""
    yield "## Tables"
    yield ""
    yield "| table | what it holds |"
    yield "|---|---|"
    for name, comment in connection.execute(_TABLES):
        yield f"| `{name}` | {comment} |"
