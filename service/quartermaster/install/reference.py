"""Renders the reference from the comments in the database and its error registry."""

from __future__ import annotations

from typing import Any, Final, LiteralString

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
    and c.relkind in ('r', 'p') and not c.relispartition
order by 1
"""
_ERRORS: Final = "select status, slug, meaning, next_step from core.error_code order by 1, 2"


_PAGE: Final = """\
# Reference

Rendered by `make docs` from the database's own comments; do not edit.

## Operations

Functions of schema `api`, called with named arguments:
`select * from select_tools('open a ticket', mode => 'fast')`.

{operations}
## Errors

SQLSTATE is `QM` and the status; the slug stands in the constraint field.

| code | slug | meaning | next step |
|---|---|---|---|
{errors}
## Tables

| table | what it holds |
|---|---|
{tables}"""
_OPERATION: Final = """\
### {0}

`api.{0}({1})`

Returns `{2}`. Role: {4}.

{3}

"""
_ERROR: Final = "| QM{} | `{}` | {} | {} |\n"
_TABLE: Final = "| `{}` | {} |\n"


def reference(dsn: str) -> str:
    """Returns the reference in Markdown: the operations in schema api, the error registry and the
    tables.

    Args:
        dsn: DSN of a database in which the schema is installed.
    """
    with psycopg.connect(dsn) as connection:
        return _PAGE.format(
            operations=_rendered(connection, _OPERATIONS, _OPERATION).removesuffix("\n"),
            errors=_rendered(connection, _ERRORS, _ERROR),
            tables=_rendered(connection, _TABLES, _TABLE),
        )


def _rendered(
    connection: psycopg.Connection[tuple[Any, ...]], query: LiteralString, form: str
) -> str:
    return "".join(form.format(*row) for row in connection.execute(query))
