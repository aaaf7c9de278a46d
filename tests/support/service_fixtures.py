"""A service in the process of the test, and a running one for all tests of commands."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from uuid import uuid4

import anyio
import pytest

from quartermaster.core import logs
from quartermaster.doors.mcp.mcp_server import McpFront
from quartermaster.models import registered
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.models.registry import open_embedding
from quartermaster.secrets.store import SecretStore
from quartermaster.service import Service, open_service
from quartermaster.settings.sections import EmbeddingSettings, UpstreamSettings
from quartermaster.settings.settings import schema
from tests.support.call_rows import CallRows
from tests.support.database import Database, Server
from tests.support.instance import Instance, new_instance
from tests.support.model import cached_model_dir
from tests.support.offers import offer_leaf, offer_time


@pytest.fixture(scope="session", autouse=True)
def one_embedding_model() -> Generator[None]:
    """Services share the loaded model: reading it anew would be most of what their start costs."""
    loaded: dict[tuple[str, Path], EmbeddingModel] = {}

    def open_once(
        options: EmbeddingSettings, runtime_dir: Path, secrets: SecretStore
    ) -> EmbeddingModel:
        if options.provider != "onnx_local":
            return open_embedding(options, runtime_dir, secrets)
        key = options.model_dump_json(), runtime_dir
        if key not in loaded:
            loaded[key] = open_embedding(options, runtime_dir, secrets)
        return loaded[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registered, "open_embedding", open_once)
        yield


@pytest.fixture(autouse=True)
def json_logs() -> None:
    logs.configure("info")


def opened(database: Database, folder: Path) -> AbstractAsyncContextManager[Service]:
    # Without its kind, there is no such section.
    more = {"knowledge": {"notes": False}} if "knowledge" in schema().model_fields else {}
    settings = schema()(upstream=UpstreamSettings(call_timeout_s=5), **more)
    runtime_dir = cached_model_dir().parents[1]
    return open_service(settings, folder, runtime_dir, database.service_dsn, "up", uuid4())


@pytest.fixture(scope="session")
def offered(
    embedded_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Generator[Database]:
    """A catalog of a leaf server and, known from a file only, a clock; to be cloned."""

    async def offer(database: Database) -> None:
        async with opened(database, tmp_path_factory.mktemp("offered")) as service:
            await offer_leaf(service)
            await offer_time(service)

    with embedded_server.clone() as database:
        anyio.run(offer, database)
        yield database


@pytest.fixture
async def service(database: Database, tmp_path: Path) -> AsyncGenerator[Service]:
    """A service over the catalog `offered`."""
    async with opened(database, tmp_path) as service:
        yield service


@pytest.fixture
def front(service: Service) -> McpFront:
    return McpFront(service)


@pytest.fixture(scope="session")
def instance(stopped_data_dir: Path) -> Generator[Instance]:
    """One running Quartermaster without starters, for all tests of commands."""
    with new_instance(copy_of=stopped_data_dir) as running:
        yield running.start()


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
