"""Any PostgreSQL login sends notifications: it must not end the service, nor make it believe."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import anyio
import psycopg
import pytest

from quartermaster.workers.notification_queue import CHANNELS, NotificationQueue
from quartermaster.workers.run import run_workers
from tests.service.workers.conftest import open_catalog
from tests.support.database import Database
from tests.support.mallory import mallory
from tests.support.sql_files import FUNCTION_FILES
from tests.support.waiting import until

_PAYLOAD = re.compile(r"pg_notify\([^,]+, ([^)]*)\)")
_ID = re.compile(r"''|[a-z_.]*\bid::text|[a-z_.]*_id::text")
PAYLOADS = (
    "x",
    "-1",
    "0",
    "1.5",
    "9" * 18,
    "9" * 7000,
    "１２",
    "{}",
    "[]",
    "null",
    '{"origin_id": 1, "state": "open", "until": "2999-01-01T00:00:00+00:00", "because": "evil"}',
    '{"origin_id": "x"}',
    "\u202e'; drop table core.setting; --",
)


def _notify_all(database: Database) -> None:
    with mallory(database) as dsn, psycopg.connect(dsn, autocommit=True) as attacker:
        for channel in CHANNELS:
            for payload in PAYLOADS:
                attacker.execute("select pg_notify(%s, %s)", [channel, payload])
        attacker.execute("notify qm_catalog")


@pytest.mark.anyio
async def test_no_payload_on_any_channel_ends_the_workers(
    database: Database, tmp_path: Path
) -> None:
    times = 0

    def heard() -> None:
        nonlocal times
        times += 1

    async with open_catalog(database, tmp_path) as catalog:
        service = catalog.service

        def dropped(channel: str) -> float:
            name = "quartermaster_notifications_dropped_total"
            return service.meters.registry.get_sample_value(name, {"channel": channel}) or 0

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(partial(run_workers, service, on_catalog_changed=heard))
            await until(lambda: times == 1)
            # A statement may have to wait for one of the workers, which go on meanwhile.
            await anyio.to_thread.run_sync(_notify_all, database)
            await until(lambda: times > 1)
            await until(lambda: sum(map(dropped, CHANNELS)) >= (len(PAYLOADS) - 1) * len(CHANNELS))
            assert service.upstreams.breakers.count_open() == 0
            tasks.cancel_scope.cancel()
        assert [dropped(channel) for channel in CHANNELS] == [len(PAYLOADS) - 1] * len(CHANNELS)


def test_a_flood_of_notifications_takes_no_memory() -> None:
    notifications = NotificationQueue()
    for number in range(1, 100_000):
        notifications.hear("qm_origins", str(number))
        notifications.hear("qm_breakers", str(number))
    heard = anyio.run(notifications.next)
    assert heard.everything
    assert len(heard.origins) <= 1000


def test_payloads_carry_ids_only() -> None:
    sent = [
        (path.name, payload)
        for path in FUNCTION_FILES
        for payload in _PAYLOAD.findall(path.read_text(encoding="utf-8"))
    ]
    assert len(sent) > 10
    assert [each for each in sent if not _ID.fullmatch(each[1])] == []
