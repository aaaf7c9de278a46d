from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from uuid import uuid4

import anyio
import psycopg
import pytest

from quartermaster import logs
from quartermaster.front.mcp_server import McpFront
from quartermaster.service import Service, open_service
from quartermaster.settings import Settings, Upstream
from tests.service.front.offers import offer_leaf, offer_time
from tests.support.database import Database
from tests.support.model import cached_model_dir


@pytest.fixture(autouse=True)
def json_logs() -> None:
    logs.configure("info")


@pytest.fixture
async def service(database: Database, tmp_path: Path) -> AsyncGenerator[Service]:
    """A service over a catalog of a leaf server and, known from a file only, a clock."""
    settings = Settings(upstream=Upstream(call_timeout_s=5))
    runtime_dir = cached_model_dir().parents[1]
    async with open_service(
        settings, tmp_path, runtime_dir, database.service_dsn, "up", uuid4()
    ) as service:
        await offer_leaf(service)
        await offer_time(service)
        yield service


@pytest.fixture
def front(service: Service) -> McpFront:
    return McpFront(service)


class CallRows:
    """The call log, as the database has it."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn

    def all(self) -> list[tuple[str, str, str | None]]:
        """Tool, outcome and failure of each call, oldest first."""
        with psycopg.connect(self._dsn) as connection:
            return connection.execute(
                "select t.callable_name, c.outcome, c.failure from calls.call as c"
                " inner join catalog.item as t on t.id = c.tool_id order by c.id"
            ).fetchall()

    def outcomes(self) -> list[str]:
        return [outcome for _, outcome, _ in self.all()]

    async def wait_for(self, *outcomes: str) -> None:
        """Until the log holds just these; other connections commit without telling."""
        with anyio.fail_after(20):
            while self.outcomes() != [*outcomes]:  # noqa: ASYNC110
                await anyio.sleep(0.05)


@pytest.fixture
def call_rows(database: Database) -> CallRows:
    return CallRows(database.dsn)


@pytest.fixture(params=["legacy", "2026-07-28"], ids=["session", "stateless"])
def era(request: pytest.FixtureRequest) -> str:
    """Both kinds of client, as the mode of the SDK's."""
    return request.param


@pytest.fixture
def execute(database: Database) -> Callable[[str], list[tuple[object, ...]]]:
    """Runs a statement as the superuser."""

    def run(statement: str) -> list[tuple[object, ...]]:
        with database.connect() as connection:
            cursor = connection.execute(statement)  # pyright: ignore[reportArgumentType]
            return cursor.fetchall() if cursor.description else []

    return run
