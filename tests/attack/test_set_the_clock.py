"""A clock jumps by hours or years, and back: nothing stands still until a time that never came, and
no expired key lives again.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from typing import Any, LiteralString
from uuid import uuid4

import psycopg
import pytest

from quartermaster.core.errors import QmError
from quartermaster.db import Principal
from quartermaster.identity.limits import RateLimit
from tests.support.database import Database

Connection = psycopg.Connection[tuple[Any, ...]]
NOW, SOON, LATER = "2026-01-01 00:00+00", "2026-01-01 01:00+00", "2036-01-01 00:00+00"
HEARTBEAT: LiteralString = "select service.heartbeat(%s, 'up', '1', 1)"


@pytest.fixture
def clock(database: Database) -> Generator[Connection]:
    """One transaction, in which the clock of the database can be set."""
    with closing(psycopg.connect(database.dsn)) as connection:
        connection.execute("select t.make_catalog()")
        yield connection
        connection.rollback()


def at(clock: Connection, moment: str) -> None:
    clock.execute("select t.at(%s)", [moment])


def rows(clock: Connection, statement: LiteralString, *values: object) -> list[tuple[Any, ...]]:
    return clock.execute(statement, values).fetchall()


def test_jobs_run_again_after_a_jump_and_back(clock: Connection) -> None:
    clock.execute("delete from jobs.job where name <> 'tend'")
    clock.execute("select t.make_principal('op', 'operator'), t.act_as('op', 'qm_operator')")
    at(clock, LATER)
    assert rows(clock, "select job, failure from api.run_job()") == [("tend", None)]
    at(clock, NOW)
    assert rows(clock, "select job, failure from api.run_job()") == [("tend", None)]
    assert rows(clock, "select job from api.run_job()") == []


def test_an_origin_is_called_again_after_a_jump_and_back(clock: Connection) -> None:
    [(origin,)] = rows(clock, "select id from catalog.origin where name = 'time'")
    ask: LiteralString = "select unavailable_because from calls.pass_breaker(%s, 1)"
    at(clock, LATER)
    clock.execute("select calls.open_breaker(%s, 'it failed')", [origin])
    assert rows(clock, ask, origin) == [("it failed",)]
    at(clock, NOW)
    assert rows(clock, ask, origin) == []
    assert rows(clock, ask, origin) == [("it failed; one call is trying it now",)]
    # The call that tries it began in the future, too, and its process was killed.
    clock.execute("update calls.breaker set probe_until = %s", [LATER])
    assert rows(clock, ask, origin) == []


def test_a_process_that_beat_in_the_future_is_as_dead_as_one_of_the_past(clock: Connection) -> None:
    alive, dead = uuid4(), uuid4()
    clock.execute("select t.make_principal('op', 'operator'), t.act_as('op', 'qm_operator')")
    at(clock, LATER)
    clock.execute(HEARTBEAT, [dead])
    at(clock, NOW)
    clock.execute(HEARTBEAT, [alive])
    clock.execute("select t.act_as_superuser()")
    assert rows(clock, "select id from core.instance") == [(alive,)]
    assert rows(clock, "select core.leading_instance()") == [(alive,)]


def test_a_table_is_read_again_after_a_jump_and_back(clock: Connection) -> None:
    clock.execute("create table public.plant (id text primary key, name text)")
    clock.execute("grant select on public.plant to qm_owner")
    clock.execute("select t.make_principal('op', 'operator'), t.act_as('op', 'qm_operator')")
    at(clock, LATER)
    clock.execute("select api.create_lookup_over('plant', 'public.plant', 'id', 'name')")
    clock.execute("select t.act_as_superuser()")
    at(clock, NOW)
    assert rows(clock, "select lookup.refresh_all()") == [({"refreshed": 1},)]


def test_an_expired_key_stays_expired_to_who_sees_its_end(clock: Connection) -> None:
    clock.execute("select t.make_principal('boss', 'admin'), t.make_principal('alice')")
    ask: LiteralString = (
        "select principal from service.authenticate(decode(repeat('01', 32), 'hex'))"
    )
    at(clock, NOW)
    clock.execute("select t.act_as('boss', 'qm_admin')")
    clock.execute(
        "select api.put_key('alice', 'l', 'qm', decode(repeat('01', 32), 'hex'), %s)", [SOON]
    )
    clock.execute("select t.act_as_superuser()")
    assert rows(clock, ask) == [("alice",)]
    at(clock, LATER)
    with pytest.raises(psycopg.Error) as refused, clock.transaction():
        clock.execute(ask)
    assert refused.value.sqlstate == "QM401"


def test_records_of_changes_stay_in_order(clock: Connection) -> None:
    for moment in (LATER, NOW):
        at(clock, moment)
        clock.execute("select t.make_principal(%s)", [f"at {moment}"])
    clock.execute("set constraints all immediate")
    assert rows(clock, "select * from audit.find_faults()") == []
    [(in_order,)] = rows(
        clock,
        "select bool_and(at >= before) from (select at, lag(at, 1, at) over (order by id) as before"
        " from audit.record) as r",
    )
    assert in_order


def test_a_rate_is_not_counted_by_the_clock_of_the_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    limit, alice = RateLimit("requests", 1.0, 2), Principal(1, "alice", "user")
    limit.spend(alice)
    limit.spend(alice)
    monkeypatch.setattr("time.time", lambda: 4e9)
    with pytest.raises(QmError):
        limit.spend(alice)
