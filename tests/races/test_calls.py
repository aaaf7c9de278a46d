"""Calls as two replicas make them: each race is held open and observed, not hoped for."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from tests.support.acting import scalar
from tests.support.database import Database
from tests.support.waiting import wait_until_blocked

pytestmark = pytest.mark.sql

_BEGIN = (
    "select call_id from service.call_begin('time__convert_time', 0, 'r', gen_random_uuid(),"
    " arguments_hash => '', idempotency_key => 'k')"
)


def test_of_two_calls_with_one_key_that_come_together_one_is_made(database: Database):
    with database.connect() as arranging:
        arranging.execute("select t.make_catalog(), t.make_principal('alice')")
    with (
        database.connect() as first,
        database.connect() as second,
        database.connect() as observer,
        ThreadPoolExecutor(1) as thread,
    ):
        for connection in (first, second):
            connection.autocommit = False
            connection.execute("select t.act_as('alice')")
        assert scalar(first, _BEGIN) is not None
        refused = thread.submit(scalar, second, _BEGIN)
        wait_until_blocked(observer, second.info.backend_pid)
        first.commit()
        with pytest.raises(psycopg.Error) as error:
            refused.result()
        assert error.value.diag.constraint_name == "call_in_progress"
        second.rollback()
        assert scalar(observer, "select count(*) from calls.call") == 1


def test_a_day_gets_its_partition_while_its_calls_come(database: Database):
    with database.connect() as arranging:
        arranging.execute("select t.make_catalog(), t.make_principal('alice')")
    day = "select calls.add_partition((now() at time zone 'UTC')::date)"
    with (
        database.connect() as calling,
        database.connect() as making,
        database.connect() as observer,
        ThreadPoolExecutor(1) as thread,
    ):
        calling.autocommit = False
        calling.execute("select t.act_as('alice')")
        scalar(calling, _BEGIN)
        made = thread.submit(scalar, making, day)
        wait_until_blocked(observer, making.info.backend_pid)
        calling.commit()
        assert made.result() is True
        assert scalar(observer, "select count(*) from calls.call_default") == 0
        assert scalar(observer, "select count(*) from calls.call") == 1
