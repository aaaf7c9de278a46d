"""Whatever reads the project of one principal waits; calls of others and starts do not."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest

from tests.attack.conftest import Crowd
from tests.support.callers import client_of, slug_of
from tests.support.waiting import until

pytestmark = pytest.mark.anyio
CALLS = 40
GATE = {
    "name": "quality__tapps_quality_gate",
    "arguments": {"file_path": "a.py", "project": "local/mire", "new_code": True},
}
SCAN = {
    "name": "quality__tapps_security_scan",
    "arguments": {"file_path": "a.py", "project": "local/meadow"},
}


def project(crowd: Crowd, root: Path, member: str) -> None:
    """A repository with one file, as a project with a member."""
    root.mkdir()
    (root / "a.py").write_text('"""Nothing."""\n')
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for command in (["init"], ["add", "."], ["commit", "-m", "begin"]):
        subprocess.run(["git", *who, *command], cwd=root, check=True, capture_output=True)
    crowd.succeed("project", "add", str(root))
    crowd.succeed("project", "members", root.name, "--add", member)


@contextmanager
def fifo(path: Path) -> Generator[None]:
    """Provides a file that whoever reads it waits for, until the end."""
    os.mkfifo(path)
    try:
        yield
    finally:
        # Those that wait read its end.
        writing = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        path.unlink()
        os.close(writing)


async def test_threads_that_read_projects(crowd: Crowd, tmp_path: Path) -> None:
    mallory, alice = crowd.key("mallory-mire"), crowd.key("alice-meadow")
    project(crowd, tmp_path / "mire", "mallory-mire")
    project(crowd, tmp_path / "meadow", "alice-meadow")
    answered = 0
    async with client_of(crowd.url, mallory) as bad, client_of(crowd.url, alice) as good:

        async def gate() -> None:
            nonlocal answered
            await slug_of(bad, "call_tool", GATE)
            answered += 1

        def held() -> int:
            with crowd.instance.http() as http:
                shares = http.get("/status").json()["shares"]
            mine = shares.get("calls of project tools", {}).get("mallory-mire", {})
            return answered + mine.get("running", 0) + mine.get("waiting", 0)

        with fifo(tmp_path / "mire" / ".gitignore"):
            async with anyio.create_task_group() as tasks:
                for _ in range(CALLS):
                    tasks.start_soon(gate)
                await until(lambda: held() >= CALLS)
                with anyio.fail_after(60):
                    assert await slug_of(good, "call_tool", SCAN) is None
                    start = crowd.instance.add_upstream
                    await anyio.to_thread.run_sync(start, "beside", "leaf_server.py", "stdio")
                tasks.cancel_scope.cancel()
    crowd.succeed("origin", "remove", "beside", "--yes")
