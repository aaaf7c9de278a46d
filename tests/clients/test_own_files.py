"""What a client's own command writes is read by ``qm import``."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from quartermaster.catalog.importers.mcp_servers import read_config
from tests.clients.packages import installed, path_of_node

pytestmark = pytest.mark.clients
Client = Callable[..., str]


@pytest.fixture
def client(tmp_path: Path) -> Client:
    """Runs a client for a user who has nothing yet, in an empty project; returns what it says."""
    environment = {"HOME": str(tmp_path), "PATH": path_of_node(), "TERM": "dumb"}
    (tmp_path / "project").mkdir()

    def run(program: str, *arguments: str) -> str:
        done = subprocess.run(
            [installed(program), *arguments],
            env=environment,
            cwd=tmp_path / "project",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


def test_claude_code(client: Client, tmp_path: Path) -> None:
    client("claude", "mcp", "add", "local", "-s", "user", "-e", "K=v", "--", "npx", "-y", "x")

    [origin] = read_config(tmp_path / ".claude.json").origins

    assert origin.arguments["command"] == ["npx", "-y", "x"]
    assert origin.secrets == {"local/K": "v"}
