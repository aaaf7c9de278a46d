"""The database can only be read, as with a full disk: the outage mode answers, and it recovers."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import anyio
import psycopg
import pytest
from psycopg import sql

from quartermaster import api
from quartermaster.core import logs
from quartermaster.core.errors import QmError
from quartermaster.install.doctor import diagnose
from quartermaster.workers.run import run_workers
from tests.service.workers.conftest import open_catalog
from tests.support.database import Database
from tests.support.waiting import until

pytestmark = pytest.mark.anyio


def set_read_only(database: Database, value: str) -> None:
    """As providers do when a disk is full; open connections end, so that all have the setting."""
    name = sql.Identifier(database.name)
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute("set default_transaction_read_only = off")
        connection.execute(
            sql.SQL("alter database {} set default_transaction_read_only = {}").format(
                name,
                sql.SQL(value),  # pyright: ignore[reportArgumentType]
            )
        )
        connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where usename = 'qm_service' and datname = current_database()"
        )


async def test_the_outage_mode_answers_while_the_database_can_only_be_read(
    database: Database, tmp_path: Path
) -> None:
    async with open_catalog(database, tmp_path) as catalog:
        service = catalog.service
        times: list[int] = []
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(
                partial(run_workers, service, on_catalog_changed=lambda: times.append(1))
            )
            await until(lambda: times)
            await service.outage_copy.renew()
            assert diagnose(database.dsn).problems == []
            set_read_only(database, "on")
            with anyio.fail_after(60):
                await until(
                    lambda: service.outage.since is not None and service.outage.is_read_only
                )
            assert "read only" in diagnose(database.dsn).problems[0]
            found = await service.database.find_principal("local")
            assert found.name == "local"
            assert service.outage.since is not None, "a read does not end it"
            notice: dict[str, Any] = service.outage.notice() or {}
            assert "can only be read" in notice["message"]
            set_read_only(database, "off")
            with anyio.fail_after(60):
                await until(lambda: service.outage.since is None)
            tasks.cancel_scope.cancel()


@pytest.mark.parametrize("sqlstate", ["25006", "53100"])
def test_a_full_disk_is_an_outage_and_no_internal_error(sqlstate: str) -> None:
    error = QmError.from_sqlstate(sqlstate, None, "cannot write", None, None)
    assert (error.status, error.slug) == (503, "database_read_only")


async def test_the_cause_of_an_internal_error_is_in_the_log_under_its_request(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with open_catalog(database, tmp_path) as catalog:
        with database.connect() as connection:
            connection.execute("alter table core.setting rename to hidden")
        logs.configure("info")
        call = catalog.service.database.call
        with logs.request_scope("the-request"), pytest.raises(QmError) as caught:
            await call(api.run_job(name="learn"), catalog.service.worker)
    assert caught.value.slug == "internal"
    [line] = [line for line in capsys.readouterr().err.splitlines() if "database_error" in line]
    assert "the-request" in line
    assert "core.setting" in line
