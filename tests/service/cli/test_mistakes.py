"""What somebody writes wrongly is explained with a next step, before anything is done."""

from __future__ import annotations

import json
import socket
import subprocess
from pathlib import Path

import pytest

from quartermaster.cli.audit import export_command, verify_command
from quartermaster.cli.call import call_command
from quartermaster.cli.output import harmless, print_table
from quartermaster.core.errors import QmError
from quartermaster.core.moments import parse_moment
from tests.support.database import Database
from tests.support.forks import forked_qm
from tests.support.instance import QM, environment_of_commands


def qm(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    environment = environment_of_commands()
    return subprocess.run(
        [*forked_qm(), *arguments], env=environment, capture_output=True, text=True
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["up", "--port", "70000"],
        ["up", "--port", "-1"],
        ["tool", "list", "--status", "new"],
        ["asset", "list", "--status", "new"],
    ],
    ids=" ".join,
)
def test_a_value_that_cannot_be_is_wrong_usage(arguments: list[str]) -> None:
    refused = qm(*arguments)
    assert refused.returncode == 2
    assert arguments[-2] in refused.stderr


@pytest.mark.parametrize("command", ["up", "stdio"])
def test_a_data_directory_that_cannot_be_made_is_explained(command: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    refused = qm(command, "--data-dir", file)
    assert refused.returncode == 1
    assert "data_dir_not_writable" in refused.stderr
    assert "--data-dir" in refused.stderr.partition("Next:")[2]
    assert "Traceback" not in refused.stderr


def test_a_dsn_that_cannot_be_read_is_explained_without_its_password() -> None:
    refused = qm("principal", "list", "--dsn", "host=h password=hush hush")
    assert refused.returncode == 1
    assert "The DSN is not a connection string." in refused.stderr
    assert "hush" not in refused.stderr


@pytest.mark.parametrize(
    "arguments", ["[" * 100_000, '{"text": "\\ud800"}'], ids=["too deep", "half a character"]
)
def test_arguments_that_cannot_be_sent_are_refused(arguments: str) -> None:
    with pytest.raises(QmError) as refused:
        call_command("leaf__echo", arguments)
    assert refused.value.slug == "json_invalid"


@pytest.mark.parametrize(
    ("command", "report"),
    [("call leaf__echo - <&-", "json_invalid"), ("bundle > /dev/full", "disk_full")],
)
def test_streams_that_are_closed_or_full_are_no_crash(command: str, report: str) -> None:
    refused = subprocess.run(
        ["sh", "-c", f'"$0" {command}', QM],
        env=environment_of_commands(),
        capture_output=True,
        text=True,
    )
    assert refused.returncode == 1
    assert report in refused.stderr
    assert "Traceback" not in refused.stderr


def test_an_export_of_the_audit_names_a_file_that_is_not_there(
    database: Database, tmp_path: Path
) -> None:
    with pytest.raises(QmError) as unread:
        verify_command(file=tmp_path / "none")
    assert unread.value.slug == "file_not_found"
    with pytest.raises(QmError) as unwritten:
        export_command(tmp_path / "none" / "audit.jsonl", dsn=database.dsn)
    assert unwritten.value.slug == "file_not_writable"


def test_a_moment_that_is_none_is_named_without_guessing_the_option() -> None:
    with pytest.raises(QmError) as refused:
        parse_moment("tomorrow")
    assert refused.value.message == "'tomorrow' is not an ISO 8601 time."


def test_what_a_terminal_would_obey_is_spelt_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert harmless("a\x1b[31m\tb\nc\x9b") == "a\\x1b[31m\tb\nc\\x9b"
    print_table(["brief"], [["red \x1b[31m\x07"]])
    assert "red \\x1b[31m\\x07" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["doctor"], ["origin", "list"], ["install"]], ids=" ".join)
def test_a_database_that_is_frozen_is_not_waited_for(arguments: list[str]) -> None:
    # The kernel accepts connections for a process that is stopped, as for this one.
    with socket.create_server(("127.0.0.1", 0)) as frozen:
        dsn = f"postgresql://postgres@127.0.0.1:{frozen.getsockname()[1]}/postgres"
        environment = environment_of_commands() | {"PGCONNECT_TIMEOUT": "2"}
        refused = subprocess.run(
            [*forked_qm(), *arguments, "--dsn", dsn],
            env=environment,
            capture_output=True,
            text=True,
            timeout=100,
        )
    assert refused.returncode == 1
    assert "does not answer (QM503 database_unavailable)" in refused.stderr


def test_a_program_reads_an_error_as_json(tmp_path: Path) -> None:
    refused = qm("origin", "list", "--json", "--data-dir", tmp_path)
    assert (refused.returncode, refused.stdout) == (1, "")
    said = json.loads(refused.stderr)["error"]
    assert (said["code"], said["slug"]) == ("QM503", "not_running")
    assert str(tmp_path) in said["message"]
    assert "qm up" in said["hint"]
