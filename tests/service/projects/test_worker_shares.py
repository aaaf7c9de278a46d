"""One principal never has all workers, however many files it has read at once."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from quartermaster.projects.work import ProjectWork
from quartermaster.projects.workers import ProjectWorkers, Workers
from quartermaster.settings.sections import LimitSettings
from tests.support import worked
from tests.support.sql_files import ROOT
from tests.support.upstreams import is_running
from tests.support.waiting import LONGEST_S, until

pytestmark = pytest.mark.anyio
CALLS = 10
COMMAND = [
    *(sys.executable, "-I", "-c"),
    f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
    "from quartermaster.projects.worker import main\nmain()\n",
]
# Has a worker call a function with the folder of notes, for the project with this number.
Ask = Callable[[int, Callable[[Path], object]], Awaitable[object]]


@asynccontextmanager
async def flooded(ask: Ask, folder: Path, most: int) -> AsyncGenerator[Callable[[], list[Path]]]:
    """Requests of one principal, which the workers keep until the end; gives the workers' notes."""

    def notes() -> list[Path]:
        return list(folder.glob("busy-*"))

    async with anyio.create_task_group() as tasks:
        for number in range(CALLS):
            tasks.start_soon(asked, ask, "flood", number, worked.waits)
        await until(lambda: len(notes()) >= most)
        yield notes
        tasks.cancel_scope.cancel()


async def asked(ask: Ask, who: str, number: int, function: Callable[[Path], object]) -> object:
    """Returns what a worker answers to a principal."""
    async with ProjectWork(LimitSettings()).call(who):
        return await ask(number, function)


async def test_a_worker_is_left_to_those_who_have_none(tmp_path: Path):
    workers = Workers(3, COMMAND)

    async def ask(_: int, function: Callable[[Path], object]) -> object:
        return await workers.call(function, tmp_path)

    async with flooded(ask, tmp_path, 2) as notes:
        with anyio.fail_after(LONGEST_S):
            assert await asked(ask, "other", 0, worked.starts) == "done"
        assert len(notes()) == 2
    await workers.aclose()


async def test_a_worker_of_projects_is_left_to_those_who_have_none(tmp_path: Path):
    workers = ProjectWorkers(command=COMMAND)

    async def ask(number: int, function: Callable[[Path], object]) -> object:
        return await workers.call(tmp_path / str(number), function, tmp_path)

    async with flooded(ask, tmp_path, 2) as notes:
        with anyio.fail_after(LONGEST_S):
            assert await asked(ask, "other", CALLS, worked.starts) == "done"
        assert len(notes()) == 2
    await workers.aclose()


async def test_workers_of_three_projects_live_at_most_and_none_outlives_the_others(tmp_path: Path):
    workers = ProjectWorkers(command=COMMAND)

    def started() -> list[int]:
        return [int(note.name.partition("-")[2]) for note in tmp_path.glob("started-*")]

    async with anyio.create_task_group() as tasks:
        for number in range(CALLS):
            tasks.start_soon(workers.call, tmp_path / str(number), worked.starts, tmp_path)
    assert len(started()) == CALLS
    assert sum(map(is_running, started())) == 3
    await workers.aclose()
    await until(lambda: not any(map(is_running, started())))
