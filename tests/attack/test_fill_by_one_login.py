"""One psql login fills the disk, the memory or a queue: it is refused or ended, while it is little.

The ways in are others than those of the review of 28 November, finding 7.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from secrets import token_hex

import psycopg
import pytest

from quartermaster.core.hardware import memory_bytes
from tests.support.besieged import Besieged, Connection, besieged, repeat
from tests.support.waiting import wait_until

WITHIN_S = 60
MOST_MB = 600
# Of all sessions of a login together.
MOST_TOGETHER_MB = 1200
MOST_MEMORY_MB = 2000

Work = Callable[[Connection], None]
_SORT = """
set work_mem = '64kB';
select count(*) from (
    select repeat('x', 900) || i as t from generate_series(1, 3000000) as i order by 1 offset 9
) as s
"""


def errors(connection: Connection) -> None:
    """Each error is logged with its statement."""
    statement = f"select 1 / 0 -- {'x' * 1_000_000}"
    for _ in range(700):
        try:
            connection.execute(statement.encode())
        except psycopg.errors.DivisionByZero:
            continue


DISK: dict[str, tuple[Work, int]] = {
    "a recursion": (
        repeat(
            "with recursive r (i, t) as (select 1, repeat('x', 8000) union all"
            " select r.i + 1, r.t || '' from r where r.i < 500000) select count(*) from r",
            1,
        ),
        1,
    ),
    # The transaction is over, the file stays.
    "a cursor that outlives its transaction": (
        repeat(
            "declare c cursor with hold for"
            " select repeat('x', 1000) from generate_series(1, 3000000)",
            1,
        ),
        1,
    ),
    "sorts in several sessions": (repeat(_SORT, 1), 3),
    "the log, by errors with long statements": (errors, 1),
    "the log, by messages": (
        repeat(
            "do $$ begin for i in 1..20 loop raise log '%', repeat('x', 1000000); end loop; end $$",
            35,
        ),
        1,
    ),
    "the settings of its own role": (
        repeat(
            "do $$ begin execute format('alter role current_user set search_path = %s',"
            " (select string_agg('a' || md5(random()::text), ',') from generate_series(1, 30000)));"
            " end $$",
            2000,
        ),
        1,
    ),
}
MEMORY = {
    "a hash table": (
        "set work_mem = '64GB'; set hash_mem_multiplier = 1000; select count(*) from ("
        " select repeat('x', 1000) || i from generate_series(1, 20000000) as i group by 1) as s"
    ),
    "a variable that grows": (
        "do $$ declare a text[]; begin for i in 1..20000 loop"
        " a := a || repeat(md5(i::text), 30000); end loop; end $$"
    ),
    "a document that grows": (
        "select jsonb_agg(repeat(md5(i::text), 3000)) from generate_series(1, 200000) as i"
    ),
}


@pytest.fixture(scope="module")
def siege(stopped_data_dir: Path) -> Generator[Besieged]:
    with besieged(stopped_data_dir, on_disk=True) as siege:
        # What is slow is ended, too, and nobody has to wait for it here.
        siege.set_limit("login.transaction", "20 s")
        # Well below what is too much, however large the machine is.
        siege.set_limit("login.memory", 500 * 2**20 / memory_bytes())
        yield siege


class Amounts:
    """How much has come to the disk since the beginning.

    Args:
        siege: the service.
    """

    def __init__(self, siege: Besieged) -> None:
        self._siege = siege
        self._before = self._now()

    def _now(self) -> tuple[float, float]:
        done = subprocess.run(
            ["du", "-sm", "--exclude=pg_wal", self._siege.instance.data_dir],
            capture_output=True,
            text=True,
        )
        wal = "select (pg_current_wal_insert_lsn() - '0/0') / 2 ^ 20"
        [(written,)] = self._siege.instance.rows(wal)
        return float(done.stdout.split()[0]), float(written)

    def grown_mb(self) -> float:
        """Returns files and write-ahead log together; files of the log are used again."""
        return sum(self._now()) - sum(self._before)


def held(
    siege: Besieged, attempts: Sequence[Future[None]], amount: Callable[[], float], limit: float
) -> None:
    """Waits until the attempts are over; meanwhile, the amount never exceeds the limit."""
    most = 0.0

    def is_over() -> bool:
        nonlocal most
        most = max(most, amount())
        return most > limit or all(attempt.done() for attempt in attempts)

    assert wait_until(is_over, WITHIN_S)
    assert most <= limit
    assert siege.others_go_on(), siege.trouble


@pytest.mark.parametrize("what", DISK)
def test_the_disk(siege: Besieged, what: str) -> None:
    work, sessions = DISK[what]
    limit = MOST_MB if sessions == 1 else MOST_TOGETHER_MB
    amounts = Amounts(siege)
    with siege.attack(work, sessions) as attempts:
        held(siege, attempts, amounts.grown_mb, limit)


@pytest.mark.parametrize("what", MEMORY)
def test_the_memory(siege: Besieged, what: str) -> None:
    with siege.attack(repeat(MEMORY[what], 1)) as attempts:
        held(siege, attempts, siege.memory_mb, MOST_MEMORY_MB)


def test_settings_that_are_too_large_are_reset_when_the_session_is_over(siege: Besieged) -> None:
    name = siege.instance.admin_dsn.rpartition("/")[2]
    large = ", ".join(f"a{token_hex(16)}" for _ in range(4000))
    store = f"alter role current_user in database {name} set search_path = {large}"
    with closing(psycopg.connect(siege.dsn, autocommit=True)) as attacker:
        attacker.execute(store.encode())
    retained = "select from pg_db_role_setting where setrole = %s::regrole"
    assert wait_until(lambda: not siege.instance.rows(retained, siege.login), WITHIN_S)
    # With so long a setting, libpq does not even connect.
    psycopg.connect(siege.dsn).close()


def test_the_queue_of_notifications_that_a_session_does_not_read(siege: Besieged) -> None:
    """It listens, has no transaction open, and never takes what it is sent."""
    send = (
        "do $$ begin for i in 1..2000 loop"
        " perform pg_notify('mine', 'NUMBER ' || i || repeat('x', 7800)); end loop; end $$"
    )
    amounts, most = Amounts(siege), 0.0
    with closing(psycopg.connect(siege.dsn, autocommit=True)) as listener:
        listener.execute("listen mine")
        with siege.attack(repeat(send, 90)) as attempts:

            def is_over() -> bool:
                nonlocal most
                most = max(most, amounts.grown_mb())
                return most > MOST_TOGETHER_MB or all(attempt.done() for attempt in attempts)

            assert wait_until(is_over, WITHIN_S)
            assert most <= MOST_TOGETHER_MB
            assert siege.others_go_on(), siege.trouble
