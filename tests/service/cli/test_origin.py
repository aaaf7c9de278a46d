"""``qm origin`` and ``qm secret`` against a running service and real upstreams."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
import typer

from quartermaster import api
from quartermaster.cli import NOT_READY, waiting
from quartermaster.cli.command import Qm
from quartermaster.cli.waiting import print_refreshes
from quartermaster.starter.install import Installer
from tests.support.canary import canary
from tests.support.instance import Instance
from tests.support.session_upstream import session_upstream
from tests.support.upstreams import SUPPORT, is_running, leaf_server, starter_cache
from tests.support.waiting import wait_until

RUDE = f"{sys.executable} {SUPPORT / 'rude_server.py'}"


def test_an_origin_from_its_addition_to_its_removal(instance: Instance) -> None:
    token = canary()
    added = instance.qm(
        "origin", "add", "rude", "--command", RUDE, "--yes", "--env", f"TOKEN={token}"
    )
    assert added.returncode == 0, added.stderr
    assert "done" in added.stdout

    [listed] = [o for o in instance.qm_json("origin", "list") if o["name"] == "rude"]
    assert (listed["status"], listed["items"]["tool"]) == ("ready", 8)

    shown = instance.qm_json("origin", "show", "rude")
    assert shown["environment"] == {"TOKEN": "secret:rude/TOKEN"}
    assert len([i for i in shown["items"] if i["kind"] == "tool"]) == 8
    assert "rude__echo" in instance.qm("origin", "show", "rude").stdout
    assert "rude/TOKEN" in instance.qm_json("secret", "list")
    assert token not in json.dumps(shown) + added.stdout + instance.stderr

    again = instance.qm("origin", "add", "rude", "--command", RUDE, "--yes")
    assert (again.returncode, "origin_exists" in again.stderr) == (1, True)
    replaced = instance.qm(
        "origin", "add", "rude", "--command", f"{RUDE} banner", "--yes", "--replace"
    )
    assert replaced.returncode == 0, replaced.stderr
    assert instance.qm_json("origin", "show", "rude")["command"][-1] == "banner"

    asked = instance.qm("origin", "remove", "rude", stdin="n\n")
    assert (asked.returncode, "8 tools" in asked.stdout) == (1, True)
    assert instance.qm("origin", "remove", "rude", "--yes").returncode == 0
    assert not [o for o in instance.qm_json("origin", "list") if o["name"] == "rude"]
    assert instance.qm("secret", "remove", "rude/TOKEN", "--yes").returncode == 0


def test_a_server_may_be_written_after_its_name(instance: Instance) -> None:
    # The last argument looks like an address of which no host can be read.
    written = ("--yes", "--", *RUDE.split(), "banner", "//[a")
    added = instance.qm("origin", "add", "plain", *written)
    assert added.returncode == 0, added.stdout + added.stderr
    assert instance.qm_json("origin", "show", "plain")["command"] == [
        *RUDE.split(),
        "banner",
        "//[a",
    ]
    twice = instance.qm("origin", "add", "plain", "--replace", "--command", RUDE, *written)
    assert (twice.returncode, "given twice" in twice.stderr) == (2, True)
    assert instance.qm("origin", "remove", "plain", "--yes").returncode == 0

    gone = instance.qm("origin", "add", "remote", "http://127.0.0.1:1/mcp", "--yes")
    assert gone.returncode == 1, gone.stdout + gone.stderr
    assert instance.qm_json("origin", "show", "remote")["url"] == "http://127.0.0.1:1/mcp"
    assert instance.qm("origin", "remove", "remote", "--yes").returncode == 0


@pytest.mark.parametrize("mode", ["", " banner"], ids=["the same", "another"])
def test_a_server_that_is_defined_again_is_started_again(instance: Instance, mode: str) -> None:
    def process() -> int:
        instance.qm_json("call", "again__pid")
        with instance.http() as client:
            return client.get("/status").json()["upstreams"]["again"]["pid"]

    added = instance.qm("origin", "add", "again", "--command", RUDE, "--yes")
    assert added.returncode == 0, added.stdout + added.stderr
    before = process()
    # The program may have changed, even if the command that starts it has not.
    added = instance.qm("origin", "add", "again", "--command", RUDE + mode, "--yes", "--replace")
    assert added.returncode == 0, added.stdout + added.stderr
    assert process() != before
    assert wait_until(lambda: not is_running(before))
    assert instance.qm("origin", "remove", "again", "--yes").returncode == 0


def test_a_local_server_is_started_anew_when_it_is_told_to(instance: Instance) -> None:
    def process() -> int:
        instance.qm_json("call", "anew__pid")
        with instance.http() as client:
            return client.get("/status").json()["upstreams"]["anew"]["pid"]

    added = instance.qm("origin", "add", "anew", "--command", RUDE, "--yes")
    assert added.returncode == 0, added.stdout + added.stderr
    first = process()
    assert instance.qm("origin", "refresh", "anew").returncode == 0
    assert process() == first, "a refresh asks the process that runs"

    restarted = instance.qm("origin", "restart", "anew")
    assert (restarted.returncode, "done" in restarted.stdout) == (0, True), restarted.stderr
    second = process()
    assert second != first
    assert wait_until(lambda: not is_running(first))

    assert instance.qm("origin", "reset", "anew").returncode == 0
    assert process() != second
    limited = instance.qm_json("origin", "start-limit", "anew", "900")
    assert limited == {"name": "anew", "start_limit_s": 900}
    assert instance.qm_json("origin", "show", "anew")["start_limit_s"] == 900
    assert instance.qm("origin", "start-limit", "anew").returncode == 0
    assert instance.qm_json("origin", "show", "anew")["start_limit_s"] is None
    unknown = instance.qm("origin", "restart", "nobody")
    assert (unknown.returncode, "origin_not_found" in unknown.stderr) == (1, True)
    assert instance.qm("origin", "remove", "anew", "--yes").returncode == 0


def test_each_refresh_and_reset_begins_a_new_session(instance: Instance) -> None:
    with session_upstream() as upstream:
        url = str(upstream.spec().url)
        assert instance.qm("origin", "add", "bakery", "--url", url, "--yes").returncode == 0
        for command in ("refresh", "restart"):
            begun = upstream.begun
            assert instance.qm("origin", command, "bakery").returncode == 0
            assert upstream.begun > begun, command
        begun = upstream.begun
        assert instance.qm("origin", "reset", "bakery").returncode == 0
        assert instance.qm("call", "bakery__bake").returncode == 0
        assert upstream.begun > begun
        assert instance.qm("origin", "remove", "bakery", "--yes").returncode == 0


def test_a_missing_program_is_named_with_what_to_install_wherever_people_look(
    instance: Instance,
) -> None:
    command = ["--command", "uvx some-server", "--env", "PATH=/nowhere", "--start-limit", "60"]
    added = instance.qm("origin", "add", "absent", *command, "--yes")
    assert added.returncode == 1
    seen = {
        "add": added.stdout,
        "show": instance.qm("origin", "show", "absent").stdout,
        "list": instance.qm("origin", "list").stdout,
        "doctor": instance.qm("doctor").stdout,
    }
    for place, text in seen.items():
        report = " ".join(text.split())
        assert "'uvx'" in report, place
        assert "Install uv" in report, place
    assert instance.qm("origin", "remove", "absent", "--yes").returncode == 0


def test_a_failing_origin_is_told_with_its_class_and_another_status(instance: Instance) -> None:
    failed = instance.qm("origin", "add", "broken", "--command", "no-such-program-at-all")

    assert failed.returncode == 1
    assert "command_not_found" in failed.stdout
    assert instance.qm("origin", "refresh", "broken").returncode == 1
    assert instance.qm("origin", "remove", "broken", "--yes").returncode == 0


def test_an_address_without_a_scheme_is_asked_about_too(instance: Instance) -> None:
    asked = instance.qm("origin", "add", "near", "--url", "127.0.0.1:9/mcp")

    assert asked.returncode == 1
    assert "near is not at a public address: 127.0.0.1" in asked.stderr
    assert "origin_not_found" in instance.qm("origin", "show", "near").stderr


def test_a_server_that_takes_long_is_not_ready_which_has_a_status_of_its_own(
    instance: Instance, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(waiting, "_PATIENCE_S", 2.0)
    monkeypatch.setattr(waiting, "_TELL_S", 0.5)
    instance.qm("origin", "add", "slow", "--command", "no-such-program-at-all", "--yes")
    replaced = ["--command", "sleep 1000", "--replace", "--no-wait", "--yes"]
    assert instance.qm("origin", "add", "slow", *replaced).returncode == 0
    with Qm(data_dir=instance.data_dir) as qm:
        requested = qm.call(api.request_refresh(name="slow"))
        [row] = waiting.finish_refreshes(qm, requested)
        assert row["status"] == "running"
        assert "starting, " in instance.qm("origin", "show", "slow").stdout
        assert "slow: starting, " in instance.qm("origin", "list").stdout
        with pytest.raises(typer.Exit) as ended:
            qm.answer([row])
    assert ended.value.exit_code == NOT_READY
    report = " ".join(capsys.readouterr().err.split())
    assert "Waiting for slow (starting, " in report
    assert "slow is not ready: the service has been reading its tools since" in report
    assert "Last failure: " in report
    for command in ("qm origin show slow", "qm origin log slow", "qm origin refresh slow"):
        assert command in report
    assert instance.qm("origin", "remove", "slow", "--yes").returncode == 0


def test_a_secret_set_later_is_used_by_the_next_refresh(instance: Instance) -> None:
    with leaf_server("http", "token") as server:
        url = server.spec().url
        header = "Authorization=Bearer ${input:token}"
        added = instance.qm(
            "origin", "add", "closed", "--url", str(url), "--header", header, "--yes"
        )
        assert (added.returncode, "qm secret set closed/token" in added.stderr) == (1, True)

        retained = instance.qm("secret", "set", "closed/token", stdin="cnryQm7x-let-me-in\n")
        assert retained.returncode == 0
        refreshed = instance.qm("origin", "refresh", "closed")

    assert refreshed.returncode == 0, refreshed.stdout
    assert instance.qm("origin", "remove", "closed", "--yes").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["add", "x"], "either a command or a url"),
        (["add", "x", "--url", "ftp://a"], "origin_invalid"),
        (["add", "x", "http://[a"], "origin_invalid"),
        (["add", "", "--command", "y"], "origin_invalid"),
        (["show", "nowhere"], "origin_not_found"),
        (["refresh", "nowhere"], "origin_not_found"),
        (["remove", "nowhere", "--yes"], "origin_not_found"),
    ],
)
def test_mistakes_are_explained(instance: Instance, arguments: list[str], said: str) -> None:
    done = instance.qm("origin", *arguments)

    assert done.returncode == 1
    assert said in done.stderr
    assert "Next:" in done.stderr


@pytest.mark.parametrize(("status", "failure"), [("failed", "died"), ("done", None)])
def test_after_a_refresh_that_failed_the_next_step_is_said(
    status: str, failure: str | None, capsys: pytest.CaptureFixture[str]
):
    counts = dict.fromkeys(("added", "changed", "withheld", "unchanged", "deprecated"), 0)
    report = {"origin": "my o", "status": status, "failure_class": failure, "failure": failure}
    print_refreshes([{**counts, **report, "rejected": [], "warnings": []}])
    assert ("qm origin log 'my o'." in " ".join(capsys.readouterr().err.split())) == bool(failure)


def test_what_is_withheld_is_told_with_the_command_that_approves_it(
    capsys: pytest.CaptureFixture[str],
):
    counts = {"added": 3, "changed": 0, "withheld": 2, "unchanged": 0, "deprecated": 0}
    report = {"origin": "my o", "status": "done", "failure_class": None, "failure": None}
    print_refreshes([{**counts, **report, "rejected": [], "warnings": []}])
    [line] = [line for line in capsys.readouterr().out.splitlines() if "withheld" in line]
    assert line.startswith("my o: 2 withheld.")
    assert "qm card list --origin 'my o'. To approve one: qm card approve ITEM." in line


@pytest.fixture
def with_starters(instance: Instance) -> Generator[Instance]:
    """The starter `time`, added as the command adds it; nothing of it is left behind."""
    upstreams = instance.data_dir / "upstreams"
    upstreams.symlink_to(starter_cache())
    Installer(instance.data_dir, starter_cache()).install(only=["time"])
    yield instance
    for name in ("clock", "time"):
        instance.qm("origin", "remove", name, "--yes")
    upstreams.unlink()


def test_a_starter_makes_room_for_the_same_server_and_comes_back(
    with_starters: Instance, tmp_path: Path
) -> None:
    qm = with_starters.qm

    def names() -> set[str]:
        listed = with_starters.qm_json("origin", "list")
        return {row["name"] for row in listed} & {"time", "clock"}

    added = qm("origin", "add", "time", "--starter")
    assert added.returncode == 0, added.stdout + added.stderr
    program = with_starters.data_dir / "upstreams" / "time" / "bin" / "mcp-server-time"
    file = tmp_path / "mcp.json"
    clock = {"command": str(program), "args": ["--local-timezone", "Asia/Tokyo"]}
    file.write_text(json.dumps({"mcpServers": {"clock": clock}}))

    foretold = qm("import", file, "--dry-run")
    assert "would replace the starter time" in foretold.stdout, foretold.stderr
    assert names() == {"time"}
    imported = qm("import", file, "--yes")
    assert imported.returncode == 0, imported.stderr
    assert "withheld" not in imported.stdout
    assert names() == {"clock"}
    assert with_starters.qm_json("origin", "show", "clock")["replaces"] == ["time"]
    back = imported.stdout.partition("To have the starter back: ")[2].splitlines()[0]
    assert back.endswith("qm origin add time --starter")
    assert "would replace" not in qm("import", file, "--dry-run").stdout

    removed = qm("origin", "remove", "clock", "--yes")
    assert back in removed.stdout
    again = qm(*back.partition("qm ")[2].split())
    assert again.returncode == 0, again.stderr
    assert names() == {"time"}
    called = qm("call", "time__get_current_time", '{"timezone": "Asia/Tokyo"}')
    assert "Asia/Tokyo" in called.stdout


def test_a_starter_stays_if_the_program_of_its_replacement_is_not_here(
    with_starters: Instance, tmp_path: Path
) -> None:
    assert with_starters.qm("origin", "add", "time", "--starter").returncode == 0
    file = tmp_path / "mcp.json"
    server = {"command": "no-such-program", "args": ["mcp-server-time"]}
    file.write_text(json.dumps({"mcpServers": {"time": server}}))

    for options in (["--dry-run"], ["--yes"]):
        report = with_starters.qm("import", file, *options)
        assert "no-such-program was not found, so the starter time stays" in report.stdout
    called = with_starters.qm("call", "time__get_current_time", '{"timezone": "Asia/Tokyo"}')
    assert "Asia/Tokyo" in called.stdout


def test_a_server_with_the_name_of_a_starter_replaces_it(
    with_starters: Instance, tmp_path: Path
) -> None:
    qm = with_starters.qm
    assert qm("origin", "add", "time", "--starter").returncode == 0
    file = tmp_path / "mcp.json"
    server: dict[str, Any] = {
        "command": sys.executable,
        "args": [str(SUPPORT / "rude_server.py")],
    }
    file.write_text(json.dumps({"mcpServers": {"time": server}}))

    assert "would replace the starter time" in qm("import", file, "--dry-run").stdout
    imported = qm("import", file, "--yes").stdout
    assert "time replaces the starter of the same name" in imported
    server["args"].append("banner")
    file.write_text(json.dumps({"mcpServers": {"time": server}}))
    assert "would replace time" in qm("import", file, "--dry-run").stdout

    refused = qm("origin", "add", "time", "--starter")
    assert (refused.returncode, "origin_exists" in refused.stderr) == (1, True)
    back = imported.partition("To have the starter back: ")[2].splitlines()[0]
    again = qm(*back.partition("qm ")[2].split())
    assert (again.returncode, "withheld" in again.stdout) == (0, False), again.stderr
    unknown = qm("origin", "add", "nosuch", "--starter")
    assert "There is no starter called" in unknown.stderr
