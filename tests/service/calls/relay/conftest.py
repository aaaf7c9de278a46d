"""One service over four upstreams that have everything: by HTTP and stdio, of both eras and old."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from contextlib import ExitStack
from uuid import uuid4

import anyio
import pytest

from quartermaster import api
from quartermaster.catalog.ingest import RefreshWorker
from quartermaster.doors.mcp.mcp_server import McpFront
from quartermaster.service import Service, open_service
from quartermaster.settings.sections import UpstreamSettings
from quartermaster.settings.settings import Settings
from tests.support.database import Database, Server
from tests.support.forks import forked_server
from tests.support.model import cached_model_dir
from tests.support.origins import add_origin
from tests.support.upstreams import leaf_server
from tests.support.waiting import until

SCRIPT = "memo_server.py"
ORIGINS = {"http": ("http",), "oldhttp": ("http", "legacy"), "pipe": (), "oldpipe": ("legacy",)}


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def catalog(embedded_server: Server) -> Generator[Database]:
    with embedded_server.clone() as clone:
        yield clone


@pytest.fixture(scope="module")
async def service(
    anyio_backend: str, catalog: Database, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Service]:
    """It has read what its upstreams offer, and reads it again when they say that it changed."""
    settings = Settings(upstream=UpstreamSettings(call_timeout_s=20))
    folder, runtime_dir = tmp_path_factory.mktemp("relay"), cached_model_dir().parents[1]
    with ExitStack() as servers:
        async with (
            open_service(settings, folder, runtime_dir, catalog.service_dsn, "up", uuid4()) as it,
            anyio.create_task_group() as tasks,
        ):
            for name, modes in ORIGINS.items():
                await add(it, servers, name, *modes)
            worker = RefreshWorker(it)
            tasks.start_soon(worker.run)
            await until_read(it, *ORIGINS)
            yield it
            tasks.cancel_scope.cancel()


@pytest.fixture
def front(service: Service) -> McpFront:
    return McpFront(service)


@pytest.fixture(params=["legacy", "2026-07-28"], ids=["session", "stateless"])
def era(request: pytest.FixtureRequest) -> str:
    """Both kinds of client, as the mode of the SDK's."""
    return request.param


@pytest.fixture(params=ORIGINS)
def origin(request: pytest.FixtureRequest) -> str:
    """Each upstream in turn."""
    return request.param


async def add(service: Service, servers: ExitStack, name: str, *modes: str) -> None:
    if "http" in modes:
        server = leaf_server("http", *[m for m in modes if m != "http"], script=SCRIPT)
        how = {"transport": "http", "url": servers.enter_context(server).spec().url}
    else:
        how = {"transport": "stdio", "command": forked_server(SCRIPT, "stdio", *modes)}
    # The servers offer the same tools, of which later ones would wait for approval.
    await add_origin(service, name, transport="none")
    await service.database.call(api.set_approval(origin=name, approval="none"), service.worker)
    await add_origin(service, name, replace=True, **how)
    await service.database.call(api.request_refresh(name=name), service.worker)


async def until_read(service: Service, *names: str) -> None:
    """Until all of them have been listed; the worker tells nobody but the database."""

    async def are_ready() -> bool:
        origins = await service.database.call(api.list_origins(), service.worker)
        return {*names} <= {origin["name"] for origin in origins if origin["status"] == "ready"}

    await until(are_ready)
