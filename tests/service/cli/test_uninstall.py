"""What qm uninstall shows before it asks, and what it does after which answer."""

from __future__ import annotations

import json
from pathlib import Path

import psycopg
import pytest
import typer
from psycopg.conninfo import conninfo_to_dict
from typer.testing import CliRunner, Result

from quartermaster.cli.uninstall import uninstall_command
from quartermaster.core.errors import QmError
from quartermaster.install import removal
from tests.support.database import Database

_INSTALLED = "select to_regclass('core.release') is not null, to_regproc('core.now') is not null"


def parts(database: Database) -> tuple[object, ...] | None:
    """Returns whether the tables are there, and whether the functions are."""
    with psycopg.connect(database.dsn) as connection:
        return connection.execute(_INSTALLED).fetchone()


@pytest.fixture
def plain(database: Database) -> Database:
    """A database without what tests add to it."""
    with database.connect() as connection:
        connection.execute("set client_min_messages = warning")
        connection.execute("drop schema t, tap cascade")
        connection.execute(
            'select from api.import_items(\'tool\', \'[{"origin": "o", "name": "x"}]\')'
        )
    return database


def run(*words: str, answer: str = "") -> Result:
    app = typer.Typer()
    app.command()(uninstall_command)
    return CliRunner().invoke(app, words, input=answer)


@pytest.mark.parametrize("answer", ["", "n\n", "y\n", "postgres\n"])
def test_another_answer_than_the_name_of_the_database_changes_nothing(plain: Database, answer: str):
    done = run("--dsn", plain.dsn, answer=answer)
    assert done.exit_code == 1
    assert parts(plain) == (True, True)


def _reported_rows(database: Database, schema: str) -> dict[str, int]:
    report = json.loads(run("--dry-run", "--json", "--dsn", database.dsn).stdout)
    [rows] = [each["rows"] for each in report["schemas"] if each["schema"] == schema]
    return rows


def test_rows_that_people_made_for_a_kind_are_counted(
    plain: Database, monkeypatch: pytest.MonkeyPatch
):
    with plain.connect() as connection:
        connection.execute("select from api.create_lookup('plant')")
        connection.execute(
            """select from api.load_lookup('plant', '[{"id": "1", "value": "Betula pendula"}]')"""
        )
    people_made = {"lookup_table": 1, "lookup_row": 1, "curation": 0}
    assert _reported_rows(plain, "lookup") == people_made

    def broken() -> None:
        raise QmError(500, "kind_package_broken", "A kind cannot be loaded.", "Remove it.")

    monkeypatch.setattr(removal, "kind_packages", broken)
    every_table = _reported_rows(plain, "lookup")
    assert people_made.items() < every_table.items()


def test_a_dry_run_shows_everything_and_changes_nothing(plain: Database):
    done = run("--dry-run", "--dsn", plain.dsn)
    assert done.exit_code == 0
    assert parts(plain) == (True, True)
    for report in (
        "1 item, 1 origin",
        "Extensions that go: pg_trgm, plpython3u, unaccent, vector",
        "The role qm_owner stays: used in",
        f"* grant connect, temporary on database {plain.name} to public",
        f"* alter database {plain.name} reset search_path",
        "pg_dump --format=custom",
        "qm snapshot create NAME",
    ):
        assert report in done.output
    assert f"dbname={plain.name}" in " ".join(done.output.split())
    assert str(conninfo_to_dict(plain.dsn)["password"]) not in done.output


@pytest.mark.parametrize("words", [["--yes"], []])
def test_the_name_of_the_database_or_yes_takes_everything_away(plain: Database, words: list[str]):
    done = run(*words, "--dsn", plain.dsn, answer=f"{plain.name}\n")
    assert done.exit_code == 0, done.output
    assert parts(plain) == (False, False)


def test_programs_get_all_of_it_as_json(plain: Database):
    report = json.loads(run("--dry-run", "--json", "--dsn", plain.dsn).stdout)
    assert report["database"] == plain.name
    assert not report["uninstalled"]
    assert any("pg_database_size" in statement for statement in report["statements"])
    assert {"schema": "catalog", "tables": 11, "rows": {"origin": 1, "item": 1}} in report[
        "schemas"
    ]


@pytest.mark.parametrize(
    ("words", "answer", "left"),
    [(["--dry-run"], "", True), ([], "n\n", True), ([], "y\n", False), (["--yes"], "", False)],
)
def test_the_functions_go_after_a_yes_and_the_data_stay(
    plain: Database, words: list[str], answer: str, left: bool
):
    done = run("--keep-data", *words, "--dsn", plain.dsn, answer=answer)
    assert parts(plain) == (True, left), done.output


def test_a_server_that_exists_only_for_quartermaster_goes_with_its_data_directory(tmp_path: Path):
    (tmp_path / "postgres").mkdir()
    done = run("--data-dir", str(tmp_path))
    assert isinstance(done.exception, QmError)
    assert done.exception.slug == "database_embedded"
    assert f"rm -rf {tmp_path}" in done.exception.hint
