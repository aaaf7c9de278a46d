"""A login keeps what others need in a transaction that stays open: they go on without it, or the
service ends its sessions.
"""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from typing import Any

import psycopg
import pytest

from tests.support.database import Database
from tests.support.mallory import mallory
from tests.support.psql_login import psql_login
from tests.support.waiting import wait_until, wait_until_blocked

_SETTING = "update core.setting set value = to_jsonb(%s::text) where name = %s"
_ADD = "select api.add_project('{}', '/tmp/zzz')"
_DISABLE = "select api.enable_principal('alice', false)"
_END = "select reason from service.end_sessions()"


@contextmanager
def session_of(dsn: str) -> Generator[psycopg.Connection[Any]]:
    with closing(psycopg.connect(dsn, autocommit=True)) as connection:
        yield connection


@pytest.fixture
def arranged(database: Database) -> Database:
    with database.connect() as connection:
        connection.execute("select t.make_catalog(), t.make_principal('alice')")
        connection.execute("select t.make_principal('bob'), t.make_principal('boss', 'admin')")
        connection.execute(_SETTING, ["0.1 s", "login.blocking"])
    return database


def test_a_search_keeps_no_search_of_others(arranged: Database) -> None:
    search = "select from api.search_tools(%s)"
    with arranged.connect() as admin:
        admin.execute(_SETTING, ["1 microsecond", "pool.ttl"])
    with (
        psql_login(arranged, "qm_user", "bob") as bobs,
        mallory(arranged) as dsn,
        session_of(bobs) as bob,
        session_of(dsn) as attacker,
    ):
        bob.execute("set lock_timeout = '5 s'")
        goals = [f"ticket {number}" for number in range(6)]
        for goal in goals:
            bob.execute(search, [goal])
        attacker.execute("begin")
        for number in range(3):
            attacker.execute(search, [f"new {number}"])
        for goal in goals:
            bob.execute(search, [goal])


def test_pools_are_removed_without_waiting_for_a_search(arranged: Database) -> None:
    with arranged.connect() as admin:
        admin.execute(_SETTING, ["1 microsecond", "pool.ttl"])
    with mallory(arranged) as dsn, session_of(dsn) as attacker, arranged.connect() as admin:
        for begin in ("select", "begin"):
            attacker.execute(begin)
            attacker.execute("select from api.search_tools('ticket')")
        admin.execute("set lock_timeout = '5 s'")
        admin.execute("select selection.learn_all()")


def test_a_search_waits_for_no_removal_of_pools(arranged: Database) -> None:
    search = "select from api.search_tools('ticket')"
    with arranged.connect() as admin:
        admin.execute(_SETTING, ["1 microsecond", "pool.ttl"])
    with (
        psql_login(arranged, "qm_user", "bob") as bobs,
        session_of(bobs) as bob,
        arranged.connect() as admin,
    ):
        bob.execute(search)
        admin.execute("begin")
        admin.execute("delete from selection.pool")
        bob.execute("set lock_timeout = '5 s'")
        bob.execute(search)
        admin.execute("rollback")


def waits(
    admin: psycopg.Connection[Any], database: Database, thread: ThreadPoolExecutor
) -> Future[Any]:
    """Returns a change of the administrator that waits for the attacker."""
    work: Future[Any] = thread.submit(admin.execute, _DISABLE)
    with database.connect() as observer:
        wait_until_blocked(observer, admin.info.backend_pid)
    return work


@pytest.mark.parametrize("sessions", [1, 4])
def test_who_keeps_a_change_of_others_waiting_is_ended(arranged: Database, sessions: int) -> None:
    """Also if further sessions of the same login wait before the change."""
    with (
        mallory(arranged) as dsn,
        ExitStack() as stack,
        ThreadPoolExecutor(sessions + 1) as thread,
        arranged.connect(as_service=True) as service,
        arranged.connect() as observer,
        arranged.connect() as admin,
    ):
        admin.execute("set lock_timeout = '15 s'")
        admin.execute("select t.act_as('boss', 'qm_admin')")
        attackers = [stack.enter_context(session_of(dsn)) for _ in range(sessions)]
        held = [thread.submit(keep, attacker, n) for n, attacker in enumerate(attackers[:1])]
        held[0].result()
        for n, attacker in enumerate(attackers[1:], 1):
            held.append(thread.submit(keep, attacker, n))
            wait_until_blocked(observer, attacker.info.backend_pid)
        work = waits(admin, arranged, thread)
        ended: list[object] = []

        def is_over() -> bool:
            ended.extend(reason for (reason,) in service.execute(_END).fetchall())
            return work.done()

        assert wait_until(is_over, 20)
        work.result()
        assert set(ended) == {"login.blocking"}


def keep(attacker: psycopg.Connection[Any], number: int) -> None:
    attacker.execute("set lock_timeout = '10 s'")
    attacker.execute("begin")
    attacker.execute(_ADD.format(f"project{number}"))


def test_who_keeps_only_its_own_sessions_waiting_is_not_ended(arranged: Database) -> None:
    with (
        mallory(arranged) as dsn,
        session_of(dsn) as first,
        session_of(dsn) as second,
        ThreadPoolExecutor(1) as thread,
        arranged.connect() as observer,
        arranged.connect(as_service=True) as service,
    ):
        with arranged.connect() as admin:
            admin.execute(_SETTING, ["0 s", "login.blocking"])
        keep(first, 1)
        late = thread.submit(keep, second, 2)
        wait_until_blocked(observer, second.info.backend_pid)
        assert service.execute(_END).fetchall() == []
        first.execute("commit")
        late.result()


def test_who_waits_in_a_queue_of_others_is_not_ended(arranged: Database) -> None:
    """Bob waits before the administrator; only who is waited for, and waits for nobody, goes."""
    with (
        mallory(arranged) as dsn,
        psql_login(arranged, "qm_user", "bob") as bobs,
        session_of(dsn) as attacker,
        session_of(bobs) as bob,
        ThreadPoolExecutor(2) as thread,
        arranged.connect() as observer,
        arranged.connect() as admin,
        arranged.connect(as_service=True) as service,
    ):
        admin.execute("set lock_timeout = '10 s'")
        admin.execute("select t.act_as('boss', 'qm_admin')")
        keep(attacker, 1)
        honest = thread.submit(bob.execute, _ADD.format("honest"))
        wait_until_blocked(observer, bob.info.backend_pid)
        work = waits(admin, arranged, thread)
        ended: list[object] = []

        def is_over() -> bool:
            ended.extend(service.execute(_END).fetchall())
            return bool(ended)

        assert wait_until(is_over, 20)
        honest.result()
        work.result()
        assert ended == [("login.blocking",)]


def test_a_library_that_a_login_loads_is_only_its_own_trouble(arranged: Database) -> None:
    with (
        mallory(arranged) as dsn,
        psql_login(arranged, "qm_user", "bob") as bobs,
        arranged.connect() as admin,
    ):
        with session_of(dsn) as attacker:
            attacker.execute("alter role current_user set local_preload_libraries = 'x'")
        with pytest.raises(psycopg.OperationalError, match="could not access file"):
            psycopg.connect(dsn)
        with session_of(bobs) as bob:
            bob.execute("select from api.search_tools('ticket')")
        admin.execute("select service.end_sessions()")
