"""``qm connect`` writes the files of the clients, and takes it back."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from quartermaster.core.paths import RunFile
from tests.support.forks import forked_qm
from tests.support.instance import environment_of_commands

TOKEN = "a-token-for-tests"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Generator[Run]:
    """Runs ``qm connect`` for a user of its own, whose Quartermaster seems to run."""
    with subprocess.Popen(["sleep", "600"]) as service:
        data = tmp_path / "data"
        RunFile("http://127.0.0.1:8765", TOKEN, "", service.pid).write(data)
        environment = environment_of_commands()
        environment |= {"HOME": str(tmp_path), "QM_DATA_DIR": str(data)}
        environment.pop("XDG_CONFIG_HOME", None)

        def connect(*arguments: str, answer: str = "y\n") -> subprocess.CompletedProcess[str]:
            command = [*forked_qm(), "connect", *arguments]
            return subprocess.run(
                command, env=environment, input=answer, capture_output=True, text=True
            )

        yield connect
        service.kill()


def read(path: Path) -> Any:
    return json.loads(path.read_text())


ENTRY = {
    "type": "http",
    "url": "http://127.0.0.1:8765/mcp",
    "headers": {"Authorization": f"Bearer {TOKEN}"},
}


@pytest.mark.parametrize(
    ("client", "path", "key"),
    [
        ("claude-code", ".claude.json", "mcpServers"),
        ("cursor", ".cursor/mcp.json", "mcpServers"),
        ("vscode", ".config/Code/User/mcp.json", "servers"),
    ],
)
def test_clients_that_speak_http_get_address_and_token(
    run: Run, tmp_path: Path, client: str, path: str, key: str
) -> None:
    done = run(client)

    assert done.returncode == 0, done.stderr
    assert TOKEN not in done.stdout + done.stderr
    assert read(tmp_path / path) == {key: {"qm": ENTRY}}
    assert (tmp_path / path).stat().st_mode & 0o077 == 0
    assert "nothing to change" in run(client).stdout

    assert run(client, "--undo").returncode == 0
    assert not (tmp_path / path).exists()


def test_claude_desktop_starts_the_stdio_door(run: Run, tmp_path: Path) -> None:
    assert run("claude").returncode == 0

    entry = read(tmp_path / ".config/Claude/claude_desktop_config.json")["mcpServers"]["qm"]
    assert entry["args"] == ["stdio", "--data-dir", str(tmp_path / "data")]
    assert Path(entry["command"]).exists()


def test_undo_restores_the_file_to_the_byte(run: Run, tmp_path: Path) -> None:
    file = tmp_path / ".cursor" / "mcp.json"
    file.parent.mkdir()
    before = '{"mcpServers":{"mine":{"command":"x"},"qm":{"url":"http://old"}},   "other": 1}'
    file.write_text(before)

    assert run("cursor").returncode == 0
    assert read(file)["mcpServers"] == {"mine": {"command": "x"}, "qm": ENTRY}
    assert run("cursor", "--undo").returncode == 0

    assert file.read_text() == before
    assert list(file.parent.iterdir()) == [file]


def test_undo_keeps_what_was_changed_since(run: Run, tmp_path: Path) -> None:
    file = tmp_path / ".cursor" / "mcp.json"
    run("cursor")
    changed = read(file)
    changed["mcpServers"]["new"] = {"command": "y"}
    file.write_text(json.dumps(changed))

    assert run("cursor", "--undo").returncode == 0

    assert read(file) == {"mcpServers": {"new": {"command": "y"}}}


def test_a_dry_run_writes_nothing(run: Run, tmp_path: Path) -> None:
    done = run("cursor", "--dry-run")

    assert '+    "qm": {' in done.stdout
    assert TOKEN not in done.stdout
    assert not (tmp_path / ".cursor").exists()


def test_a_file_with_comments_is_left_alone(run: Run, tmp_path: Path) -> None:
    file = tmp_path / ".config/Code/User/mcp.json"
    file.parent.mkdir(parents=True)
    file.write_text('{\n  // mine\n  "servers": {}\n}')

    done = run("vscode")

    assert (done.returncode, "config_invalid" in done.stderr) == (1, True)
    assert "// mine" in file.read_text()


def test_a_file_that_is_no_utf_8_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / ".claude.json").write_bytes(b"\xff")

    done = run("claude-code")

    assert (done.returncode, "is not UTF-8" in done.stderr) == (1, True)
    assert "Traceback" not in done.stderr


def test_a_link_stays_a_link(run: Run, tmp_path: Path) -> None:
    kept, link = tmp_path / "dotfiles.json", tmp_path / ".claude.json"
    kept.write_text("{}")
    link.symlink_to(kept)

    assert run("claude-code").returncode == 0
    assert link.is_symlink()
    assert read(kept) == {"mcpServers": {"qm": ENTRY}}

    assert run("claude-code", "--undo").returncode == 0
    assert (link.is_symlink(), kept.read_text()) == (True, "{}")


def test_without_a_client_all_are_listed(run: Run, tmp_path: Path) -> None:
    run("cursor")

    listed = {row["client"]: row for row in json.loads(run("--json").stdout)}

    assert (listed["cursor"]["connected"], listed["vscode"]["connected"]) == (True, False)
    assert listed["cursor"]["configuration"] == str(tmp_path / ".cursor" / "mcp.json")
    assert run().stdout.count("yes") == 1


def test_nothing_is_written_without_a_yes(run: Run, tmp_path: Path) -> None:
    refused = run("cursor", answer="n\n")

    assert (refused.returncode, '+    "qm": {' in refused.stdout) == (1, True)
    assert not (tmp_path / ".cursor" / "mcp.json").exists()


def test_without_a_running_service_there_is_no_address(run: Run, tmp_path: Path) -> None:
    RunFile.remove(tmp_path / "data")

    done = run("cursor")

    assert (done.returncode, "not_running" in done.stderr) == (1, True)
