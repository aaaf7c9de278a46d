"""Two connections at once: each race is held open and observed, not hoped for."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from tests.support.acting import scalar
from tests.support.database import Database
from tests.support.waiting import wait_until_blocked

pytestmark = pytest.mark.sql

Connection = psycopg.Connection[tuple[object, ...]]
_AS_SERVICE = "select t.act_as('local', 'qm_admin')"
_PUT = """
select search.put_cards('tool', jsonb_build_array(
    jsonb_build_object('ref', %s::bigint, 'name', 'card', 'fields', '["alpha beta"]'::jsonb)
))
"""


def test_two_processes_do_not_run_the_same_job(database: Database):
    run = "select job from api.run_job()"
    with database.connect() as arranging:
        arranging.execute(
            "update jobs.job"
            " set next_at = now() + case name when 'learn' then interval '0' else every end"
        )
    with database.connect() as first, database.connect() as second:
        first.autocommit = False
        assert scalar(first, run) == "learn"
        assert scalar(second, run) is None
        with pytest.raises(psycopg.DatabaseError, match="is already running"):
            second.execute("select * from api.run_job('learn')")
        first.rollback()
        # What was undone is still due.
        assert scalar(second, run) == "learn"


def test_two_processes_claim_two_different_refreshes_without_waiting(database: Database):
    with database.connect() as arranging:
        arranging.execute("select t.make_origin('a'), t.make_origin('b')")
        arranging.execute("select api.request_refresh()")
    claim = "select origin_id from service.claim_refresh(gen_random_uuid())"
    with psycopg.connect(database.dsn) as one, psycopg.connect(database.dsn) as other:
        other.execute("set statement_timeout = '10s'")
        first = scalar(one, claim)
        second = scalar(other, claim)
        assert first is not None
        assert second is not None
        assert first != second
        assert scalar(other, claim) is None


def test_writers_of_a_kind_take_turns_and_the_statistics_stay_exact(database: Database):
    with (
        psycopg.connect(database.dsn) as one,
        psycopg.connect(database.dsn) as other,
        database.connect() as observer,
        ThreadPoolExecutor(1) as pool,
    ):
        one.execute(_PUT, [1])
        waiting = pool.submit(lambda: (other.execute(_PUT, [2]), other.commit()))
        wait_until_blocked(observer, other.info.backend_pid)
        assert not waiting.done()
        one.commit()
        waiting.result(20)
        assert observer.execute("select * from t.wrong_statistics('tool')").fetchall() == []
        assert scalar(observer, "select cards from search.kind where name = 'tool'") == 2


def test_a_batch_that_is_rolled_back_leaves_the_statistics_as_they_were(database: Database):
    with psycopg.connect(database.dsn) as one, database.connect() as observer:
        one.execute(_PUT, [1])
        one.commit()
        one.execute(_PUT, [2])
        one.rollback()
        assert observer.execute("select * from t.wrong_statistics('tool')").fetchall() == []
        assert scalar(observer, "select cards from search.kind where name = 'tool'") == 1


def test_a_call_that_two_end_is_ended_by_one(database: Database):
    with database.connect() as arranging:
        arranging.execute("select t.make_catalog()")
        with arranging.transaction():
            arranging.execute(_AS_SERVICE)
            call = scalar(
                arranging,
                "select call_id"
                " from service.call_begin('time__convert_time', 0, 'r', gen_random_uuid())",
            )
    end = "select service.call_end(%s::bigint, %s::text, 1::real)"
    with (
        psycopg.connect(database.dsn) as one,
        psycopg.connect(database.dsn) as other,
        database.connect() as observer,
        ThreadPoolExecutor(1) as pool,
    ):
        one.execute(_AS_SERVICE)
        other.execute(_AS_SERVICE)
        one.execute(end, [call, "ok"])
        waiting = pool.submit(other.execute, end, [call, "timeout"])
        wait_until_blocked(observer, other.info.backend_pid)
        one.commit()
        with pytest.raises(psycopg.DatabaseError) as caught:
            waiting.result(20)
        assert caught.value.sqlstate == "QM404"
        assert scalar(observer, "select outcome from calls.call") == "ok"


def test_a_decision_made_while_a_batch_is_stored_stands(database: Database):
    put = (
        "select reason from t.put_tools(jsonb_build_array("
        '\'{"origin": "o", "name": "x", "description": "other"}\'::jsonb), true)'
    )
    with database.connect() as arranging:
        arranging.execute("select t.make_origin('o'), t.make_tool('o', 'x', 'one')")
    with (
        psycopg.connect(database.dsn) as operator,
        psycopg.connect(database.dsn) as storing,
        database.connect() as observer,
        ThreadPoolExecutor() as pool,
    ):
        operator.execute(
            "select catalog.decide_items(array[id], 'quarantined', 'odd', null) from catalog.item"
        )
        stored = pool.submit(scalar, storing, put)
        wait_until_blocked(observer, storing.info.backend_pid)
        operator.commit()
        assert stored.result() == "quarantined: odd"
        storing.commit()
        cards = scalar(observer, "select count(*) from search.card")
        assert cards == 0
