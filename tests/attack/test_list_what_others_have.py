"""Somebody lists tools that rules hide from him, or learns from hints what others ask for."""

from __future__ import annotations

from collections.abc import Generator

import psycopg
import pytest

from tests.support.database import Database, Server
from tests.support.psql_login import psql_login

pytestmark = pytest.mark.sql

ARRANGED = """
select t.make_principal('mallory'), t.make_principal('alice');
select t.make_origin('alpha'), t.make_origin('bravo');
select t.make_tools('alpha', 'open', 'close');
select t.make_tools('bravo', 'brew_gold', 'brew_silver');
select t.make_rules('{"rules": [
    {"effect": "deny", "subject": "principal:mallory", "origins": "bravo"}
]}');
select api.put_toolset('all', '{"origins": ["alpha", "bravo"]}');
insert into selection.utility (
    kind, ref, calls, successes, success_rate, p95_ms, success_gain, latency_loss, refreshed_at
)
select 'tool', i.id, 1, 1, 1, 1, 0, 0, now() from catalog.item as i;
"""
# What somebody asked, and a call of alpha__open that succeeded after it.
ASKED = """
with receipt as (
    insert into selection.receipt (created_at, principal_id, kind, goal, mode, offered, duration_ms)
    select now(), p.id, 'tool', %s, 'fast', '[]', 1 from policy.principal as p where p.name = %s
    returning id
)
insert into selection.outcome (receipt_id, ref, rank, calls, successes)
select r.id, i.id, 1, 1, 1
from receipt as r cross join catalog.item as i where i.public_name = 'alpha__open'
"""
LISTED = "select l.name, l.hint, l.visible from service.list_tools() as l"


@pytest.fixture
def arranged(sql_server: Server) -> Generator[Database]:
    with sql_server.clone() as database:
        with database.connect() as connection:
            connection.execute(ARRANGED.encode())
        yield database


@pytest.mark.parametrize("toolset", ["", "all", "no such toolset"])
def test_by_a_toolset_that_has_them(arranged: Database, toolset: str) -> None:
    with arranged.connect() as connection, connection.transaction():
        connection.execute("select t.act_as('mallory'), t.through(%s)", [toolset])
        listed = connection.execute(LISTED).fetchall()
    assert not any(str(name).startswith("bravo") for name, _, _ in listed)
    assert {visible for _, _, visible in listed} <= {2}


def test_by_a_login(arranged: Database) -> None:
    with (
        psql_login(arranged, "qm_user", "mallory") as dsn,
        psycopg.connect(dsn, autocommit=True) as connection,
        pytest.raises(psycopg.Error) as refused,
    ):
        connection.execute(LISTED)
    assert refused.value.sqlstate in {"42501", "QM403"}


def test_by_asking_for_the_same_word_again_and_again(arranged: Database) -> None:
    """Mallory guesses what Alice asked: a word of both would be a hint if two were enough."""
    with arranged.connect() as connection:
        for goal, who in [("sell hanako", "alice"), *[("hanako", "mallory")] * 50]:
            connection.execute(ASKED, [goal, who])
        connection.execute("select selection.refresh_hints()")
        with connection.transaction():
            connection.execute("select t.act_as('mallory')")
            hints = {hint for _, hint, _ in connection.execute(LISTED).fetchall()}
    assert hints == {""}
