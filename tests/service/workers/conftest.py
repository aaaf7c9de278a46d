from __future__ import annotations

import json
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import anyio
import psycopg
import pytest

from quartermaster import api
from quartermaster.catalog.ingest import RefreshWorker
from quartermaster.core import logs
from quartermaster.service import Service, open_service
from quartermaster.settings.sections import IngestSettings, UpstreamSettings
from quartermaster.settings.settings import Settings, schema
from quartermaster.upstream.spec import OriginSpec
from quartermaster_knowledge.settings import Knowledge
from tests.support.database import Database
from tests.support.model import cached_model_dir
from tests.support.origins import add_origin
from tests.support.waiting import until

SERVER = Path(__file__).with_name("listing_server.py")
SETTINGS = schema()(
    upstream=UpstreamSettings(connect_timeout_s=15, list_timeout_s=15),
    ingest=IngestSettings(retries=0),
    knowledge=Knowledge(notes=False),
)


@pytest.fixture(autouse=True)
def json_logs() -> None:
    logs.configure("info")


class Catalog:
    """A service, and what a test asks of its catalog.

    Attributes:
        service: the running one.
        folder: where offers of the listing server lie.
    """

    def __init__(self, service: Service, database: Database, folder: Path) -> None:
        self.service = service
        self.database = database
        self.folder = folder / "offers"
        self.folder.mkdir(exist_ok=True)
        # The listing servers write their logs there as users of their own.
        self.folder.chmod(0o777)

    async def add(self, name: str, **definition: Any) -> int:
        """Adds an origin; returns the id of its open refresh."""
        await add_origin(self.service, name, **definition)
        return await self.request(name)

    async def add_spec(self, spec: OriginSpec) -> int:
        """Adds the origin that a test server's spec describes."""
        return await self.add(
            spec.name,
            transport=spec.transport,
            command=list(spec.command),
            **({} if spec.url is None else {"url": spec.url}),
        )

    async def offer(
        self, name: str, tools: list[Any], results: dict[str, Any] | None = None
    ) -> int:
        """Adds an origin that lists these tools; returns the id of its open refresh."""
        path = self.write_offer(name, tools, results)
        folders = [{"path": str(SERVER)}, {"path": str(self.folder), "write": True}]
        return await self.add(
            name,
            transport="stdio",
            command=[sys.executable, str(SERVER), str(path)],
            sandbox={"folders": folders},
        )

    def write_offer(
        self, name: str, tools: list[Any], results: dict[str, Any] | None = None
    ) -> Path:
        """Returns what the origin lists, and answers to calls, from now on."""
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps({"tools": tools, "results": results or {}}))
        return path

    def listings(self, name: str) -> int:
        """Returns how often the origin was listed."""
        return len((self.folder / f"{name}.log").read_text().splitlines())

    async def request(self, name: str) -> int:
        """Asks for a refresh; returns its id."""
        service = self.service
        [row] = await service.database.call(api.request_refresh(name=name), service.worker)
        return row["refresh_id"]

    async def finished(self, refresh_id: int) -> dict[str, Any]:
        """The refresh, once somebody has carried it out."""
        call = self.service.database.call_one
        row: dict[str, Any] = {}

        async def is_finished() -> bool:
            row.update(await call(api.get_refresh(refresh_id=refresh_id), self.service.worker))
            return row["finished_at"] is not None

        await until(is_finished)
        return row

    async def carried_out(self, *refresh_ids: int) -> list[dict[str, Any]]:
        """Returns the refreshes, carried out by a worker of this service."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(RefreshWorker(self.service).run)
            rows = [await self.finished(refresh_id) for refresh_id in refresh_ids]
            tasks.cancel_scope.cancel()
        return rows

    async def carry_out(self, refresh_id: int) -> dict[str, Any]:
        """Returns one refresh, carried out by a worker of this service."""
        [row] = await self.carried_out(refresh_id)
        return row

    def rows(self, statement: Any, *values: object) -> list[tuple[Any, ...]]:
        """Returns rows of a statement, as administrator."""
        with self.database.connect() as connection:
            return connection.execute(statement, values).fetchall()

    def end_connections(self) -> None:
        """What a restart of the database does to the service."""
        with psycopg.connect(self.database.dsn, autocommit=True) as connection:
            connection.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where usename = 'qm_service' and datname = current_database()"
            )


@asynccontextmanager
async def open_catalog(
    database: Database, folder: Path, settings: Settings = SETTINGS
) -> AsyncGenerator[Catalog]:
    """Provides a service of its own on the database."""
    runtime_dir, data_dir = cached_model_dir().parents[1], folder / "data"
    data_dir.mkdir(exist_ok=True)
    async with open_service(
        settings, data_dir, runtime_dir, database.service_dsn, "up", uuid4()
    ) as service:
        yield Catalog(service, database, folder)


@pytest.fixture
async def catalog(database: Database, tmp_path: Path) -> AsyncGenerator[Catalog]:
    async with open_catalog(database, tmp_path) as opened:
        yield opened
