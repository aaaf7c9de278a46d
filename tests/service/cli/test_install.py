"""What qm install asks before it changes the rights of others."""

from __future__ import annotations

import psycopg
import pytest
import typer
from typer.testing import CliRunner

from quartermaster.cli.install import install_command
from tests.support.database import Database

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
