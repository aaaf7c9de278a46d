"""What qm doctor finds, and that it can find fault."""

from __future__ import annotations

import psycopg
import pytest
from typer.testing import CliRunner

from quartermaster.cli.doctor import doctor_command
from quartermaster.core.errors import QmError
from quartermaster.install.doctor import diagnose
from tests.support.database import Database, Server


def test_a_fresh_installation_is_healthy(database: Database):
    diagnosis = diagnose(database.dsn)
    assert diagnosis.problems == []
    states = {c["name"]: c["state"] for c in diagnosis.capabilities}
    assert states["vector"] == states["pg_trgm"] == states["unaccent"] == "ok"


def test_what_is_absent_is_named_with_what_stands_in_and_what_to_do(database: Database):
    by_name = {c["name"]: c for c in diagnose(database.dsn).capabilities}
    absent = by_name["pg_search"]
    assert absent["state"] == "absent"
    assert "BM25 in SQL" in absent["stand_in"]
    assert absent["reason"] is not None
    assert "install the package" in absent["reason"]


def test_a_database_without_the_schema_says_how_to_install_it(embedded_server: Server):
    with psycopg.connect(embedded_server.admin_dsn, autocommit=True) as connection:
        connection.execute("create database empty_for_doctor template template0")
    try:
        diagnosis = diagnose(embedded_server.database("empty_for_doctor").dsn)
    finally:
        with psycopg.connect(embedded_server.admin_dsn, autocommit=True) as connection:
            connection.execute("drop database empty_for_doctor")
    assert diagnosis.installed is None
    assert "qm install" in diagnosis.problems[0]


def test_a_table_without_forced_row_security_is_a_problem(database: Database):
    with database.connect() as connection:
        connection.execute("alter table catalog.item no force row level security")
    report = [each for each in diagnose(database.dsn).problems if "sql/checks/0001" in each]
    assert "The rule is: every table enables and forces row-level security." in report[0]
    assert "To mend it: alter table ... enable row level security, force" in report[0]


def test_changed_files_are_a_problem(database: Database):
    with database.connect() as connection:
        connection.execute("update core.release set digest = 'older'")
    assert any("qm install" in problem for problem in diagnose(database.dsn).problems)


def test_an_unreachable_server_is_a_clear_error():
    with pytest.raises(QmError) as caught:
        diagnose("postgresql://nobody@127.0.0.1:9/none")
    assert caught.value.code == "QM503"
    assert caught.value.hint


def test_the_command_prints_a_table_and_exits_with_one_when_something_is_wrong(database: Database):
    import typer

    app = typer.Typer()
    app.command()(doctor_command)
    runner = CliRunner()
    healthy = runner.invoke(app, ["--dsn", database.dsn, "--json"])
    assert healthy.exit_code == 0
    assert '"problems": []' in healthy.stdout
    with database.connect() as connection:
        connection.execute("update core.release set digest = 'older'")
    assert runner.invoke(app, ["--dsn", database.dsn]).exit_code == 1
