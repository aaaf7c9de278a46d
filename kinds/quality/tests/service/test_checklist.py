"""Replayed sessions in which one gate is missing or wrong: the checklist has to notice.

The sessions are drawn by lot: how many files, which type of task, which tools besides, with or
without a commit at the end. Complete sessions are replayed, too, so a checklist that always
complains fails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator
from random import Random
from typing import Any

import pytest
from rich.console import Console

from kinds.quality.tests.service.conftest import QualityService, Shop
from quartermaster import api as core_api
from quartermaster.core.findings import Finding, Scan, Severity, Status
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster_quality.bench import bench_of
from quartermaster_quality.scanners.concurrent_scan import Scanners
from quartermaster_quality.scanners.interface import ScanOptions, SourceFile
from tests.support.lots import lots

pytestmark = pytest.mark.anyio

REPLAYS = lots(5)
FILES = [f"part{number}.py" for number in range(4)]
FAULTS = [
    "gate removed",
    "gate failed",
    "gate of another file",
    "gate of another project",
    "gate before the last edit",
    "edited outside",
]
LEAST_CAUGHT = 0.95


class Quick(Scanners):
    """Scanners that have read everything, and see a hole in what contains BAD."""

    async def scan(
        self, source: SourceFile, settings: ScanOptions, names: Any, *_more: Any, **_: Any
    ) -> tuple[Scan, ...]:
        hole = Finding("B602", "A shell is started.", 1, Severity.CRITICAL, cwe=78)
        metrics = {"coverage": {"coverage_percent": 100.0}}
        return tuple(
            Scan(
                name,
                "1",
                Status.OK,
                findings=(hole,) if name == "taint" and b"BAD" in source.data else (),
                metrics=metrics.get(name, {}),
            )
            for name in self.applying(source, names)
        )


class Replay:
    """One agent's session.

    Args:
        shop: two projects, ``shop`` and ``blog``, with the same files.
        random: draws everything.
    """

    def __init__(self, shop: Shop, random: Random) -> None:
        self.shop, self.random = shop, random
        self.type = random.choice(["feature", "bugfix", "refactor", "general"])
        self.files = random.sample(FILES, random.randint(1, 3))
        self.session = ""

    def edit(self, path: str, what: str = "VALUE") -> None:
        """Changes a file in both projects."""
        text = f'"""A part."""\n\n{what} = {self.random.random()}\n'
        self.shop.write(path, text)
        self.shop.write(f"../blog/{path}", text)

    async def call(self, tool: str, path: str, **more: Any) -> dict[str, Any]:
        """Returns a tool for a file."""
        return await self.shop.call(tool, file_path=path, session=self.session, **more)

    async def finish(self, path: str, fault: str | None) -> None:
        """Everything that a file needs, but for the fault."""
        self.edit(path, "BAD" if fault == "gate failed" else "VALUE")
        if self.random.random() < 0.5:
            await self.call("score_file", path, quick=True)
        await self.call("score_file", path)
        if self.type == "refactor":
            await self.call("impact_analysis", path)
        if fault == "gate of another file":
            others = [each for each in FILES if each not in self.files]
            await self.call("quality_gate", self.random.choice(others))
        elif fault == "gate of another project":
            opened = await self.shop.call("server_info", project="blog")
            await self.shop.call("quality_gate", file_path=path, session=opened["session_id"])
        elif fault != "gate removed":
            await self.call("quality_gate", path)
        if fault == "gate before the last edit":
            self.edit(path)
            await self.call("score_file", path)
            if self.type == "refactor":
                await self.call("impact_analysis", path)

    async def run(self, fault: str | None) -> tuple[bool, bool]:
        """Returns whether the checklist passed, and whether it named the gate of the right file."""
        info = await self.shop.call("server_info", project="shop")
        self.session = info["session_id"]
        wrong = self.random.choice(self.files)
        for path in self.files:
            await self.finish(path, fault if path == wrong else None)
        if fault == "edited outside":
            self.edit(wrong)
        if self.random.random() < 0.5:
            commit(self.shop)
        listed = await self.shop.call("checklist", task_type=self.type, session=self.session)
        commit(self.shop)
        gates = [each for each in listed["missing"] if each["tool"] == "tapps_quality_gate"]
        return listed["passed"], [each.get("path") for each in gates] == [wrong]


def commit(shop: Shop) -> None:
    """Commits everything, if there is something."""
    shop.git("add", ".")
    shop.git("commit", "-qm", "Work", "--allow-empty")


@pytest.fixture
async def replayed(quality_service: QualityService, shop: Shop) -> AsyncGenerator[Shop]:
    blog = shop.root.parent / "blog"
    blog.mkdir()
    call = quality_service.service.database.call
    boss = await quality_service.service.database.find_principal(LOCAL_PRINCIPAL)
    await call(core_api.add_project(name="blog", root=str(blog.resolve())), boss)
    await call(core_api.put_project_member(member="ann", project="blog"), boss)
    for path in FILES:
        shop.write(path, '"""A part."""\n')
        shop.write(f"../blog/{path}", '"""A part."""\n')
    shop.git("init", "-q")
    commit(shop)
    bench = bench_of(shop.service)
    working = bench.scanners
    bench.scanners = Quick()
    yield shop
    bench.scanners = working


async def test_the_checklist_notices_gates_that_are_missing_or_wrong(replayed: Shop):
    random = Random(22)
    caught: Counter[str] = Counter()
    for fault in FAULTS:
        for _ in range(REPLAYS):
            passed, named = await Replay(replayed, random).run(fault)
            caught[fault] += not passed and named
    rates = {fault: caught[fault] / REPLAYS for fault in FAULTS}
    Console().print(rates)
    assert min(rates.values()) >= LEAST_CAUGHT, rates


async def test_the_checklist_passes_complete_sessions(replayed: Shop):
    random = Random(23)
    passed = [(await Replay(replayed, random).run(None))[0] for _ in range(REPLAYS)]
    assert all(passed)


async def test_without_a_named_project_a_session_does_not_begin(replayed: Shop):
    info = await replayed.call("server_info")
    assert (info["session_id"], info["project"]) == (None, None)
    assert "which of these 2 projects" in info["hint"]
