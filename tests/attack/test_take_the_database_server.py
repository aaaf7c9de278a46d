"""Logins sleep, count and connect without end: the service ends their sessions."""

from __future__ import annotations

from contextlib import ExitStack, closing
from secrets import token_hex

import psycopg
import pytest

from tests.support.database import Database
from tests.support.mallory import mallory
from tests.support.waiting import wait_until

_SLEEP = "pg_" + "sleep"
_LIMIT = "update core.setting set value = %s where name = %s"
_LEFT = "select count(*) from pg_stat_activity as a where a.usename = %s"


def ended(database: Database) -> list[tuple[object, ...]]:
    """Returns what a look of the service ends."""
    with database.connect(as_service=True) as connection:
        return connection.execute("select reason from service.end_sessions()").fetchall()


@pytest.mark.parametrize(
    "statement",
    [
        f"select {_SLEEP}(1000)",
        "select count(*) from generate_series(1, 1000000000000)",
        "begin; listen qm_origins; select 1",
        "begin; select * from api.list_items('tool')",
    ],
)
def test_a_long_transaction_is_ended_whatever_limits_the_session_sets(
    database: Database, statement: str
) -> None:
    with mallory(database) as dsn, closing(psycopg.connect(dsn, autocommit=True)) as attacker:
        attacker.execute("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0")
        attacker.pgconn.send_query(statement.encode())
        attacker.pgconn.flush()
        with database.connect() as connection:
            assert ended(database) == []
            connection.execute(_LIMIT, ['"0 s"', "login.transaction"])
            found: list[tuple[object, ...]] = []
            for _ in range(1000):
                found = ended(database)
                if found:
                    break
        assert found == [("login.transaction",)]
        with database.connect() as connection:
            login = attacker.info.user
            assert wait_until(lambda: connection.execute(_LEFT, [login]).fetchone() == (0,))


def test_a_login_has_a_limited_number_of_sessions(database: Database) -> None:
    with mallory(database) as dsn, ExitStack() as stack:
        sessions = [stack.enter_context(psycopg.connect(dsn, autocommit=True)) for _ in range(13)]
        login = sessions[0].info.user
        assert ended(database) == [("login.sessions",)] * 3
        with database.connect() as connection:
            # A session that was ended may take a moment to go.
            assert wait_until(lambda: connection.execute(_LEFT, [login]).fetchone() == (10,))
        assert ended(database) == []


def test_the_service_has_connections_of_its_own(database: Database) -> None:
    with database.connect() as connection:
        [(reserved, used)] = connection.execute(
            "select current_setting('reserved_connections')::integer,"
            " pg_has_role('qm_service', 'pg_use_reserved_connections', 'usage')"
        ).fetchall()
    assert reserved >= 20
    assert used


def test_a_login_stores_few_settings_of_its_own(database: Database) -> None:
    stored = "alter role current_user {} set search_path = {}"
    name = database.dsn.rpartition("/")[2].partition("?")[0]
    with mallory(database) as dsn, psycopg.connect(dsn, autocommit=True) as attacker:
        # PostgreSQL cannot compress them.
        words = ", ".join(f"a{token_hex(16)}" for _ in range(1500))
        attacker.execute(stored.format("", words).encode())
        assert ended(database) == []
        attacker.execute(stored.format(f"in database {name}", words).encode())
        assert ended(database) == [("login.settings",)]


def test_what_a_login_stores_in_open_transactions_is_little(database: Database) -> None:
    """Nobody sees it, but it is on the disk."""
    words = ", ".join(f"a{number}" for number in range(100))
    store = f"alter role current_user set search_path = {words}"
    with (
        mallory(database) as dsn,
        closing(psycopg.connect(dsn)) as attacker,
        database.connect() as connection,
    ):
        attacker.execute(store.encode())
        assert ended(database) == []
        connection.execute(_LIMIT, ["0", "login.settings"])
        assert ended(database) == [("login.settings",)]
