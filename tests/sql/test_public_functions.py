"""Which functions of PostgreSQL everybody may execute, as text in git, by version of the server.

A function that is new in the list gets a question: does it hold or fill something that all sessions
share? Then it belongs into ``core.withheld_functions``. The list has the functions that change
something or whose result changes (volatile), and those that read more than their arguments and are
parallel restricted or unsafe. Rewrite it with
``QM_WRITE_SNAPSHOTS=1 make test-sql ARGS="-k public_functions"``. The lists of versions that no
test has were written by running the query there.
"""

from __future__ import annotations

import os
from pathlib import Path

import psycopg
import pytest

pytestmark = pytest.mark.sql

_SNAPSHOTS = Path(__file__).parent / "schema"
# A function with an argument or a result of these types cannot be called from SQL.
_QUERY = """
select p.oid::regprocedure::text
from pg_proc as p
where
    (p.provolatile = 'v' or p.provolatile = 's' and p.proparallel <> 's')
    and p.pronamespace in (
        'pg_catalog'::regnamespace, 'ext'::regnamespace, 'information_schema'::regnamespace
    )
    and p.prorettype <> all('{trigger,event_trigger}'::regtype[])
    and not 'internal'::regtype = any(p.proargtypes)
    and has_function_privilege('qm_user', p.oid, 'execute')
order by p.oid::regprocedure::text collate "C"
"""


def test_the_functions_that_everybody_may_execute_are_as_recorded(
    rolled_back: psycopg.Connection[tuple[object, ...]],
):
    major = rolled_back.info.server_version // 10_000
    snapshot = _SNAPSHOTS / f"public_functions_{major}.txt"
    rolled_back.execute("set local search_path = pg_catalog")
    lines = [str(name) for (name,) in rolled_back.execute(_QUERY)]
    if os.environ.get("QM_WRITE_SNAPSHOTS"):
        snapshot.write_text("\n".join(lines) + "\n", encoding="utf-8")
    # PL/Python and other extensions are optional.
    recorded = snapshot.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line not in recorded] == []
    missing = {line for line in recorded if line not in lines}
    assert {line for line in missing if not line.startswith("plpython3_")} == set()


def test_no_function_that_is_withheld_is_left_to_everybody(
    rolled_back: psycopg.Connection[tuple[object, ...]],
):
    left = """
    select w.function::text from core.withheld_functions() as w
    where has_function_privilege('public', w.function, 'execute')
    """
    assert rolled_back.execute(left).fetchall() == []
