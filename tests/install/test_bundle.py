"""The installation as one psql script: the same database as the installer makes.

With a kind folder, test_kind_folders.py runs it on each server.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

from quartermaster.install import apply
from quartermaster.install.bundle import bundle
from quartermaster.install.installed import is_installed
from tests.support.catalogue import snapshot
from tests.support.database import Database, Server

pytestmark = pytest.mark.install


@pytest.fixture
def empty(embedded_server: Server) -> Generator[Database]:
    with embedded_server.empty() as database:
        yield database


@pytest.fixture(scope="module")
def original(embedded_server: Server, psql: Path) -> Generator[Database]:
    """What the script makes."""
    with embedded_server.empty() as database:
        done = run(psql, database.dsn, bundle())
        assert (done.returncode, done.stderr) == (0, "")
        yield database


@pytest.fixture
def made(embedded_server: Server, original: Database) -> Generator[Database]:
    """A copy of it for one test."""
    with embedded_server.clone(original) as database:
        yield database


def run(psql: Path, dsn: str, script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [psql, "--no-psqlrc", "--quiet", "--dbname", dsn],
        input=script,
        env={**os.environ, "LD_LIBRARY_PATH": str(psql.parents[1] / "lib")},
        capture_output=True,
        text=True,
    )


def test_the_script_makes_what_the_installer_makes(original: Database, empty: Database):
    apply.install(empty.dsn)
    assert snapshot(original.dsn) == snapshot(empty.dsn)


def test_the_script_again_changes_nothing_and_the_installer_takes_over(made: Database, psql: Path):
    first = snapshot(made.dsn)
    done = run(psql, made.dsn, bundle())
    assert (done.returncode, done.stderr) == (0, "")
    assert snapshot(made.dsn) == first
    assert is_installed(made.dsn)
    apply.install(made.dsn)
    assert snapshot(made.dsn) == first


def test_a_check_that_fails_ends_the_script_with_its_rule_and_what_mends_it_and_leaves_nothing(
    empty: Database, psql: Path
):
    opened = "-- sql/checks/0001_row_security_forced.sql\n"
    before, found, after = bundle().partition(opened)
    table = "select pg_temp.as_owner('alter table core.release no force row level security');\n"
    done = run(psql, empty.dsn, before + table + found + after)
    assert done.returncode == 3
    assert "0001_row_security_forced.sql: core.release. The rule is: every" in done.stderr
    assert "To mend it: alter table ... enable row level security" in done.stderr
    with empty.connect() as connection:
        assert connection.execute("select to_regnamespace('core')").fetchone() == (None,)
        connection.execute("create schema ext; grant create on schema ext to public")
    done = run(psql, empty.dsn, bundle())
    assert done.returncode == 3
    assert "public may create objects in schema ext" in done.stderr


def test_the_script_refuses_a_database_of_before(made: Database, psql: Path):
    with made.connect() as connection:
        connection.execute("update core.release set version = '0.1.0'")
    before = snapshot(made.dsn)
    done = run(psql, made.dsn, bundle())
    assert done.returncode == 3
    assert "cannot upgrade" in done.stderr
    assert "--data-dir" in done.stderr
    assert snapshot(made.dsn) == before
