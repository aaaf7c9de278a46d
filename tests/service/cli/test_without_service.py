"""What works while no service is running. docs/doors.md has the same list."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from quartermaster.core.locks import exclusive
from tests.support.database import Database
from tests.support.instance import QM, environment_of_commands

ROOT = Path(__file__).parents[3]
# Commands that need neither a service nor a database. `qm up` and `qm stdio` are tested in e2e/.
ALONE = [
    ["--help"],
    ["--version"],
    ["bundle"],
    ["secret", "list"],
    ["quality", "scan", str(Path(__file__))],
]
# Commands that a DSN is enough for.
WITH_DSN = [
    ["install"],
    ["doctor"],
    ["psql", "-c", "select 1"],
    ["dsn"],
    ["reference"],
    ["search", "a ticket"],
    ["describe", "time__convert_time"],
    ["task", "write a test"],
    ["ask", "What does an index cost?"],
    ["lookup", "list"],
    ["origin", "list"],
    ["principal", "create", "alice"],
    ["key", "create", "alice"],
]
# What only a service can do.
SERVED = [["call", "time__get_current_time"], ["origin", "log", "time"]]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {**environment_of_commands(), "QM_DATA_DIR": str(tmp_path)}


def run(words: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [QM, *words], env=environment, cwd="/", capture_output=True, text=True, timeout=120
    )


def test_commands_that_need_nothing_work_alone(environment: dict[str, str]):
    for words in ALONE:
        done = run(words, environment)
        assert done.returncode == 0, (words, done.stderr)
        assert done.stdout or done.stderr, words


def test_a_dsn_is_enough_for_whatever_the_database_does(
    database: Database, environment: dict[str, str]
):
    with database.connect() as connection:
        connection.execute("select t.make_catalog()")
    for words in WITH_DSN:
        command, *rest = words
        done = run(
            [command, "--dsn", database.dsn, *rest]
            if command == "psql"
            else [*words, "--dsn", database.dsn],
            environment,
        )
        assert "Traceback" not in done.stderr, (words, done.stderr)
        # The doctor has found something to mend.
        assert done.returncode == 0 or command == "doctor", (words, done.stderr)


def test_everything_else_says_that_no_service_is_running(environment: dict[str, str]):
    for words in [*SERVED, *(words for words in WITH_DSN if words[0] not in {"install", "psql"})]:
        done = run(words, environment)
        assert done.returncode == 1, (words, done.stdout)
        assert "No Quartermaster is running in" in done.stderr
        assert "Start it with qm up" in done.stderr


def test_a_service_that_is_starting_is_not_started_again(
    environment: dict[str, str], tmp_path: Path
):
    with exclusive(tmp_path / "up.lock"):
        done = run(["search", "a ticket"], environment)
    assert done.returncode == 1
    assert "is starting or stopping" in done.stderr
    assert "Start it" not in done.stderr


def test_the_documented_list_is_the_tested_one():
    text = (ROOT / "docs" / "doors.md").read_text(encoding="utf-8")
    section = text.partition("## Commands without a running service\n")[2].partition("\n## ")[0]
    assert section
    words = {words[0] for words in (*ALONE, *WITH_DSN) if not words[0].startswith("-")}
    for word in words | {"up", "stdio"}:
        assert f"`qm {word}" in section, word
