"""A service ends when another version is installed in its database, and says so."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from quartermaster.install import apply, discover
from tests.support.database import SERVICE_PASSWORD, Server
from tests.support.instance import new_instance

pytestmark = pytest.mark.e2e

SAID = "another version of Quartermaster was installed in the database"


@pytest.fixture
def another_version(tmp_path: Path) -> Path:
    """The SQL folders of a version in which one function differs."""
    source = discover.database_folder()
    for folder in ("extensions", "migrations", "functions", "sql"):
        shutil.copytree(source / folder, tmp_path / folder)
    function = tmp_path / "functions" / "api" / "core" / "status.sql"
    function.write_text(function.read_text().replace("'git_sha'", "'commit'"))
    return tmp_path


def test_a_service_beside_which_another_version_is_installed_says_so_and_ends(
    embedded_server: Server, another_version: Path, monkeypatch: pytest.MonkeyPatch
):
    with (
        embedded_server.clone() as database,
        new_instance("--dsn", database.dsn) as instance,
    ):
        instance.data_dir.mkdir()
        credentials = instance.data_dir / "credentials.json"
        credentials.write_text(json.dumps({"qm_service": SERVICE_PASSWORD}))
        instance.start()
        # The same version again is no reason to end.
        apply.install(database.dsn)
        with instance.http() as client:
            assert client.get("/status").status_code == 200
        monkeypatch.setattr(discover, "database_folder", lambda: another_version)
        apply.install(database.dsn)
        assert instance.ended() == 3
        assert SAID in instance.stdout + instance.stderr
        assert "another_version_was_installed" in instance.stderr
