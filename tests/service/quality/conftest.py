from __future__ import annotations

import subprocess
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from quartermaster.core.kind_packages import doors
from quartermaster.doors.mcp.package_doors import DoorFront, place_doors
from quartermaster.quality.bench import bench_of
from quartermaster.service import Service

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

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured answer of a tool."""
        answer = await self.client.call_tool(f"tapps_{tool}", arguments)
        assert isinstance(answer.structured_content, dict), answer
        return answer.structured_content


@pytest.fixture
async def shop(
    service: Service, tmp_path: Path, execute: Callable[[str], Any]
) -> AsyncGenerator[Shop]:
    root = tmp_path / "shop"
    root.mkdir()
    execute("select policy.put_principal('ann', 'person', 'user')")
    ann = await service.database.find_principal("ann")
    await service.database.call("add_project", ann, name="shop", root=str(root))
    await place_doors(service)
    [door] = [door for door in doors() if door.name == "quality"]
    front = DoorFront(replace(service, local="ann"), door)
    async with Client(front.server) as client:
        yield Shop(service, root, client)
    await bench_of(service).scanners.aclose()


