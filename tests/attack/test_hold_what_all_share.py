"""One psql login keeps what a server has only once: others go on, at the latest when it is ended.

The ways in are others than those of the review of 28 November, finding 3.
"""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import psycopg
import pytest

from quartermaster.core.hardware import memory_bytes
from tests.support.besieged import Besieged, besieged, hold, repeat
from tests.support.waiting import wait_until

# From the beginning of the attack; the service looks at sessions from time to time.
WITHIN_S = 30
_LOCKS = "select count(pg_{}(NUMBER, i)) from generate_series(1, 500) as i"
_ONE_KEY = "select count(pg_{}(NUMBER * 1000 + i)) from generate_series(1, 500) as i"
SESSION = {
    "two numbers": _LOCKS.format("advisory_lock"),
    "shared": _ONE_KEY.format("advisory_lock_shared"),
    "two numbers, shared": _LOCKS.format("advisory_lock_shared"),
    "tried": _ONE_KEY.format("try_advisory_lock"),
    "tried, two numbers, shared": _LOCKS.format("try_advisory_lock_shared"),
    "through another function": (
        "select * from query_to_xml('select count(pg_advisory_lock(NUMBER * 1000 + i))"
        " from generate_series(1, 500) as i', true, true, '')"
    ),
}
TRANSACTION = {
    "for a transaction": _LOCKS.format("advisory_xact_lock"),
    "tried, for a transaction": _ONE_KEY.format("try_advisory_xact_lock_shared"),
    "numbers of transactions": (
        "savepoint t; alter role current_user set application_name = 'NUMBER';" * 200
    ),
}
_READ_ALL = """
do $$
declare
    r regclass;
begin
    for r in
        select c.oid from pg_class as c
        where
            c.relkind in ('r', 'v', 'm') and has_table_privilege(c.oid, 'select')
            and has_schema_privilege(c.relnamespace, 'usage')
    loop
        execute format('select from %s limit 0', r);
    end loop;
end $$
"""


@pytest.fixture(scope="module")
def siege(stopped_data_dir: Path) -> Generator[Besieged]:
    with besieged(stopped_data_dir) as siege:
        # Well below what is too much, however large the machine is.
        siege.set_limit("login.memory", 500 * 2**20 / memory_bytes())
        yield siege


@pytest.mark.parametrize("what", SESSION)
def test_advisory_locks_of_an_idle_session(siege: Besieged, what: str) -> None:
    with siege.attack(repeat(SESSION[what], 100)) as attempts:
        wait(attempts, 15)
        assert wait_until(siege.others_go_on, WITHIN_S), siege.trouble


@pytest.mark.parametrize("what", TRANSACTION)
def test_locks_of_a_transaction_that_stays_open(siege: Besieged, what: str) -> None:
    with siege.attack(hold(TRANSACTION[what], 100)) as attempts:
        wait(attempts, 8)
        assert wait_until(siege.others_go_on, WITHIN_S), siege.trouble


def test_locks_on_all_that_it_may_read_in_all_its_sessions(siege: Besieged) -> None:
    with siege.attack(hold(_READ_ALL, 1), sessions=10) as attempts:
        assert not wait(attempts, WITHIN_S).not_done
        assert wait_until(siege.others_go_on, WITHIN_S), siege.trouble


def test_a_lock_that_others_queue_behind(siege: Besieged) -> None:
    """Who wants the table for himself waits for the reader, and everybody waits for him."""
    siege.set_limit("login.transaction", "3 s")
    lock = "lock table pg_catalog.pg_largeobject_metadata in {} mode"
    try:
        with (
            ThreadPoolExecutor(1) as pool,
            siege.attack(hold(lock.format("access share"), 1)) as attempts,
        ):
            assert not wait(attempts, WITHIN_S).not_done
            owner = f"set local lock_timeout = '60s'; {lock.format('access exclusive')}"
            got = pool.submit(siege.as_admin, owner)
            assert not wait([got], WITHIN_S).not_done
            got.result()
            assert siege.others_go_on(), siege.trouble
    finally:
        siege.set_limit("login.transaction", "60 s")


def test_all_connections(siege: Besieged) -> None:
    """Whoever is ended connects again; another person gets a connection, too."""

    def as_somebody() -> bool:
        dsn = siege.instance.admin_dsn
        with suppress(psycopg.OperationalError), closing(psycopg.connect(dsn)) as connection:
            # Those of superusers and of the service are kept for them.
            free = (
                "select current_setting('max_connections')::integer"
                " - current_setting('reserved_connections')::integer"
                " - current_setting('superuser_reserved_connections')::integer - count(*)"
                " from pg_stat_activity where backend_type = 'client backend'"
            )
            [(left,)] = connection.execute(free).fetchall()
            return int(str(left)) > 10
        return False

    with ExitStack() as stack:
        stack.callback(
            siege.instance.rows,
            "select pg_terminate_backend(pid) from pg_stat_activity where usename = %s",
            siege.login,
        )
        for _ in range(120):
            with suppress(psycopg.OperationalError):
                stack.enter_context(closing(psycopg.connect(siege.dsn, autocommit=True)))
        assert siege.others_go_on(), siege.trouble
        assert wait_until(as_somebody, WITHIN_S)


def test_memory_in_prepared_statements(siege: Besieged) -> None:
    """No single statement is large, and no transaction is long."""
    prepare = "prepare pNUMBER as select " + ", ".join(f"'{n:0100}'" for n in range(1600))
    most = 0.0
    with siege.attack(repeat(prepare, 6000)) as attempts:

        def is_over() -> bool:
            nonlocal most
            most = max(most, siege.memory_mb())
            return most > 2000 or all(attempt.done() for attempt in attempts)

        assert wait_until(is_over, 60)
        assert most < 2000
        assert wait_until(lambda: siege.memory_mb() < 1000, WITHIN_S)
        assert siege.others_go_on(), siege.trouble
