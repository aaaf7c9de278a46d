"""All processes for projects together have a limit of memory; the largest one is ended."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from quartermaster.core.reaper import usage
from quartermaster.projects import memory
from quartermaster.projects.isolated_processes import ended_for_memory, running, start, stop
from quartermaster.projects.memory import end_largest
from quartermaster.projects.programs import run
from quartermaster.projects.worker_calls import WorkerError
from quartermaster.projects.workers import Workers
from tests.support import worked
from tests.support.sql_files import ROOT
from tests.support.waiting import LONGEST_S, until

pytestmark = pytest.mark.anyio
MB = 2**20
PROGRAM = (
    f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
    "from quartermaster.projects.worker import main\nmain()\n"
)
COMMAND = [sys.executable, "-I", "-c", PROGRAM]


async def test_the_largest_process_is_ended_and_the_others_go_on(tmp_path: Path):
    code = "import signal; held = bytes([1]) * (int({}) << 20); signal.pause()"
    small, large = [
        await start(
            [sys.executable, "-I", "-c", code.format(size)],
            str(tmp_path),
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        for size in (20, 100)
    ]
    try:
        await until(lambda: usage(large.pid)[0] > 90 * MB and usage(small.pid)[0] > 18 * MB)
        end_largest(400 * MB)
        assert (small.returncode, large.returncode) == (None, None)
        end_largest(80 * MB)
        with anyio.fail_after(LONGEST_S):
            await large.wait()
        assert small.returncode is None
    finally:
        await stop(large)
        await stop(small)
    assert not {small, large} & running.keys()


async def test_whoever_uses_most_loses_a_process_after_those_that_wait(
    monkeypatch: pytest.MonkeyPatch,
):
    """One principal has many small processes, the other the largest."""
    used = {"waits": 5, "many 1": 30, "many 2": 30, "many 3": 30, "large": 40}
    ended: list[str] = []

    class Held:
        def __init__(self, pid: str) -> None:
            self.pid = pid

        def terminate(self) -> None:
            ended.append(self.pid)

    owned = {Held(pid): None if pid == "waits" else pid.split()[0] for pid in used}
    monkeypatch.setattr(memory, "running", owned)
    monkeypatch.setattr(memory, "ended_for_memory", set[Held]())
    monkeypatch.setattr(memory, "usage", lambda pid: (used[pid], 0))
    end_largest(130)
    assert ended == ["waits"]
    ended.clear()
    end_largest(100)
    assert ended == ["waits", "many 1"]


@pytest.mark.parametrize("is_worker", [True, False])
async def test_who_waits_for_what_was_ended_is_told_why(is_worker: bool):
    workers = Workers(1, COMMAND)
    reasons: list[str] = []

    async def work() -> None:
        try:
            if is_worker:
                await workers.call(worked.busy, timeout_s=60)
            else:
                code = "import signal; signal.pause()"
                await run([sys.executable, "-I", "-c", code], b"", timeout_s=60)
        except WorkerError as error:
            reasons.append(str(error))

    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(work)
            await until(lambda: any(usage(process.pid)[0] > MB for process in running))
            end_largest(0)
    finally:
        await workers.aclose()
    [reason] = reasons
    assert "all processes that read projects used too much memory together" in reason
    assert not running.keys() | ended_for_memory
