from __future__ import annotations

import shutil
import subprocess
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from mcp import Client

from quartermaster import api as core_api
from quartermaster.core.kind_packages import doors
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.doors.mcp.package_doors import DoorFront, place_doors
from quartermaster.service import Service, open_service
from quartermaster.settings.settings import Settings
from tests.support.database import Database, Server
from tests.support.model import cached_model_dir

GOOD = '''"""Prices of a shop."""

from __future__ import annotations


def total(prices: list[float], discount: float = 0.0) -> float:
    """The sum of prices after a discount."""
    if not 0 <= discount < 1:
        raise ValueError(f"{discount} is no discount")
    return sum(prices) * (1 - discount)
'''


@dataclass
class Shop:
    """A small project with an agent that works in it.

    Attributes:
        service: the service.
        root: root of the project.
        client: client of the door.
    """

    service: Service
    root: Path
    client: Client

    def write(self, path: str, text: str) -> None:
        """Writes a file of the project."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def git(self, *arguments: str) -> None:
        """Runs git in the project."""
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *who, *arguments], cwd=self.root, check=True, capture_output=True)

    async def call(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """Returns the structured answer of a tool."""
        answer = await self.client.call_tool(f"tapps_{name}", arguments)
        assert isinstance(answer.structured_content, dict), answer
        return answer.structured_content


@dataclass
class QualityService:
    """A service for all tests of this folder that a process runs.

    Attributes:
        service: the service.
        database: its database.
        place: holds the project of each test in turn, so that type checkers need not read what
            comes with Python for each.
    """

    service: Service
    database: Database
    place: Path


@pytest.fixture(scope="package")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="package")
async def quality_service(
    anyio_backend: str, embedded_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[QualityService]:
    with embedded_server.clone() as database:
        async with open_service(
            Settings(),
            tmp_path_factory.mktemp("data"),
            cached_model_dir().parents[1],
            database.service_dsn,
            "up",
            uuid4(),
        ) as service:
            with database.connect() as connection:
                connection.execute("select policy.put_principal('ann', 'person', 'user')")
            await place_doors(service)
            yield QualityService(service, database, tmp_path_factory.mktemp("place"))


@pytest.fixture
async def shop(quality_service: QualityService) -> AsyncGenerator[Shop]:
    root = quality_service.place / "shop"
    root.mkdir(parents=True)
    call = quality_service.service.database.call
    boss = await quality_service.service.database.find_principal(LOCAL_PRINCIPAL)
    for row in await call(core_api.list_projects(), boss):
        await call(core_api.remove_project(project=row["project"], dry_run=False), boss)
    await call(core_api.add_project(name="shop", root=str(root)), boss)
    await call(core_api.put_project_member(member="ann", project="shop"), boss)
    [door] = [door for door in doors() if door.name == "quality"]
    front = DoorFront(replace(quality_service.service, local="ann"), door)
    async with Client(front.server) as client:
        yield Shop(quality_service.service, root, client)
    shutil.rmtree(quality_service.place)
