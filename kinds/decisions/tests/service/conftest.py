from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from mcp import Client

from kinds.decisions.tests.service.repositories import make_shop
from quartermaster.core.kind_packages import doors
from quartermaster.doors.mcp.package_doors import DoorFront, place_doors
from quartermaster.service import open_service
from quartermaster.settings.settings import Settings
from tests.support.database import Database, Server
from tests.support.model import cached_model_dir

ARRANGED = """
select t.make_project('shop', 'alice');
select t.make_decisions(
    'shop',
    t.candidate('Endpoints return serializers.', '{"instead": "a dict"}'),
    t.candidate('Print nothing.', '{"polarity": "avoid", "scope": {"kind": "global", "value": ""}}')
);
"""


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def shop(embedded_server: Server) -> Generator[Database]:
    """A database with a project and two canonical decisions."""
    with embedded_server.clone() as database:
        with database.connect() as connection:
            connection.execute(ARRANGED)
        yield database


@pytest.fixture(scope="session")
def shop_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository to mine; see `make_shop`."""
    root = tmp_path_factory.mktemp("shop_root")
    make_shop(root)
    return root


@pytest.fixture(scope="module")
async def door(
    anyio_backend: str, shop: Database, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Callable[[str], DoorFront]]:
    """The door decisions of a service, as a principal sees it."""
    async with open_service(
        Settings(),
        tmp_path_factory.mktemp("data"),
        cached_model_dir().parents[1],
        shop.service_dsn,
        "up",
        uuid4(),
    ) as service:
        await place_doors(service)
        [found] = [each for each in doors() if each.name == "decisions"]
        yield lambda name: DoorFront(replace(service, local=name), found)


@pytest.fixture(scope="module")
async def client(door: Callable[[str], DoorFront]) -> AsyncGenerator[Client]:
    """A client of the door decisions, who is alice."""
    async with Client(door("alice").server) as connected:
        yield connected
