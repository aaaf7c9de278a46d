"""``qm import``: configurations and files of tools, also interrupted."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from quartermaster.cli.import_ import import_command
from tests.support.database import Database
from tests.support.forks import forked_qm
from tests.support.instance import QM, Instance, environment_of_commands
from tests.support.shared_data import SHARED, needs_shared
from tests.support.upstreams import SUPPORT
from tests.support.waiting import wait_until

RUDE = str(SUPPORT / "rude_server.py")
CATALOG = SHARED / "retrieval" / "mcpcatalog" / "tools.jsonl"


def qm_import(database: Database, folder: Path, *arguments: str | Path) -> dict[str, Any]:
    command = [*forked_qm(), "import", *map(str, arguments), "--dsn", database.dsn, "--json"]
    environment = environment_of_commands() | {"QM_DATA_DIR": str(folder)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def rows(database: Database, statement: Any) -> list[tuple[Any, ...]]:
    with database.connect() as connection:
        return connection.execute(statement).fetchall()


def first_lines(folder: Path, number: int) -> Path:
    path = folder / "tools.jsonl"
    with CATALOG.open() as source:
        path.write_text("".join(itertools.islice(source, number)))
    return path


@needs_shared
def test_a_killed_import_is_completed_by_the_next_one(database: Database, tmp_path: Path) -> None:
    path = first_lines(tmp_path, 1_500)
    command = [str(QM), "import", str(path), "--dsn", database.dsn]
    environment = environment_of_commands() | {"QM_DATA_DIR": str(tmp_path)}
    stored = "select count(*) from catalog.item"
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        assert wait_until(lambda: rows(database, stored) != [(0,)], 120)
        process.kill()
    [(retained,)] = rows(database, stored)
    assert 0 < retained < 1_500

    second = qm_import(database, tmp_path, path)
    third = qm_import(database, tmp_path, path)

    assert second["tools"] == {"added": 1_500 - retained, "unchanged": retained}
    assert third["tools"] == {"unchanged": 1_500}
    assert rows(
        database, "select count(*), count(distinct (origin_id, name)) from catalog.item"
    ) == [(1_500, 1_500)]
    assert rows(database, "select count(*) from catalog.item_version") == [(1_500,)]
    assert rows(database, "select count(*), count(distinct ref) from search.card") == [
        (1_500, 1_500)
    ]
    assert rows(database, "select cards from search.kind where name = 'tool'") == [(1_500,)]


def test_a_configuration_is_imported_read_and_told(instance: Instance, tmp_path: Path) -> None:
    file = tmp_path / "smart mcp.json"
    rude = str(SUPPORT / "rude_server.py")
    servers = {
        "imported": {"command": sys.executable, "args": [rude], "env": {"KEY": "cnryQm7x-key"}},
        "malformed": {"command": sys.executable, "args": [rude, "malformed"]},
        "nonsense": {"args": []},
    }
    file.write_text(json.dumps({"mcpServers": servers, "top_k": 3, "embedding_model": "other"}))

    first = instance.qm_json("import", file, "--yes")
    second = instance.qm_json("import", file, "--yes")

    assert [(o["name"], o["outcome"]) for o in first["origins"]] == [
        ("imported", "added"),
        ("malformed", "added"),
        ("nonsense", "rejected"),
    ]
    assert [o["outcome"] for o in second["origins"]] == ["unchanged", "unchanged", "rejected"]
    assert [(r["origin"], r["status"], r["added"]) for r in first["refreshes"]] == [
        ("imported", "done", 8),
        ("malformed", "done", 9),
    ]
    assert len(first["refreshes"][1]["rejected"]) == 2
    assert [r["unchanged"] for r in second["refreshes"]] == [8, 9]
    assert first["unembedded"] == 0
    assert any("modes.balanced.top: 3" in w for w in first["warnings"])
    assert any("embedding_model other is not the active model" in w for w in first["warnings"])
    table = instance.qm("import", file, "--yes").stdout
    assert "nonsense" in table
    assert "either a command or a url" in table
    for name in ("imported", "malformed"):
        assert instance.qm("origin", "remove", name, "--yes").returncode == 0


def test_a_dry_run_changes_nothing_and_shows_no_secret(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text('{"mcpServers": {"a": {"command": "b", "env": {"KEY": "cnryQm7x-key"}}}}')
    environment = environment_of_commands() | {"QM_DATA_DIR": str(tmp_path / "data")}
    command = [*forked_qm(), "import", str(file), "--dry-run", "--json"]

    done = subprocess.run(command, env=environment, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["origins"][0]["environment"] == {"KEY": "secret:a/KEY"}
    assert "cnryQm7x-key" not in done.stdout + done.stderr
    assert not (tmp_path / "data").exists()


def test_the_status_tells_when_everything_was_rejected(database: Database, tmp_path: Path) -> None:
    environment = environment_of_commands() | {"QM_DATA_DIR": str(tmp_path)}
    (tmp_path / "bad.jsonl").write_text("{\n")
    (tmp_path / "bad.json").write_text('{"mcpServers": {"a": {}}}')
    (tmp_path / "broken.json").write_text('{"mcpServers": {\n "a": }}')
    said = {}
    for name in ("bad.jsonl", "bad.json", "broken.json"):
        command = [*forked_qm(), "import", str(tmp_path / name), "--dsn", database.dsn]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert done.returncode == 1, name
        said[name] = done.stdout + done.stderr

    assert "bad.jsonl:1: expected property name" in said["bad.jsonl"].replace("\n", "")
    assert "either a command or a url" in said["bad.json"]
    assert "broken.json:2:7: expected value, found }" in said["broken.json"].replace("\n", "")


def test_a_registry_dump_fills_the_catalog_without_connecting(
    database: Database, tmp_path: Path
) -> None:
    file = tmp_path / "registry.json"
    server = {"name": "io.example/weather", "description": "Forecasts", "packages": []}
    file.write_text(json.dumps({"servers": [{"server": server}], "metadata": {}}))

    report = qm_import(database, tmp_path, file)

    assert [(o["name"], o["outcome"]) for o in report["origins"]] == [
        ("io.example/weather", "added")
    ]
    assert rows(database, "select name, transport, description from catalog.origin") == [
        ("io.example/weather", "none", "Forecasts")
    ]
    assert rows(database, "select count(*) from catalog.refresh") == [(0,)]


def test_where_all_tools_are_rejected_an_example_is_shown(
    database: Database, tmp_path: Path
) -> None:
    file = tmp_path / "tools.jsonl"
    file.write_text('{"name": "x"}\n')
    app = typer.Typer()
    app.command()(import_command)
    done = CliRunner().invoke(app, [str(file), "--dsn", database.dsn])
    assert done.exit_code == 1
    assert '{"origin": "time", "name": "convert_time"' in done.stderr
    assert "Vectors are created" not in done.stderr


def at_home(instance: Instance, home: Path, *arguments: str | Path) -> Any:
    """Runs a command for a user with this home; returns what it prints as JSON."""
    environment = instance.environment | {"HOME": str(home)}
    environment.pop("XDG_CONFIG_HOME", None)
    command = [*forked_qm(), *map(str, arguments), "--json"]
    done = subprocess.run(
        command, env=environment, cwd=home, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert "cnryQm7x" not in done.stdout + done.stderr
    return json.loads(done.stdout)


def test_the_servers_of_a_client_are_taken_out_and_put_back(
    instance: Instance, tmp_path: Path
) -> None:
    file = tmp_path / ".cursor" / "mcp.json"
    file.parent.mkdir()
    server = {"command": sys.executable, "args": [RUDE, "--token", "cnryQm7x-token"]}
    file.write_text(
        f'{{ // mine\n  "mcpServers": {{\n    "taken": {json.dumps(server)}, // in use\n'
        '    "broken": {"command": "no-such-program-at-all"},\n'
        '    "spare": {"command": "x", "disabled": true}\n  }\n}\n'
    )
    before = file.read_bytes()

    found = at_home(instance, tmp_path, "import", "cursor", "--yes", "--take-out")

    assert found["files"] == [str(file)]
    assert {o["name"]: o["outcome"] for o in found["origins"]} == {
        "taken": "added",
        "broken": "added",
        "spare": "added",
    }
    assert found["taken_out"] == ["taken"]
    left = file.read_text()
    assert ("// mine" in left, '"spare"' in left, "cnryQm7x" in left) == (True, True, False)
    assert '"broken"' in left
    shown = instance.qm_json("origin", "show", "taken")
    assert shown["command"][-1] == "${secret:taken/token}"
    assert shown["status"] == "ready"

    at_home(instance, tmp_path, "import", "cursor", "--put-back", "--yes")
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]
    for name in ("taken", "broken", "spare"):
        assert instance.qm("origin", "remove", name, "--yes").returncode == 0


def test_servers_that_were_taken_out_return_beside_what_came_since(
    instance: Instance, tmp_path: Path
) -> None:
    file = tmp_path / "mcp.json"
    file.write_text(json.dumps({"mcpServers": {"first": {"command": "x"}}}))
    at_home(instance, tmp_path, "import", file, "--yes", "--take-out", "--no-wait")
    file.write_text(json.dumps({"mcpServers": {"second": {"command": "y"}}}))
    at_home(instance, tmp_path, "import", file, "--yes", "--take-out", "--no-wait")
    file.write_text(json.dumps({"mcpServers": {"third": {"command": "z"}}}))

    at_home(instance, tmp_path, "import", file, "--put-back", "--yes")

    assert set(json.loads(file.read_text())["mcpServers"]) == {"first", "second", "third"}
    for name in ("first", "second"):
        assert instance.qm("origin", "remove", name, "--yes").returncode == 0


@pytest.mark.parametrize(
    "server",
    [
        {"command": "no-such-program", "env": {"KEY": "secret:other/KEY"}},
        {"command": "no-such-program", "args": ["--key", "${secret:other/KEY}"]},
        {"url": "https://x.example/${secret:other/KEY}/mcp"},
        {"url": "https://x.example/mcp", "headers": {"X-Key": "secret:other/KEY"}},
        {"url": "https://x.example/mcp", "headers": {"Authorization": "secret:other/KEY"}},
    ],
)
def test_a_file_takes_no_secret_of_another_server_unasked(
    instance: Instance, tmp_path: Path, server: dict[str, Any]
) -> None:
    file = tmp_path / "mcp.json"
    file.write_text(json.dumps({"mcpServers": {"greedy": server}}))
    done = instance.qm("import", file, "--no-wait")
    assert done.returncode != 0
    assert "greedy gets the secret other/KEY" in done.stderr
    assert instance.qm("origin", "show", "greedy").returncode != 0


def test_a_server_that_is_off_is_never_started_until_it_is_enabled(
    instance: Instance, tmp_path: Path
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(
        f'[mcp_servers.idle]\ncommand = "{sys.executable}"\nargs = ["{RUDE}"]\nenabled = false\n'
        'env = {KEY = "cnryQm7x-idle"}\n'
    )

    [origin] = instance.qm_json("import", file, "--yes")["origins"]

    assert (origin["outcome"], "qm origin enable idle" in origin["reason"]) == ("added", True)
    shown = instance.qm_json("origin", "show", "idle")
    assert (shown["transport"], shown["last_refresh"]) == ("none", None)
    assert instance.qm_json("import", file, "--yes")["origins"][0]["outcome"] == "unchanged"
    assert "qm origin enable" in instance.qm("origin", "refresh", "idle").stderr
    [refresh] = instance.qm_json("origin", "enable", "idle", "--yes")
    assert (refresh["status"], refresh["added"]) == ("done", 8)
    shown = instance.qm_json("origin", "show", "idle")
    assert (shown["transport"], shown["environment"]) == ("stdio", {"KEY": "secret:idle/KEY"})
    assert "is not off" in instance.qm("origin", "enable", "idle").stdout
    assert instance.qm("origin", "remove", "idle", "--yes").returncode == 0


def test_the_example_is_read_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "servers.json"
    app = typer.Typer()
    app.command()(import_command)

    for arguments in (["--example"], ["--example", str(file)]):
        assert CliRunner().invoke(app, arguments).exit_code == 0
    again = CliRunner().invoke(app, ["--example", str(file)])
    done = CliRunner().invoke(app, [str(file), "--dry-run", "--data-dir", str(tmp_path), "--json"])

    assert again.exit_code == 1
    found = {o["name"]: o["transport"] for o in json.loads(done.stdout)["origins"]}
    assert found == {"files": "stdio", "tracker": "http", "news": "sse", "spare": "none"}


def test_a_client_without_a_file_is_told_where_it_would_lie(tmp_path: Path) -> None:
    environment = environment_of_commands() | {"HOME": str(tmp_path), "QM_DATA_DIR": str(tmp_path)}
    environment.pop("XDG_CONFIG_HOME", None)
    for arguments, said in (
        (["zed"], f"{tmp_path}/.config/zed/settings.json"),
        ([], "Give a file or a client: claude, claude-code, cursor"),
        (["zed", "--put-back"], "Zed has no file here"),
        (["zet"], "There is no file zet, and no client has this name."),
        (["claude-desktop", "--dry-run"], "give a client: claude, claude-code, cursor"),
    ):
        command = [*forked_qm(), "import", *arguments]
        done = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode != 0
        assert said in done.stderr.replace("\n", " ")


@pytest.mark.parametrize("answer", ["y", "n"])
def test_a_person_is_asked_whether_the_originals_go(
    instance: Instance, tmp_path: Path, answer: str
) -> None:
    file = tmp_path / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text('{"mcpServers": {"asked": {"command": "true"}}}')
    environment = instance.environment | {"HOME": str(tmp_path), "TERM": "dumb"}
    environment.pop("XDG_CONFIG_HOME", None)
    person, terminal = os.openpty()
    with subprocess.Popen(
        [QM, "import", "cursor", "--no-wait"],
        env=environment,
        cwd=tmp_path,
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        os.write(person, f"{answer}\ny\n".encode())
        said, _ = process.communicate(timeout=120)
    os.close(terminal)
    os.close(person)

    assert process.returncode == 0, said
    assert "Cursor still starts 1 server itself" in said.replace("\n", " ")
    assert ("asked" in file.read_text()) == (answer == "n")
    assert instance.qm("origin", "remove", "asked", "--yes").returncode == 0
