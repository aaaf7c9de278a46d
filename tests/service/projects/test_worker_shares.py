"""One principal never has all workers, however many files it has scanned at once."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from quartermaster.projects.work import ProjectWork
from quartermaster.quality.scanners.interface import Request, Settings, Source
from quartermaster.quality.scanners.workers import ProjectWorkers, Workers
from quartermaster.settings.sections import Limits
from tests.support.upstreams import is_running
from tests.support.waiting import until

pytestmark = pytest.mark.anyio
FILE = Source("a.py", b"")
CALLS = 10
Ask = Callable[[Request], Awaitable[object]]


@asynccontextmanager
async def flooded(
    ask: Ask, folder: Path, mirrors: int, most: int
) -> AsyncGenerator[Callable[[], list[Path]]]:
    """Requests of one principal, which the workers keep until the end; gives the workers' notes."""

    def notes() -> list[Path]:
        return list(folder.glob("busy-*"))

    async with anyio.create_task_group() as tasks:
        for number in range(CALLS):
            mirror = folder / str(number) if number < mirrors else None
            request = Request("wait", FILE, Settings(mirror=mirror))
            tasks.start_soon(asked, ask, "flood", request)
        await until(lambda: len(notes()) >= most)
        yield notes
        tasks.cancel_scope.cancel()


async def asked(ask: Ask, who: str, request: Request) -> object:
    """What a worker answers to a principal."""
    async with ProjectWork(Limits()).call(who):
        return await ask(request)


def command(folder: Path) -> list[str]:
    """A worker that answers at once, or notes that it is busy and waits for ever."""
    program = (
        "import json, os, signal, sys\n"
        f"def note(what):\n    open(f'{folder}/{{what}}-{{os.getpid()}}', 'w').close()\n"
        "note('started')\n"
        "while size := sys.stdin.buffer.read(4):\n"
        "    asked = json.loads(sys.stdin.buffer.read(int.from_bytes(size, 'big')))\n"
        "    if asked['module'] == 'wait':\n"
        "        note('busy')\n"
        "        signal.pause()\n"
        "    sys.stdout.buffer.write(b'\\0\\0\\0\\6\"done\"')\n"
        "    sys.stdout.buffer.flush()\n"
    )
    return [sys.executable, "-I", "-c", program]


async def test_a_worker_is_left_to_those_who_have_none(tmp_path: Path):
    workers = Workers(3, command(tmp_path))
    async with flooded(workers.ask, tmp_path, 0, 2) as notes:
        with anyio.fail_after(15):
            assert await asked(workers.ask, "other", Request("answer", FILE)) == "done"
        assert len(notes()) == 2
    await workers.aclose()


async def test_a_type_checker_is_left_to_those_who_have_none(tmp_path: Path):
    workers = ProjectWorkers(command(tmp_path))
    mine = Settings(mirror=tmp_path / "mine")
    async with flooded(workers.ask, tmp_path, CALLS, 2) as notes:
        with anyio.fail_after(15):
            assert await asked(workers.ask, "other", Request("answer", FILE, mine)) == "done"
        assert len(notes()) == 2
    await workers.aclose()


async def test_three_type_checkers_live_at_most_and_none_outlives_the_scanners(tmp_path: Path):
    workers = ProjectWorkers(command(tmp_path))

    def started() -> list[int]:
        return [int(note.name.partition("-")[2]) for note in tmp_path.glob("started-*")]

    async with anyio.create_task_group() as tasks:
        for number in range(CALLS):
            settings = Settings(mirror=tmp_path / str(number))
            tasks.start_soon(workers.ask, Request("answer", FILE, settings))
    assert len(started()) == CALLS
    assert sum(map(is_running, started())) == 3
    await workers.aclose()
    await until(lambda: not any(map(is_running, started())))
