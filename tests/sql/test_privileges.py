"""Who may do what, as text in git: a change is a diff to review.

Functions with the owner's rights are marked as definers, those with the rights of qm_reader as
readers; of those that only other functions call
nobody has the right. Rewrite it with ``QM_WRITE_SNAPSHOTS=1 make test-sql ARGS="-k privileges"``.
"""

from __future__ import annotations

import os
from pathlib import Path

import psycopg
import pytest

from tests.support.sql_files import FUNCTION_FILES, FunctionFile

pytestmark = pytest.mark.sql

SNAPSHOT = Path(__file__).parent / "schema" / "privileges.txt"
# PL/Python is optional, and so is what is written in it.
_OPTIONAL = ("search.embed(", "search.rerank(")

_FUNCTIONS = """
select n.nspname || '.' || p.proname, p.prosecdef
from pg_proc as p
inner join pg_namespace as n on n.oid = p.pronamespace
where n.nspowner = 'qm_owner'::regrole and p.prokind <> 'a'
"""
PRIVILEGES = """
with role (name, position) as (
    select *
    from unnest(
        array['public', 'qm_service', 'qm_reader', 'qm_user', 'qm_operator', 'qm_admin']
    ) with ordinality
),

ours as (
    select oid, nspname
    from pg_namespace
    where nspowner = 'qm_owner'::regrole
),

line as (
    select
        case
            when not p.prosecdef then 'function '
            when p.proowner = 'qm_reader'::regrole then 'reader '
            else 'definer '
        end
            || p.oid::regprocedure::text as what,
        coalesce(
            string_agg(r.name, ' ' order by r.position) filter (
                where has_function_privilege(r.name, p.oid, 'execute')
            ),
            'nobody'
        ) as who
    from pg_proc as p
    inner join ours as n on n.oid = p.pronamespace
    cross join role as r
    group by p.oid
    union all
    select
        'table ' || c.oid::regclass::text || ' ' || v.verb,
        string_agg(r.name, ' ' order by r.position) filter (
            where has_table_privilege(r.name, c.oid, v.verb)
        )
    from pg_class as c
    inner join ours as n on n.oid = c.relnamespace
    cross join role as r
    cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate']) as v (verb)
    where c.relkind in ('r', 'p', 'v', 'S') and (c.relkind <> 'S' or v.verb in ('select', 'update'))
    group by c.oid, v.verb
    union all
    select
        'column ' || c.oid::regclass::text || '.' || a.attname || ' select',
        string_agg(r.name, ' ' order by r.position) filter (
            where has_column_privilege(r.name, c.oid, a.attnum, 'select')
                and not has_table_privilege(r.name, c.oid, 'select')
        )
    from pg_class as c
    inner join ours as n on n.oid = c.relnamespace
    inner join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    cross join role as r
    where c.relkind in ('r', 'p', 'v')
    group by c.oid, a.attname
    union all
    select
        'schema ' || n.nspname || ' ' || v.verb,
        string_agg(r.name, ' ' order by r.position) filter (
            where has_schema_privilege(r.name, n.oid, v.verb)
        )
    from ours as n
    cross join role as r
    cross join unnest(array['usage', 'create']) as v (verb)
    group by n.nspname, v.verb
)

select l.what || ': ' || l.who from line as l where l.who is not null
order by l.what collate "C"
"""


def test_the_database_has_the_functions_of_the_files_and_no_other(
    rolled_back: psycopg.Connection[tuple[object, ...]],
):
    rows = rolled_back.execute(_FUNCTIONS).fetchall()
    declared = {
        (function.name, function.is_definer)
        for path in FUNCTION_FILES
        for function in FunctionFile(path).functions
    }
    found = {(str(name), bool(is_definer)) for name, is_definer in rows}
    optional = {(name.removesuffix("("), False) for name in _OPTIONAL}
    assert declared - optional == found - optional


def test_privileges_are_as_recorded(rolled_back: psycopg.Connection[tuple[object, ...]]):
    lines = [str(row[0]) for row in rolled_back.execute(PRIVILEGES)]
    if os.environ.get("QM_WRITE_SNAPSHOTS"):
        SNAPSHOT.write_text("\n".join(lines) + "\n", encoding="utf-8")
    recorded = SNAPSHOT.read_text(encoding="utf-8").splitlines()
    if not any(name in line for line in lines for name in _OPTIONAL):
        recorded = [line for line in recorded if not any(name in line for name in _OPTIONAL)]
    assert lines == recorded
