"""Files as the clients write them themselves: see tests/clients, which runs the clients."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import pytest

from quartermaster.catalog.importers.mcp_servers import read_files
from quartermaster.clients.editing import value_in
from quartermaster.clients.known import CLIENTS
from quartermaster.clients.own_entry import File
from quartermaster.clients.reading import read_exactly

WRITTEN: Final = Path(__file__).parent / "written"
# The place of each file in the home folder of a user.
PLACES: Final = {
    "claude-code": ".claude.json",
    "codex": ".codex/config.toml",
    "gemini": ".gemini/settings.json",
    "opencode": ".config/opencode/opencode.jsonc",
    "copilot": ".copilot/mcp-config.json",
    "amp": ".config/amp/settings.json",
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The empty home folder of a user."""
    for name in ("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "COPILOT_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "platform", "linux")
    return tmp_path


@pytest.mark.parametrize("name", PLACES)
def test_the_files_of_clients_are_found_and_read(home: Path, name: str) -> None:
    client = CLIENTS[name]
    path = home / PLACES[name]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes((WRITTEN / f"{name}{path.suffix}").read_bytes())

    found = [place for place in client.places(home) if place.is_file()]
    config = read_files(found, client)

    assert found == [path]
    origins: dict[str, Any] = {origin.name: origin for origin in config.origins}
    assert origins["near"].arguments["command"] == ["npx", "-y", "x"]
    assert origins["near"].secrets == {"near/K": "v"}
    assert origins["far"].arguments["url"] == "https://origin.invalid/mcp"


@pytest.mark.parametrize("name", CLIENTS)
def test_an_entry_is_written_and_found_and_taken_out_again(home: Path, name: str) -> None:
    client = CLIENTS[name]
    if not client.user:
        (home / client.project[0]).write_text("version: 1\n")
    file = File.of(client)
    before = read_exactly(file.path)
    for entry in (
        client.remote("qm", "http://127.0.0.1:9/mcp", {"Authorization": "Bearer qm_k"}),
        client.local("qm", "/bin/qm", ["stdio"], {"QM_KEY": "qm_k"}),
    ):
        after = file.with_entry(before, entry)
        file.path.parent.mkdir(parents=True, exist_ok=True)
        file.path.write_text(after)
        assert file.entry(after) == entry
        # It is Quartermaster itself, so an import leaves it out.
        assert read_files([file.path], client).origins == []
        undone = file.without_entry(after)
        retained = {} if undone is None else value_in(undone, client.format, file.path)
        assert retained.get("version") == (None if client.user else 1)


def test_what_is_off_for_copilot_stands_in_another_file(home: Path) -> None:
    path = home / PLACES["copilot"]
    path.parent.mkdir()
    path.write_bytes((WRITTEN / "copilot.json").read_bytes())
    (path.parent / "settings.json").write_text('{"disabledMcpServers": ["near"]}')

    config = read_files([path], CLIENTS["copilot"])

    assert {o.name: o.is_off for o in config.origins} == {"far": False, "near": True}


@pytest.mark.parametrize(
    ("platform", "path"),
    [
        ("linux", ".config/Claude/claude_desktop_config.json"),
        ("darwin", "Library/Application Support/Claude/claude_desktop_config.json"),
        ("win32", "AppData/Roaming/Claude/claude_desktop_config.json"),
    ],
)
def test_each_system_has_its_folders(
    home: Path, monkeypatch: pytest.MonkeyPatch, platform: str, path: str
) -> None:
    monkeypatch.delenv("APPDATA", raising=False)
    monkeypatch.setattr(sys, "platform", platform)
    assert CLIENTS["claude"].file(home) == home / path


def test_a_variable_of_the_client_moves_its_file(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEX_HOME", str(home / "elsewhere"))
    assert CLIENTS["codex"].file(home) == home / "elsewhere" / "config.toml"


def test_all_files_of_a_folder_are_read(home: Path) -> None:
    folder = home / ".continue" / "mcpServers"
    folder.mkdir(parents=True)
    (folder / "a.yaml").write_text("name: a\nmcpServers:\n- name: near\n  command: x\n")
    (folder / "b.json").write_text('{"mcpServers": {"far": {"url": "https://origin.invalid"}}}')
    (folder / "c.yaml").write_text("mcpServers: [\n")
    client = CLIENTS["continue"]

    config = read_files([p for p in client.places(home) if p.is_file()], client)

    assert [origin.name for origin in config.origins] == ["near", "far"]
    assert any("c.yaml" in warning for warning in config.warnings)
