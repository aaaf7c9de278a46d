"""Renders the reference of the database from its comments and its error registry."""

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
    end,
    p.pronamespace::regnamespace
from pg_proc as p where p.pronamespace = to_regnamespace(%s) order by p.proname
"""
_TABLES: Final = """
select format('%s.%s', n.nspname, c.relname), obj_description(c.oid, 'pg_class')
from pg_class as c inner join pg_namespace as n on n.oid = c.relnamespace
where n.nspowner = 'qm_owner'::regrole
    and c.relkind in ('r', 'p') and not c.relispartition
order by 1
"""
_VIEWS: Final = """
select c.relname, obj_description(c.oid, 'pg_class'),
    case
        when has_table_privilege('qm_user', c.oid, 'select') then 'user'
        when has_table_privilege('qm_operator', c.oid, 'select') then 'operator'
        else 'admin'
    end,
    (
        select string_agg(
            format(
                '| `%%s` | `%%s` | %%s |', a.attname, format_type(a.atttypid, a.atttypmod),
                col_description(c.oid, a.attnum)
            ), e'\n' order by a.attnum
        )
        from pg_attribute as a where a.attrelid = c.oid
    )
from pg_class as c where c.relnamespace = to_regnamespace(%s) and c.relkind = 'v' order by 1
"""
_ERRORS: Final = "select status, slug, meaning, next_step from core.error_code order by 1, 2"


_PAGE: Final = """\
# Reference

Rendered by `make docs` from the database's own comments; do not edit.

## Operations

Functions of schema `api`, called with named arguments:
`select * from select_tools('open a ticket', mode => 'fast')`.

{operations}
## Operations of the service

Functions of schema `service`, which only the code of the service calls.

{internal}
## Views

Views of schema `api`, for [psql](psql.md). A view shows what its operation returns to its reader.

{views}
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

`{5}.{0}({1})`

Returns `{2}`. Role: {4}.

{3}

"""
_VIEW: Final = """\
**`api.{0}`** Role: {2}. {1}

| column | type | what it contains |
|---|---|---|
{3}

"""
_ERROR: Final = "| QM{} | `{}` | {} | {} |\n"
_TABLE: Final = "| `{}` | {} |\n"


def reference(dsn: str) -> str:
    """Returns the reference in Markdown: the operations in schemas api and service, the views, the
    error registry and the tables.

    Args:
        dsn: DSN of a database in which the schema is installed.
    """
    with psycopg.connect(dsn) as connection:
        return _PAGE.format(
            operations=_rendered(connection, _OPERATIONS, _OPERATION, "api").removesuffix("\n"),
            internal=_rendered(connection, _OPERATIONS, _OPERATION, "service").removesuffix("\n"),
            views=_rendered(connection, _VIEWS, _VIEW, "api").removesuffix("\n"),
            errors=_rendered(connection, _ERRORS, _ERROR),
            tables=_rendered(connection, _TABLES, _TABLE),
        )


def _rendered(
    connection: psycopg.Connection[tuple[Any, ...]], query: LiteralString, form: str, *given: str
) -> str:
    return "".join(form.format(*row) for row in connection.execute(query, given or None))
