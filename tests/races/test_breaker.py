"""Breakers as two replicas see them: each race is held open and observed, not hoped for."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.acting import scalar
from tests.support.database import Database
from tests.support.waiting import wait_until_blocked

pytestmark = pytest.mark.sql

_PASS = "select p.unavailable_because from calls.pass_breaker(%s, %s) as p"


def test_exactly_one_call_of_two_replicas_tries_an_origin_again(database: Database):
    with database.connect() as arranging:
        arranging.execute("select t.make_origin('a')")
        origin = scalar(arranging, "select id from catalog.origin where name = 'a'")
        arranging.execute("update core.setting set value = '\"0 s\"' where name = 'breaker.pause'")
        scalar(arranging, "select calls.open_breaker(%s, 'it failed')", origin)
    with (
        database.connect() as first,
        database.connect() as second,
        database.connect() as observer,
        ThreadPoolExecutor(1) as thread,
    ):
        first.autocommit = False
        assert scalar(first, _PASS, origin, 1) is None
        refused = thread.submit(scalar, second, _PASS, origin, 2)
        wait_until_blocked(observer, second.info.backend_pid)
        first.commit()
        assert refused.result() == "it failed; one call is trying it now"
        assert scalar(observer, "select probe_call_id from calls.breaker") == 1


def test_a_breaker_that_two_replicas_open_together_opened_once(database: Database):
    with database.connect() as arranging:
        arranging.execute("select t.make_origin('a')")
        origin = scalar(arranging, "select id from catalog.origin where name = 'a'")
    open_it = "select calls.open_breaker(%s, %s)"
    with (
        database.connect() as first,
        database.connect() as second,
        database.connect() as observer,
        ThreadPoolExecutor(1) as thread,
    ):
        first.autocommit = False
        assert scalar(first, open_it, origin, "the first") is True
        late = thread.submit(scalar, second, open_it, origin, "the second")
        wait_until_blocked(observer, second.info.backend_pid)
        first.commit()
        assert late.result() is False
        assert scalar(observer, "select because from calls.breaker") == "the first"
