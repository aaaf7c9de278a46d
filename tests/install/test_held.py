"""Servers with little room, and what others hold: an installation ends with a sentence."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress

import psycopg
import pytest
from psycopg import sql

from quartermaster.core.errors import QmError
from quartermaster.install import apply, execute, locks
from quartermaster.install.doctor import diagnose
from quartermaster.install.installed import is_installed
from quartermaster.install.uninstall import preview, uninstall
from tests.support.database import Database
from tests.support.stoppable import StoppableServer, stoppable

pytestmark = [pytest.mark.install, pytest.mark.slow]

_SMALL = {
    "max_connections": "10",
    "max_locks_per_transaction": "10",
    "max_prepared_transactions": "2",
    "reserved_connections": "0",
    "superuser_reserved_connections": "0",
    "wal_level": "logical",
}
_ENOUGH = "1000"


@pytest.fixture(scope="module")
def small() -> Generator[StoppableServer]:
    with stoppable() as server:
        restart(server, _SMALL)
        yield server


@pytest.fixture
def empty(small: StoppableServer) -> Generator[Database]:
    with small.server.empty() as database:
        yield database


@pytest.fixture
def installed(small: StoppableServer, empty: Database) -> Database:
    restart(small, {"max_locks_per_transaction": _ENOUGH})
    apply.install(empty.dsn)
    return empty


def restart(server: StoppableServer, settings: dict[str, str]) -> None:
    with psycopg.connect(server.server.admin_dsn, autocommit=True) as connection:
        for name, value in settings.items():
            alter = sql.SQL("alter system set {} = {}")
            connection.execute(alter.format(sql.Identifier(name), value))
    server.kill()
    server.start()


def test_a_server_with_few_locks_is_told_what_to_set(small: StoppableServer, installed: Database):
    restart(small, {"max_locks_per_transaction": "10"})
    for act in (uninstall, apply.install):
        with pytest.raises(QmError) as refused:
            act(installed.dsn)
        assert refused.value.slug == "locks_exhausted"
        assert "max_locks_per_transaction" in refused.value.hint
        assert is_installed(installed.dsn)
    restart(small, {"max_locks_per_transaction": _ENOUGH})
    uninstall(installed.dsn)


def test_a_server_without_a_free_connection_says_so(installed: Database):
    taken: list[psycopg.Connection[tuple[object, ...]]] = []
    try:
        with pytest.raises(psycopg.OperationalError):
            taken.extend(psycopg.connect(installed.dsn) for _ in range(11))
        for act in (apply.install, diagnose, uninstall):
            with pytest.raises(QmError) as refused:
                act(installed.dsn)
            assert refused.value.slug == "database_unavailable"
            assert "max_connections" in refused.value.hint
    finally:
        for connection in taken:
            connection.close()


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation does not wait for others for long."""
    for name in ("SESSION", "LOCK"):
        text: str = getattr(execute, name)
        hurried = text.replace("'10s'", "'200ms'").replace("'1min'", "'200ms'")
        monkeypatch.setattr(execute, name, hurried)
    monkeypatch.setattr(locks, "_ROUNDS", 1)


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("table", ["core.release", "catalog.item"])
def test_a_prepared_transaction_that_holds_a_table_is_named(installed: Database, table: str):
    with psycopg.connect(installed.dsn) as connection:
        connection.execute(sql.SQL("lock table {}").format(sql.SQL(table)))  # pyright: ignore
        connection.execute("prepare transaction 'a sale'")
    for act in (apply.install, apply.refresh_functions, uninstall):
        if (act, table) == (apply.refresh_functions, "catalog.item"):
            continue
        with pytest.raises(QmError) as refused:
            act(installed.dsn)
        assert refused.value.slug == "retryable"
        assert "the prepared transaction 'a sale'" in refused.value.message
        assert "rollback prepared" in refused.value.hint
    with installed.connect() as connection:
        connection.execute("rollback prepared 'a sale'")
    apply.install(installed.dsn)
    uninstall(installed.dsn)


@pytest.mark.usefixtures("hurried")
def test_a_session_that_holds_a_table_is_named_and_ended_by_an_uninstallation(installed: Database):
    with (
        suppress(psycopg.errors.AdminShutdown),
        psycopg.connect(installed.dsn, application_name="a report") as connection,
    ):
        connection.execute("select from catalog.item")
        with pytest.raises(QmError) as refused:
            apply.install(installed.dsn)
        assert refused.value.slug == "retryable"
        process = connection.info.backend_pid
        assert f"postgres (process {process}, a report)" in refused.value.message
        assert "pg_terminate_backend" in refused.value.hint
        assert preview(installed.dsn).sessions == {"postgres": 1}
        uninstall(installed.dsn)
