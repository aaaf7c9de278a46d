"""All processes for projects together have a limit of memory; the largest one is ended."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from quartermaster.core.reaper import usage
from quartermaster.projects.memory import end_largest
from quartermaster.projects.processes import running, start, stop
from tests.support.waiting import until

pytestmark = pytest.mark.anyio
MB = 2**20


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
        with anyio.fail_after(30):
            await large.wait()
        assert small.returncode is None
    finally:
        await stop(large)
        await stop(small)
    assert not {small, large} & running
