"""A program that is started can always be ended by its caller."""

from __future__ import annotations

import subprocess
import sys

import anyio
import anyio.lowlevel
import pytest
from anyio.abc import Process

from quartermaster.core.reaped import open_reaped

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("steps", range(6))
async def test_a_caller_who_is_cancelled_meanwhile_gets_the_process(steps: int) -> None:
    started: list[Process] = []

    async def start() -> None:
        program = [sys.executable, "-c", "input()"]
        started.append(await open_reaped(program, stderr=subprocess.DEVNULL))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(start)
        for _ in range(steps):
            await anyio.lowlevel.checkpoint()
        tasks.cancel_scope.cancel()
    (process,) = started
    await process.aclose()
    assert process.returncode is not None
