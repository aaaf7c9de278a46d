from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

import anyio
import pytest

from quartermaster import api
from quartermaster.core import logs
from quartermaster.db import LOCAL_PRINCIPAL, Principal
from quartermaster.service import Service, open_service
from quartermaster.settings.settings import Settings
from quartermaster.snapshots.artifact import states_of
from quartermaster.workers.run import run_workers
from tests.service.doors.http.test_http import Door, add_key, serving
from tests.support.database import Database
from tests.support.model import cached_model_dir
from tests.support.offers import offer_leaf, offer_time
from tests.support.stoppable import StoppableServer
from tests.support.waiting import until

BOSS = "a key of an administrator"
AGENT = "a key of an agent"
REVOKED = "a key that is revoked"
DISABLED = "a key of somebody who is disabled"
RULES: dict[str, Any] = {
    "rules": [{"effect": "deny", "subject": "principal:agent", "tools": ["leaf__measure"]}]
}


@pytest.fixture(autouse=True)
def json_logs() -> None:
    logs.configure("info")


@dataclass
class Served:
    """A service with everything that runs in one.

    Attributes:
        service: the running one.
        door: its HTTP.
        server: its database server.
        database: on that.
        agent: a principal that may not use leaf__measure.
    """

    service: Service
    door: Door
    server: StoppableServer
    database: Database
    agent: Principal

    def rows(self, statement: Any, *values: object) -> list[tuple[Any, ...]]:
        """Returns rows of a statement, as administrator."""
        with self.database.connect() as connection:
            return connection.execute(statement, values).fetchall()

    def calls(self) -> list[tuple[Any, ...]]:
        """Tool, outcome and whether it came from the spool, of each call, oldest first."""
        return self.rows(
            "select t.name, c.outcome, c.replayed_at is not null from calls.call as c"
            " inner join catalog.item as t on t.id = c.ref order by c.started_at, c.id"
        )

    async def stop_database(self) -> None:
        """Kills it, and waits until the service has noticed."""
        self.server.kill()
        await until(lambda: self.service.outage.since is not None)

    async def start_database(self) -> None:
        """Starts it again, and waits until the service has noticed and handed in its spool."""
        await anyio.to_thread.run_sync(self.server.start)
        await until(lambda: self.service.outage.since is None and self.service.spool.is_empty())


@asynccontextmanager
async def serve(
    server: StoppableServer, database: Database, data_dir: Path, settings: Settings
) -> AsyncGenerator[Served]:
    """Provides a service over a leaf server and a clock known from a file, with people and
    rules.
    """
    runtime_dir = cached_model_dir().parents[1]
    async with open_service(
        settings, data_dir, runtime_dir, database.service_dsn, "up", uuid4()
    ) as service:
        await offer_leaf(service)
        await offer_time(service)
        call = service.database.call
        # What the upstream says of itself differs from what was imported.
        await call(api.set_approval(origin="leaf", approval="none"), service.worker)
        boss = await service.database.find_principal(LOCAL_PRINCIPAL)
        for name in ("agent", "gone"):
            await call(api.create_principal(name=name), boss)
        await call(api.apply_rules(definition=RULES), boss)
        await call(
            api.put_toolset(name="clocks", pinned={"origins": ["time"]}, description=""), boss
        )
        for name, key in ((LOCAL_PRINCIPAL, BOSS), ("agent", AGENT), ("gone", DISABLED)):
            await add_key(service, name, key)
        lost = {"label": "lost", "prefix": "none", "key_hash": sha256(REVOKED.encode()).digest()}
        await call(api.put_key(principal="agent", **lost), boss)
        async with serving(service) as door, anyio.create_task_group() as tasks:
            state = door.app.state
            tasks.start_soon(
                partial(
                    run_workers,
                    service,
                    on_catalog_changed=state.catalog_changed,
                    on_principals_changed=state.principals_changed,
                )
            )
            agent = await service.database.find_principal("agent")
            yield Served(service, door, server, database, agent)
            tasks.cancel_scope.cancel()


def has_outage_copy(served: Served) -> bool:
    """Returns whether everything that is offered is kept, as it is."""
    waiting = "select from catalog.refresh where status in ('requested', 'running')"
    retained = served.service.outage_copy.latest
    if retained is None or served.rows(waiting):
        return False
    offered = {number for (number,) in served.rows("select id from search.card")}
    report = {row[0]: row[1] for row in json.loads(retained.rights)["cards"]}
    try:
        return offered == report.keys() and report == states_of(retained.path)
    except sqlite3.OperationalError:
        return False  # It is being replaced.


def copied_keys(served: Served) -> set[str]:
    """Returns SHA-256 of each key that lets somebody in, as it was kept last."""
    retained = served.service.outage_copy.latest
    return set() if retained is None else {row[0] for row in json.loads(retained.rights)["keys"]}
