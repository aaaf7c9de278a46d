"""A login takes or fills what all sessions of the server share: locks, the disk, memory, queues."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import ExitStack, closing
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from quartermaster.core.hardware import memory_bytes
from quartermaster.secrets.credentials import ServiceCredentials
from quartermaster.substrate.embedded import EmbeddedServer
from quartermaster.substrate.memory import memory_of_sessions
from tests.attack.test_take_the_database_server import ended
from tests.support.database import Database, Server, runtime_dir
from tests.support.instance import Instance
from tests.support.mallory import mallory
from tests.support.model import cached_model_dir
from tests.support.place import new_place
from tests.support.waiting import wait_until

_LIMIT = "update core.setting set value = %s where name = %s"
_HELD = "select length(set_config('mallory.held', repeat('x', 60000000), false))"
_BIG_SORT = """
select count(*)
from (
    select repeat(md5(i::text), 30) from generate_series(1, 1000000) as i order by 1 offset 1
) as x
"""


def run_all(attacker: psycopg.Connection[tuple[object, ...]], statements: Iterable[str]) -> None:
    for statement in statements:
        attacker.execute(statement.encode())


@pytest.mark.parametrize(
    "statement",
    [
        "select pg_advisory_lock(i) from generate_series(1, 100000) as i",
        "select pg_advisory_lock(1, 2)",
        "select pg_advisory_lock_shared(1)",
        "select pg_advisory_lock_shared(1, 2)",
        "select pg_advisory_xact_lock(1)",
        "select pg_advisory_xact_lock(1, 2)",
        "select pg_advisory_xact_lock_shared(1)",
        "select pg_try_advisory_lock(1)",
        "select pg_try_advisory_lock_shared(1, 2)",
        "select pg_try_advisory_xact_lock(1)",
        "select pg_try_advisory_xact_lock_shared(1, 2)",
        # Each savepoint would take a lock.
        "select pg_current_xact_id()",
        "select txid_current()",
        "select pg_logical_emit_message(false, 'x', repeat('x', 100))",
        "select pg_logical_emit_message(true, 'x', '\\x00'::bytea)",
        # Each call would write a file.
        "select pg_export_snapshot()",
        "select lo_open(1, 1)",
        "select lo_put(1, 0, 'x')",
        "select lo_unlink(1)",
        "set temp_file_limit = -1",
        "set pg_stat_statements.track = 'all'",
    ],
)
def test_a_login_may_not_execute_what_takes_or_fills(database: Database, statement: str) -> None:
    with (
        mallory(database) as dsn,
        psycopg.connect(dsn) as attacker,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        attacker.execute(statement.encode())


@pytest.mark.parametrize("name", ["postgres", "template1"])
def test_a_login_reaches_no_other_database_of_the_server(database: Database, name: str) -> None:
    with (
        mallory(database) as dsn,
        pytest.raises(psycopg.OperationalError, match="CONNECT privilege"),
    ):
        psycopg.connect(make_conninfo(dsn, dbname=name))


def test_a_sort_ends_with_its_session_when_its_files_are_too_large(database: Database) -> None:
    with mallory(database) as dsn, psycopg.connect(dsn, autocommit=True) as attacker:
        with pytest.raises(psycopg.errors.ConfigurationLimitExceeded, match="temp_file_limit"):
            attacker.execute(_BIG_SORT.encode())
        assert attacker.execute("select 1").fetchone() == (1,)


def test_what_a_login_asks_is_kept_in_no_statistics_that_all_share(database: Database) -> None:
    with mallory(database) as dsn, psycopg.connect(dsn) as attacker:
        assert attacker.execute("show pg_stat_statements.track").fetchone() == ("none",)


def test_a_login_that_holds_many_locks_is_ended(database: Database) -> None:
    with mallory(database) as dsn, closing(psycopg.connect(dsn)) as attacker:
        for i in range(60):
            # Each savepoint that writes holds a lock of its own.
            attacker.execute(f"savepoint s{i}".encode())
            attacker.execute(f"alter role current_user set work_mem = '{i + 1}MB'".encode())
        assert ended(database) == []
        with database.connect() as connection:
            connection.execute(_LIMIT, ["50", "login.locks"])
        assert ended(database) == [("login.locks",)]


def test_only_the_sessions_that_hold_the_locks_are_ended(database: Database) -> None:
    with mallory(database) as dsn, ExitStack() as stack:
        modest, greedy = (stack.enter_context(closing(psycopg.connect(dsn))) for _ in range(2))
        modest.execute("select 1")
        for i in range(60):
            greedy.execute(f"savepoint s{i}".encode())
            greedy.execute(f"alter role current_user set work_mem = '{i + 1}MB'".encode())
        with database.connect() as connection:
            connection.execute(_LIMIT, ["50", "login.locks"])
        assert ended(database) == [("login.locks",)]
        assert modest.execute("select 2").fetchone() == (2,)


def test_a_listener_that_keeps_notifications_from_being_dropped_is_ended(
    database: Database,
) -> None:
    with (
        mallory(database) as dsn,
        closing(psycopg.connect(dsn)) as attacker,
        psycopg.connect(dsn, autocommit=True) as sender,
    ):
        attacker.execute("listen noise")
        attacker.commit()
        attacker.execute("select 1")
        for _ in range(10):
            sender.execute(
                "select pg_notify('noise', repeat('x', 7000) || i) from"
                " generate_series(1, 100) as i"
            )
        assert ended(database) == []
        with database.connect() as connection:
            connection.execute(_LIMIT, ["0.0000001", "login.notifications"])
        found: list[tuple[object, ...]] = []
        for _ in range(1000):
            found = ended(database)
            if found:
                break
        assert found == [("login.notifications",)]
        assert sender.execute("select 1").fetchone() == (1,)


def test_a_session_that_has_been_idle_for_long_is_ended(database: Database) -> None:
    with mallory(database) as dsn, psycopg.connect(dsn, autocommit=True) as attacker:
        attacker.execute("set idle_session_timeout = 0")
        assert ended(database) == []
        with database.connect() as connection:
            connection.execute(_LIMIT, ['"0 s"', "login.idle"])
        assert ended(database) == [("login.idle",)]


@pytest.fixture(scope="module")
def small() -> Generator[tuple[Server, EmbeddedServer]]:
    """A server whose processes may have little memory."""
    with (
        new_place("qm-small-") as place,
        EmbeddedServer(
            place / "data", runtime_dir(), shared_buffers="32MB", session_memory="200MB"
        ) as server,
        psycopg.connect(server.dsn, autocommit=True) as admin,
    ):
        yield Server("small", server.dsn, admin, None), server


@pytest.mark.parametrize(
    "statements",
    [
        ("set work_mem = '64GB'", _BIG_SORT),
        ("select array_agg(repeat('x', 10000) || i) from generate_series(1, 1000000) as i",),
        ("select length(repeat('x', 1000000000))",),
        tuple(_HELD.replace("held", f"held{i}") for i in range(20)),
        ("set work_mem = '64GB'", _BIG_SORT.replace("order by 1 offset 1", "group by 1")),
    ],
)
def test_a_session_that_needs_too_much_memory_fails_alone(
    small: tuple[Server, EmbeddedServer], statements: tuple[str, ...]
) -> None:
    server, embedded = small
    with psycopg.connect(server.admin_dsn, autocommit=True) as attacker:
        began = attacker.execute("select pg_postmaster_start_time()").fetchone()
        with pytest.raises(psycopg.errors.OutOfMemory):
            run_all(attacker, statements)
        assert attacker.execute("select pg_postmaster_start_time()").fetchone() == began
    assert embedded.is_running()


def test_a_model_in_a_session_without_memory_ends_no_process(
    small: tuple[Server, EmbeddedServer],
) -> None:
    server, _ = small
    with server.clone() as database, database.connect() as attacker:
        with pytest.raises(psycopg.errors.ExternalRoutineException, match="too much memory"):
            attacker.execute("select search.embed('a goal', %s, false)", [str(cached_model_dir())])
        assert attacker.execute("select 1").fetchone() == (1,)


def test_a_login_that_holds_much_memory_is_ended(database: Database) -> None:
    with mallory(database) as dsn, psycopg.connect(dsn, autocommit=True) as attacker:
        pid = attacker.info.backend_pid
        with database.connect(as_service=True) as connection:
            memory = "jsonb_build_object(%s::text, %s)"
            ask = f"select reason from service.end_sessions(memory => {memory})"
            assert connection.execute(ask, [pid, 0.1]).fetchall() == []
            assert connection.execute(ask, [pid, 0.9]).fetchall() == [("login.memory",)]


def test_the_service_ends_what_holds_too_much_memory(installed: Instance) -> None:
    installed.start()
    password = ServiceCredentials(installed.data_dir).get("qm_service")
    service_dsn = make_conninfo(installed.admin_dsn, user="qm_service", password=password)
    database = Database("quartermaster", installed.admin_dsn, service_dsn)
    with mallory(database) as dsn, closing(psycopg.connect(dsn, autocommit=True)) as attacker:
        assert attacker.execute("show temp_file_limit").fetchone() == ("256MB",)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            attacker.execute("select pg_advisory_lock(1)")
        with database.connect() as connection:
            connection.execute(_LIMIT, [str(50_000_000 / memory_bytes()), "login.memory"])
        with pytest.raises(psycopg.errors.AdminShutdown):
            run_all(attacker, (_HELD.replace("held", f"held{i}") for i in range(100)))
        assert wait_until(lambda: "login.memory" in installed.stderr)
    assert installed.stop() == 0


def test_the_service_sees_what_memory_a_session_holds(
    database: Database,
) -> None:
    with database.connect() as connection:
        row = connection.execute("show data_directory").fetchone()
        assert row
        data = Path(str(row[0]))
    with mallory(database) as dsn, psycopg.connect(dsn, autocommit=True) as attacker:
        pid = str(attacker.info.backend_pid)
        before = memory_of_sessions(data).get(pid, 0.0)
        for i in range(5):
            attacker.execute(_HELD.replace("held", f"held{i}").encode())
        grown = memory_of_sessions(data)[pid] - before
        assert grown * memory_bytes() > 300_000_000
