"""Real clients write files that ``qm import`` reads, and list what ``qm connect`` writes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quartermaster.catalog.importers.mcp_servers import read_files
from quartermaster.clients.known import CLIENTS
from quartermaster.clients.own_entry import File
from tests.clients.packages import installed, path_of_node

pytestmark = pytest.mark.clients
Run = Callable[..., str]

# How each client adds a local server, and one with an address.
ADD = {
    "claude-code": (
        ["claude", "mcp", "add", "-s", "user", "near", "-e", "K=v", "--", "npx", "-y", "x"],
        ["claude", "mcp", "add", "-s", "user", "-t", "http", "far", "https://origin.invalid/mcp"],
    ),
    "codex": (
        ["codex", "mcp", "add", "near", "--env", "K=v", "--", "npx", "-y", "x"],
        ["codex", "mcp", "add", "far", "--url", "https://origin.invalid/mcp"],
    ),
    "gemini": (
        ["gemini", "mcp", "add", "-s", "user", "-e", "K=v", "near", "npx", "--", "-y", "x"],
        ["gemini", "mcp", "add", "-s", "user", "-t", "http", "far", "https://origin.invalid/mcp"],
    ),
    "opencode": (
        ["opencode", "mcp", "add", "near", "--env", "K=v", "--", "npx", "-y", "x"],
        ["opencode", "mcp", "add", "far", "--url", "https://origin.invalid/mcp"],
    ),
    "copilot": (
        ["copilot", "mcp", "add", "near", "--env", "K=v", "--", "npx", "-y", "x"],
        ["copilot", "mcp", "add", "--transport", "http", "far", "https://origin.invalid/mcp"],
    ),
    "amp": (
        ["amp", "mcp", "add", "near", "--env", "K=v", "--", "npx", "-y", "x"],
        ["amp", "mcp", "add", "far", "https://origin.invalid/mcp"],
    ),
}
# How each client lists its servers. Claude Code and opencode also try to reach them.
LIST = {
    "claude-code": ["claude", "mcp", "list"],
    "codex": ["codex", "mcp", "list"],
    "gemini": ["gemini", "mcp", "list"],
    "opencode": ["opencode", "mcp", "list"],
    "copilot": ["copilot", "mcp", "list"],
    "amp": ["amp", "mcp", "list"],
}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a client for a user who has nothing yet, in an empty project; returns what it says."""
    for name in ("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "COPILOT_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    # Nobody is asked, and nothing is reported.
    environment = {"HOME": str(tmp_path), "PATH": path_of_node(), "TERM": "dumb", "CI": "1"}
    environment |= {"DO_NOT_TRACK": "1", "DISABLE_TELEMETRY": "1", "DISABLE_AUTOUPDATER": "1"}

    def client(program: str, *arguments: str) -> str:
        done = subprocess.run(
            [installed(program), *arguments],
            env=environment,
            cwd=project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    return client


@pytest.mark.parametrize("name", ADD)
def test_what_a_client_writes_is_imported(run: Run, name: str) -> None:
    for command in ADD[name]:
        run(*command)
    client = CLIENTS[name]

    paths = [path for path in client.places(Path.cwd()) if path.is_file()]
    config = read_files(paths, client)

    assert config.rejected == {}
    found: dict[str, Any] = {origin.name: origin for origin in config.origins}
    assert found["near"].arguments["command"] == ["npx", "-y", "x"]
    assert found["near"].secrets == {"near/K": "v"}
    assert found["far"].arguments["transport"] == "http"
    assert found["far"].arguments["url"] == "https://origin.invalid/mcp"
    assert not found["near"].is_off


@pytest.mark.parametrize("is_remote", [True, False])
@pytest.mark.parametrize("name", LIST)
def test_a_client_lists_what_is_connected(run: Run, name: str, is_remote: bool) -> None:
    client = CLIENTS[name]
    for command in ADD[name]:
        run(*command)
    file = File.of(client)
    before = file.path.read_text()
    url = "http://127.0.0.1:9/mcp"
    entry = client.local("qm", "/bin/false", ["stdio"], {"QM_KEY": "k"})
    if is_remote:
        entry = client.remote("qm", url, {"Authorization": "Bearer k"})
    file.path.write_text(file.with_entry(before, entry))

    said = run(*LIST[name])

    assert "qm" in said
    # That of Copilot has no addresses.
    assert name == "copilot" or (url if is_remote else "/bin/false") in said
    for other in ("near", "far"):
        assert other in said


def test_what_copilot_has_switched_off_is_off(run: Run) -> None:
    run(*ADD["copilot"][0])
    run("copilot", "mcp", "disable", "near")
    client = CLIENTS["copilot"]

    [origin] = read_files([File.of(client).path], client).origins

    assert origin.is_off


def test_codex_takes_the_headers(run: Run) -> None:
    file = File.of(CLIENTS["codex"])
    file.path.parent.mkdir(exist_ok=True)
    entry = file.client.remote("qm", "http://127.0.0.1:9/mcp", {"Authorization": "Bearer k"})
    file.path.write_text(file.with_entry(None, entry))

    [listed] = json.loads(run("codex", "mcp", "list", "--json").partition("WARNING")[0])

    assert listed["enabled"]
    assert listed["transport"]["http_headers"] == {"Authorization": "Bearer k"}
