"""Calls of one principal that hang in its project: the others, and the service itself, go on."""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from kinds.quality.tests.service.conftest import GOOD, QualityService, Shop
from quartermaster import api as core_api
from quartermaster.audit.faults import Head
from quartermaster.audit.signer import AuditSigner
from quartermaster.core.fair_queue import Share
from quartermaster.core.kind_packages import doors
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.doors.mcp.package_doors import DoorFront
from quartermaster.projects.threads import run_in_background
from quartermaster.service import Service
from quartermaster.upstream.supervisor import Supervisor
from quartermaster_quality.tools import sessions
from tests.support.upstreams import leaf_stdio_spec
from tests.support.waiting import until

pytestmark = pytest.mark.anyio
CALLS = 40


@dataclass
class Swamp:
    """What every thread that reads the history of the shop waits for."""

    root: Path
    dries: threading.Event = field(default_factory=threading.Event)
    waiting: int = 0

    def enter(self, root: Path) -> None:
        """Waits if the root is that of the shop."""
        if root == self.root:
            self.waiting += 1
            self.dries.wait(120)


@pytest.fixture
def swamp(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> Swamp:
    swamp = Swamp(shop.root)

    def last_commit(root: Path) -> None:
        swamp.enter(root)

    monkeypatch.setattr(sessions, "last_commit", last_commit)
    return swamp


@asynccontextmanager
async def client_of(service: Service, name: str) -> AsyncGenerator[Client]:
    """Provides a client of the door quality with the rights of a principal."""
    [door] = [door for door in doors() if door.name == "quality"]
    async with Client(DoorFront(replace(service, local=name), door).server) as client:
        yield client


@asynccontextmanager
async def stuck(shop: Shop, swamp: Swamp) -> AsyncGenerator[list[dict[str, Any]]]:
    """As many calls as one principal likes, all of whose places are taken by threads that wait;
    afterwards, they are answered.
    """
    answers: list[dict[str, Any]] = []

    async def call() -> None:
        answers.append(await shop.call("server_info"))

    async with anyio.create_task_group() as tasks:
        for _ in range(CALLS):
            tasks.start_soon(call)
        try:
            await until(lambda: share(shop, "ann").waiting + share(shop, "ann").running == CALLS)
            await until(lambda: swamp.waiting == share(shop, "ann").running)
            yield answers
        finally:
            swamp.dries.set()


def share(shop: Shop, who: str) -> Share:
    """Returns what a principal has of the calls of project tools."""
    [queue] = [q for q in shop.service.queues() if q.what == "calls of project tools"]
    return queue.shares().get(who, Share(0, 0, 0))


async def test_forty_calls_that_hang_leave_the_rest_unhindered(
    shop: Shop, quality_service: QualityService, swamp: Swamp, tmp_path: Path
):
    other = quality_service.place / "other"
    other.mkdir(exist_ok=True)
    (other / "a.py").write_text(GOOD)
    service = shop.service
    boss = await service.database.find_principal(LOCAL_PRINCIPAL)
    with quality_service.database.connect() as connection:
        connection.execute("select policy.put_principal('ben', 'person', 'user')")
    await service.database.call(core_api.add_project(name="other", root=str(other)), boss)
    await service.database.call(core_api.put_project_member(member="ben", project="other"), boss)
    async with stuck(shop, swamp) as answers, client_of(service, "ben") as ben:
        assert not answers
        assert share(shop, "ann").running < CALLS
        with anyio.fail_after(60):
            answer = await ben.call_tool("tapps_security_scan", {"file_path": "a.py"})
            assert answer.structured_content, answer
            assert answer.structured_content["status"] == "ok"
            await AuditSigner(service.database, service.worker, tmp_path, []).sign()
            assert Head.read(tmp_path) is not None
            async with Supervisor() as supervisor:
                assert (await supervisor.list_tools(leaf_stdio_spec())).tools
            assert await run_in_background(lambda: "compared") == "compared"
    assert [answer["project"] for answer in answers] == ["shop"] * CALLS
    assert share(shop, "ann") == Share(0, 0, 0)
