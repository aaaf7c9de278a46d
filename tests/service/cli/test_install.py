"""What qm install asks before it changes the rights of others, and what it would change."""

from __future__ import annotations

import json

import psycopg
import pytest
import typer
from typer.testing import CliRunner

from quartermaster.cli.install import install_command
from quartermaster.core.errors import QmError
from quartermaster.install.installed import is_installed
from tests.support.database import Database, Server

_OPEN = "select has_function_privilege('public', 'pg_advisory_lock(bigint)', 'execute')"
_GIVE_BACK = "grant execute on function pg_advisory_lock(bigint) to public"


@pytest.fixture
def open_database(database: Database) -> Database:
    """A database as it is where nobody has limited the logins."""
    with database.connect() as connection:
        connection.execute(_GIVE_BACK)
    return database


def is_open(database: Database) -> bool:
    with psycopg.connect(database.dsn) as connection:
        return connection.execute(_OPEN).fetchone() == (True,)


@pytest.mark.parametrize(
    ("words", "answer", "stays_open"),
    [
        ([], "", True),
        (["--limit-logins"], "n\n", True),
        (["--limit-logins"], "y\n", False),
        (["--limit-logins", "--yes"], "", False),
    ],
)
def test_logins_of_another_server_are_limited_after_a_yes(
    open_database: Database, words: list[str], answer: str, stays_open: bool
) -> None:
    app = typer.Typer()
    app.command()(install_command)
    done = CliRunner().invoke(app, [*words, "--dsn", open_database.dsn], input=answer)
    assert is_open(open_database) == stays_open, done.output
    assert ("all roles in this database" in done.output) == bool(words)
    assert ("are not limited: everybody may execute" in done.output) == (words == [])
    assert ("temp_file_limit" in done.output) == bool(words)


def test_a_dry_run_lists_what_would_change_and_changes_nothing(embedded_server: Server) -> None:
    app = typer.Typer()
    app.command()(install_command)
    with embedded_server.empty() as database:
        words = ["--dry-run", "--dsn", database.dsn]
        report = CliRunner().invoke(app, words)
        shared = CliRunner().invoke(app, [*words, "--shared", "--json"])
        assert not is_installed(database.dsn)
    lines = report.stdout.splitlines()
    assert "would be installed on PostgreSQL" in lines[0]
    assert f"Granted to qm_user: connect on database {database.name}" in lines
    assert f"Revoked from public: connect on database {database.name}" in lines
    assert any(line.startswith("Schemas: api, audit, ") for line in lines)
    assert any(line.startswith("Extensions: ") and "vector 0." in line for line in lines)
    assert f'New setting of database {database.name}: search_path="$user", public, api' in lines
    assert lines[-1].endswith(" s (preview; nothing was changed).")
    found = json.loads(shared.stdout)
    assert (found["revokes"], found["settings"]) == ([], [])
    assert found["seconds"] > 0


def test_a_dry_run_of_the_functions_is_refused(database: Database) -> None:
    app = typer.Typer()
    app.command()(install_command)
    refused = (
        CliRunner().invoke(app, ["--functions-only", "--dry-run", "--dsn", database.dsn]).exception
    )
    assert isinstance(refused, QmError)
    assert refused.slug == "argument_invalid"
