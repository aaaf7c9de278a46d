"""Rules that change while tools come in: no tool slips past a rule, whoever is first."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from tests.support.database import Database
from tests.support.waiting import wait_until_blocked

pytestmark = pytest.mark.sql

Connection = psycopg.Connection[tuple[object, ...]]
_RULES = """
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "tools": "vault__*"}]}')
"""
_TOOL = "select t.make_tool('vault', 'open')"
_SEEN = """
select count(*) from catalog.item as x
inner join search.card as c on c.kind = 'tool' and c.ref = x.id
cross join policy.principal as p
where p.name = 'alice' and (
    policy.is_visible(x.rights_class, policy.rights_of(p.id))
    or policy.is_visible(c.rights_class, policy.rights_of(p.id))
)
"""


def count(connection: Connection, statement: str) -> object:
    row = connection.execute(statement.encode()).fetchone()
    return row[0] if row else None


@pytest.mark.parametrize(
    ("first", "second"), [(_TOOL, _RULES), (_RULES, _TOOL)], ids=["tool first", "rules first"]
)
def test_a_tool_that_comes_in_meanwhile_is_under_the_new_rules(
    database: Database, first: str, second: str
):
    with database.connect() as observer:
        observer.execute("select t.make_origin('vault'), t.make_principal('alice')")
        with (
            psycopg.connect(database.dsn) as one,
            psycopg.connect(database.dsn) as other,
            ThreadPoolExecutor(1) as pool,
        ):
            one.execute(first.encode())
            waiting = pool.submit(lambda: (other.execute(second.encode()), other.commit()))
            wait_until_blocked(observer, other.info.backend_pid)
            assert not waiting.done()
            one.commit()
            waiting.result(20)
        assert count(observer, "select count(*) from search.card") == 1
        assert count(observer, _SEEN) == 0


def test_two_imports_that_make_classes_keep_each_others(database: Database):
    with database.connect() as observer:
        observer.execute("select t.make_origin('vault'), t.make_origin('other')")
        observer.execute(
            """select t.make_rules('{"rules": [
                {"effect": "deny", "subject": "everyone", "tools": "vault__*"},
                {"effect": "deny", "subject": "everyone", "origins": "other"}]}')"""
        )
        with (
            psycopg.connect(database.dsn) as one,
            psycopg.connect(database.dsn) as other,
            ThreadPoolExecutor(1) as pool,
        ):
            one.execute(_TOOL.encode())
            waiting = pool.submit(
                lambda: (other.execute("select t.make_tool('other', 'send')"), other.commit())
            )
            wait_until_blocked(observer, other.info.backend_pid)
            one.commit()
            waiting.result(20)
        observer.execute("select t.make_principal('alice')")
        assert count(observer, _SEEN) == 0
        assert count(observer, "select count(distinct rights_class) from catalog.item") == 2
