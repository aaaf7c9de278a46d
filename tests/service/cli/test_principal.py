"""What qm principal prints for administrators."""

from __future__ import annotations

import typer
from typer.testing import CliRunner

from quartermaster.cli.principal import create_command, map_role_command
from tests.support.database import Database


def test_who_may_grant_a_role_is_named(database: Database) -> None:
    with database.connect() as connection:
        connection.execute("create role qm_test_anna login")
    app = typer.Typer()
    app.command("create")(create_command)
    app.command("map-role")(map_role_command)
    try:
        for words in (["create", "anna"], ["map-role", "anna", "qm_test_anna"]):
            done = CliRunner().invoke(app, [*words, "--dsn", database.dsn])
            assert done.exit_code == 0, done.output
    finally:
        with database.connect() as connection:
            connection.execute("drop role qm_test_anna")
    installer, superuser = done.stderr.splitlines()
    assert installer.startswith("As the login that installed Quartermaster")
    assert "grant qm_user to qm_test_anna" in installer
    assert superuser.startswith("As a superuser")
    assert "alter role qm_test_anna connection limit 10" in superuser
