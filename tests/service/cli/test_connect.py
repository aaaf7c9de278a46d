"""``qm connect`` writes the files of the clients, and takes it back."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quartermaster.core.paths import write_admin
from tests.support.forks import forked_qm
from tests.support.instance import Instance

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(instance: Instance, tmp_path: Path) -> Run:
    """Runs ``qm connect`` for a user of its own, whose Quartermaster is running."""
    environment = instance.environment | {"HOME": str(tmp_path)}
    environment.pop("XDG_CONFIG_HOME", None)

    def connect(
        *arguments: str, answer: str = "y\n", **further: str
    ) -> subprocess.CompletedProcess[str]:
        command = [*forked_qm(), "connect", *arguments]
        given = environment | further
        return subprocess.run(command, env=given, input=answer, capture_output=True, text=True)

    return connect


def read(path: Path) -> Any:
    return json.loads(path.read_text())


def key_in(entry: dict[str, Any]) -> str:
    """Returns the key of an entry that speaks HTTP."""
    return entry["headers"]["Authorization"].removeprefix("Bearer ")


def entry_of(instance: Instance, key: str) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {key}"}
    return {"type": "http", "url": f"{instance.run_file.url}/mcp", "headers": headers}


def status(instance: Instance, key: str) -> int:
    with instance.http(key) as http:
        return http.get("/status").status_code


@pytest.mark.parametrize(
    ("client", "path", "key"),
    [
        ("claude-code", ".claude.json", "mcpServers"),
        ("cursor", ".cursor/mcp.json", "mcpServers"),
        ("vscode", ".config/Code/User/mcp.json", "servers"),
    ],
)
def test_clients_that_speak_http_get_the_address_and_a_key_of_their_own(
    run: Run, instance: Instance, tmp_path: Path, client: str, path: str, key: str
) -> None:
    done = run(client)

    assert done.returncode == 0, done.stderr
    entry = read(tmp_path / path)[key]["qm"]
    given = key_in(entry)
    more = {"alwaysLoad": True} if client == "claude-code" else {}
    assert entry == entry_of(instance, given) | more
    assert given != instance.run_file.token
    assert given not in done.stdout + done.stderr
    assert (tmp_path / path).stat().st_mode & 0o077 == 0
    [owner] = [row for row in instance.qm_json("principal", "list") if row["name"] == client]
    assert (owner["kind"], owner["role"]) == ("agent", "user")
    assert status(instance, given) == 200
    again = run(client)
    assert "nothing to change" in again.stdout
    assert key_in(read(tmp_path / path)[key]["qm"]) == given

    undone = run(client, "--undo")
    assert undone.returncode == 0, undone.stderr
    assert "was revoked" in undone.stdout
    assert given not in undone.stdout + undone.stderr
    assert not (tmp_path / path).exists()
    assert status(instance, given) == 401


def test_a_key_that_was_revoked_is_replaced(run: Run, instance: Instance, tmp_path: Path) -> None:
    file = tmp_path / ".cursor" / "mcp.json"
    run("cursor")
    former = key_in(read(file)["mcpServers"]["qm"])
    assert instance.qm("key", "revoke", former, "--yes").returncode == 0

    assert run("cursor").returncode == 0

    newer = key_in(read(file)["mcpServers"]["qm"])
    assert (status(instance, former), status(instance, newer)) == (401, 200)


def test_an_undo_without_the_service_says_that_the_key_is_still_valid(
    run: Run, tmp_path: Path
) -> None:
    run("cursor")
    key = key_in(read(tmp_path / ".cursor" / "mcp.json")["mcpServers"]["qm"])

    done = run("cursor", "--undo", QM_DATA_DIR=str(tmp_path / "none"))

    assert done.returncode == 1
    assert f"qm key revoke {key[:11]}" in done.stderr.replace("\n", " ")
    assert not (tmp_path / ".cursor" / "mcp.json").exists()


def test_an_undo_does_not_revoke_the_key_of_somebody_else(
    run: Run, instance: Instance, tmp_path: Path
) -> None:
    run("cursor")
    file = tmp_path / ".cursor" / "mcp.json"
    entry = entry_of(instance, instance.run_file.token)
    file.write_text(json.dumps({"mcpServers": {"qm": entry}}))

    assert run("cursor", "--undo").returncode == 0
    assert status(instance, instance.run_file.token) == 200


def test_a_principal_with_more_rights_and_that_name_is_refused(
    run: Run, instance: Instance, tmp_path: Path
) -> None:
    run("vscode")
    run("vscode", "--undo")
    change = "update policy.principal set role = %s where name = 'vscode' returning id"
    instance.rows(change, "operator")
    try:
        done = run("vscode")
    finally:
        instance.rows(change, "user")

    assert (done.returncode, "principal_exists" in done.stderr) == (1, True)
    assert not (tmp_path / ".config/Code/User/mcp.json").exists()


def test_if_the_file_cannot_be_written_no_key_is_left(
    run: Run, instance: Instance, tmp_path: Path
) -> None:
    (tmp_path / ".cursor").write_text("a file instead of a folder")

    done = run("cursor")

    assert done.returncode == 1
    assert "live" not in {row["state"] for row in instance.qm_json("key", "list", "cursor")}


def test_for_an_authority_of_ones_own_the_client_starts_qm_which_knows_it(
    run: Run, instance: Instance, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    replace(instance.run_file, url="https://127.0.0.1:1", ca="/authority.pem").write(data)
    write_admin(data, instance.admin_dsn)

    assert run("cursor", QM_DATA_DIR=str(data)).returncode == 0

    entry = read(tmp_path / ".cursor" / "mcp.json")["mcpServers"]["qm"]
    assert (entry["type"], entry["args"]) == ("stdio", ["stdio", "--data-dir", str(data)])
    assert status(instance, entry["env"]["QM_KEY"]) == 200


def test_claude_desktop_starts_the_stdio_door_with_a_key_of_its_own(
    run: Run, instance: Instance, tmp_path: Path
) -> None:
    done = run("claude")
    assert done.returncode == 0

    entry = read(tmp_path / ".config/Claude/claude_desktop_config.json")["mcpServers"]["qm"]
    assert entry["args"] == ["stdio", "--data-dir", str(instance.data_dir)]
    assert Path(entry["command"]).exists()
    assert status(instance, entry["env"]["QM_KEY"]) == 200
    assert entry["env"]["QM_KEY"] not in done.stdout + done.stderr + run("claude").stdout
    assert run("claude", "--undo").returncode == 0
    assert status(instance, entry["env"]["QM_KEY"]) == 401


def test_undo_restores_the_file_to_the_byte(run: Run, instance: Instance, tmp_path: Path) -> None:
    file = tmp_path / ".cursor" / "mcp.json"
    file.parent.mkdir()
    before = '{"mcpServers":{"mine":{"command":"x"},"qm":{"url":"http://old"}},   "other": 1}'
    file.write_text(before)

    assert run("cursor").returncode == 0
    servers = read(file)["mcpServers"]
    entry = servers["qm"]
    assert servers == {"mine": {"command": "x"}, "qm": entry_of(instance, key_in(entry))}
    assert run("cursor", "--undo").returncode == 0

    assert file.read_text() == before
    assert list(file.parent.iterdir()) == [file]


def test_undo_keeps_what_was_changed_since(run: Run, tmp_path: Path) -> None:
    file = tmp_path / ".cursor" / "mcp.json"
    run("cursor", "--yes", answer="")
    changed = read(file)
    changed["mcpServers"]["new"] = {"command": "y"}
    file.write_text(json.dumps(changed))

    assert run("cursor", "--undo").returncode == 0

    assert read(file) == {"mcpServers": {"new": {"command": "y"}}}


def test_a_dry_run_writes_nothing_and_makes_no_key(
    run: Run, instance: Instance, tmp_path: Path
) -> None:
    before = instance.qm_json("key", "list")
    done = run("cursor", "--dry-run")

    assert '+    "qm": {' in done.stdout
    assert instance.qm_json("key", "list") == before
    assert not (tmp_path / ".cursor").exists()


@pytest.mark.parametrize(
    ("client", "path", "before"),
    [
        ("vscode", ".config/Code/User/mcp.json", '{\r\n  // mine\r\n  "servers": {}\r\n}'),
        ("zed", ".config/zed/settings.json", '\ufeff{ // mine\n  "theme": "One Dark",\n}\n'),
        ("codex", ".codex/config.toml", '# mine\nmodel = "m"\n\n[mcp_servers.a]\ncommand="x"\n'),
        ("goose", ".config/goose/config.yaml", "# mine\nextensions:\n  a: {cmd: x}\n"),
        ("continue", ".continue/config.yaml", "mcpServers: # mine\n- name: a\n  command: x\n"),
        ("opencode", ".config/opencode/opencode.json", '{\n  /* mine */\n  "mcp": {}\n}\n'),
        ("amp", ".config/amp/settings.json", '{"amp.mcpServers": {}} // mine'),
    ],
)
def test_comments_are_kept_and_an_undo_restores_every_byte(
    run: Run, instance: Instance, tmp_path: Path, client: str, path: str, before: str
) -> None:
    file = tmp_path / path
    file.parent.mkdir(parents=True)
    file.write_bytes(before.encode())

    done = run(client)

    assert done.returncode == 0, done.stderr
    written = file.read_bytes().decode()
    assert "mine" in written
    [key] = re.findall(r"qm_[\w-]{20,}", written)
    assert key not in done.stdout + done.stderr
    assert status(instance, key) == 200
    assert "nothing to change" in run(client).stdout
    assert run(client, "--undo").returncode == 0
    assert file.read_bytes() == before.encode()
    assert list(file.parent.iterdir()) == [file]
    assert status(instance, key) == 401


def test_a_file_that_is_no_utf_8_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / ".claude.json").write_bytes(b"\xff")

    done = run("claude-code")

    assert (done.returncode, "is not UTF-8" in done.stderr) == (1, True)
    assert "Traceback" not in done.stderr


def test_a_link_stays_a_link(run: Run, tmp_path: Path) -> None:
    retained, link = tmp_path / "dotfiles.json", tmp_path / ".claude.json"
    retained.write_text("{}")
    link.symlink_to(retained)

    assert run("claude-code").returncode == 0
    assert link.is_symlink()
    assert list(read(retained)["mcpServers"]) == ["qm"]

    assert run("claude-code", "--undo").returncode == 0
    assert (link.is_symlink(), retained.read_text()) == (True, "{}")


def test_without_a_client_all_are_listed(run: Run, tmp_path: Path) -> None:
    run("cursor")
    broken = tmp_path / ".gemini" / "settings.json"
    broken.parent.mkdir()
    broken.write_text('{"mcpServers": {}')

    listed = {row["client"]: row for row in json.loads(run("--json").stdout)}

    assert (listed["cursor"]["connected"], listed["vscode"]["connected"]) == (True, False)
    assert listed["cursor"]["configuration"] == str(tmp_path / ".cursor" / "mcp.json")
    report = run()
    assert report.stdout.count("yes") == 1
    assert f"Gemini CLI: {broken}:1:18: expected" in report.stderr


@pytest.mark.parametrize("answer", ["n\n", ""])
def test_nothing_is_written_without_a_yes(
    run: Run, instance: Instance, tmp_path: Path, answer: str
) -> None:
    before = instance.qm_json("key", "list")
    refused = run("cursor", answer=answer)
    assert instance.qm_json("key", "list") == before

    assert (refused.returncode, '+    "qm": {' in refused.stdout) == (1, True)
    assert not (tmp_path / ".cursor" / "mcp.json").exists()


def test_without_a_running_service_there_is_no_address(run: Run, tmp_path: Path) -> None:
    done = run("cursor", QM_DATA_DIR=str(tmp_path / "none"))

    assert (done.returncode, "not_running" in done.stderr) == (1, True)


def test_the_short_instructions_are_written_on_request_and_taken_back(run: Run, tmp_path: Path):
    target = tmp_path / "shop" / "CLAUDE.md"
    target.parent.mkdir()
    target.write_text("# Rules\n\nUse tabs.\n")
    done = run("--prompt", str(target))
    assert done.returncode == 0, done.stderr
    text = target.read_text()
    assert text.startswith("# Rules\n\nUse tabs.\n\n<!-- Quartermaster: begin.")
    for name in ("tapps_server_info", "tapps_quality_gate", "tapps_checklist"):
        assert name in text
    assert len(text.splitlines()) < 50
    # Older instructions are replaced, and what follows them stays.
    target.write_text(text.replace("Work in this order", "An older text") + "\nMore.\n")
    assert run("--prompt", str(target)).returncode == 0
    assert target.read_text() == text + "\nMore.\n"
    assert "nothing to change" in run("--prompt", str(target)).stdout
    assert run("--prompt", str(target), "--undo").returncode == 0
    assert target.read_text() == "# Rules\n\nUse tabs.\n\nMore.\n"
    fresh = tmp_path / "AGENTS.md"
    assert run("--prompt", str(fresh), answer="n\n").returncode != 0
    assert not fresh.exists()
    assert run("--prompt", str(fresh), "--yes").returncode == 0
    assert run("--prompt", str(fresh), "--undo", "--yes").returncode == 0
    assert not fresh.exists()
