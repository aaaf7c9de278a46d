"""plpgsql_check reads every function: unknown columns, wrong types, unused variables, holes."""

from __future__ import annotations

import psycopg
import pytest

from tests.support.database import Database

pytestmark = pytest.mark.sql

_FINDINGS = """
select n.nspname || '.' || p.proname, c.lineno, c.level, c.message
from pg_proc as p
inner join pg_language as l on l.oid = p.prolang and l.lanname = 'plpgsql'
inner join pg_namespace as n on n.oid = p.pronamespace
cross join lateral ext.plpgsql_check_function_tb(
    p.oid, security_warnings => true, performance_warnings => false, extra_warnings => true,
    fatal_errors => false
) as c
where n.nspowner = 'qm_owner'::regrole
    and p.prorettype <> 'trigger'::regtype
    -- Not seen by it: `return query execute` sets them.
    and c.message !~ '^OUT variable .* is maybe unmodified$'
order by 1, 2
"""


def test_no_function_has_an_error_a_warning_or_a_hole(checked: Database):
    with checked.connect() as connection:
        found = connection.execute(_FINDINGS).fetchall()
    assert found == [], "\n".join(map(str, found))


def test_a_broken_function_is_found(checked: Database):
    with psycopg.connect(checked.dsn) as connection:
        connection.execute(
            "create function api.broken(q text) returns void language plpgsql as"
            " $$declare v_unused integer; begin execute 'select ' || q; end$$"
        )
        found = connection.execute(_FINDINGS).fetchall()
        connection.rollback()
    assert {str(row[0]) for row in found} == {"api.broken"}
    assert {"security", "warning"} <= {str(row[2]).split()[0] for row in found}
