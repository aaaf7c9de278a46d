"""A dump is restored into another database, also of another server: what it does not carry is named
by qm doctor and made by qm install.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Generator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from quartermaster.install import apply, discover
from quartermaster.install.doctor import diagnose
from tests.support.catalogue import snapshot
from tests.support.database import Database, Server, embedded, run_script
from tests.support.debian_root import build_root

pytestmark = pytest.mark.install

_DATA = """
select api.import_items('tool', '[{"origin": "o", "name": "count_zebras"}]');
select api.create_principal('ada', 'person', 'admin');
select api.put_key('ada', 'laptop', 'qm_abc', sha256('secret'));
"""
# What is known about changes that were made before the dump.
_AUDITED = "select r.id, r.hash from audit.record as r where r.object <> 'bob' order by r.id"
# How it is dumped, and how it is restored.
WAYS = {
    "custom": ("--format=custom", "pg_restore --exit-on-error"),
    "in one transaction": ("--format=custom", "pg_restore --single-transaction"),
    "without owners": ("--format=custom", "pg_restore --exit-on-error --no-owner"),
    "without rights": ("--format=custom", "pg_restore --exit-on-error --no-acl"),
    "without both": ("--format=custom", "pg_restore --exit-on-error --no-owner --no-acl"),
    "plain": ("--format=plain", "psql --no-psqlrc --quiet -v ON_ERROR_STOP=1 --single-transaction"),
}


@pytest.fixture(scope="module")
def another() -> Generator[Server]:
    """A server without our roles."""
    with embedded() as server:
        yield server


@pytest.fixture(scope="module")
def filled(embedded_server: Server) -> Generator[Database]:
    with embedded_server.empty() as database:
        apply.install(database.dsn)
        with database.connect() as connection:
            run_script(connection, _DATA)
        yield database


def run(server: Server, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a client program of a server."""
    assert server.programs
    name, *options = program.split()
    return subprocess.run(
        [server.programs / name, *options, *arguments],
        env={**os.environ, "LD_LIBRARY_PATH": str(server.programs.parent / "lib")},
        capture_output=True,
        text=True,
    )


def restore(server: Server, dump: Path, database: Database, command: str) -> None:
    file = ["--file", str(dump)] if command.startswith("psql") else [str(dump)]
    done = run(server, command, f"--dbname={database.dsn}", *file)
    assert done.returncode == 0, done.stderr


def of_any_server(lines: list[str]) -> list[str]:
    """Returns a snapshot without what says that a column is not null: older servers have no names
    for it, and a restore makes others.
    """
    return [line for line in lines if not (line.startswith("constraint ") and " NOT NULL " in line)]


def assert_is_whole(database: Database, original: Database, alike: Database | None = None) -> None:
    """What the dump does not carry is named and made; everything else is there and works.

    Args:
        database: the copy.
        original: what was dumped.
        alike: another database with the catalogue that the copy must have, if the original is on an
            older server.
    """
    problems = diagnose(database.dsn).problems
    # The owner compares, if he may read.
    if not any("belong to others" in report and "qm install" in report for report in problems):
        named = [report for report in problems if "qm install" in report]
        assert any("database rights" in report for report in named), problems
        assert any("database search_path" in report for report in problems), problems
    apply.install(database.dsn)
    assert diagnose(database.dsn).problems == []
    if alike is None:
        assert snapshot(database.dsn) == snapshot(original.dsn)
    else:
        assert of_any_server(snapshot(database.dsn)) == of_any_server(snapshot(alike.dsn))
    with database.connect() as connection:
        intact = connection.execute("select api.verify_audit() -> 'faults' = '[]'").fetchone()
        keys = connection.execute("select label from policy.api_key where label = 'laptop'")
        assert keys.fetchall() == [("laptop",)]
        connection.execute("select api.create_principal('bob')")  # with a new number
        found = connection.execute("select name from select_tools('count the zebras')").fetchall()
        audited = connection.execute(_AUDITED).fetchall()
    assert intact == (True,)
    assert found == [("o__count_zebras",)]
    with original.connect() as connection:
        assert connection.execute(_AUDITED).fetchall() == audited


# What a way leaves out is the same on another server, where all ways are tried.
@pytest.mark.parametrize("way", ["custom", "without both"])
def test_a_dump_is_restored_into_another_database_of_the_server(
    embedded_server: Server, filled: Database, tmp_path: Path, way: str
):
    options, command = WAYS[way]
    dump = tmp_path / "dump"
    done = run(embedded_server, f"pg_dump {options} --file={dump}", filled.dsn)
    assert done.returncode == 0, done.stderr
    with embedded_server.empty() as copy:
        restore(embedded_server, dump, copy, command)
        assert_is_whole(copy, filled)


@pytest.mark.parametrize("way", WAYS)
def test_a_dump_is_restored_into_another_server_after_the_roles(
    embedded_server: Server, another: Server, filled: Database, tmp_path: Path, way: str
):
    options, command = WAYS[way]
    dump, roles = tmp_path / "dump", tmp_path / "roles.sql"
    done = run(embedded_server, f"pg_dump {options} --file={dump}", filled.dsn)
    assert done.returncode == 0, done.stderr
    roles.write_text(discover.roles().sql)
    with another.empty() as copy:
        restore(another, roles, copy, "psql --no-psqlrc --quiet -v ON_ERROR_STOP=1")
        restore(another, dump, copy, command)
        assert_is_whole(copy, filled)
    with psycopg.connect(another.admin_dsn, autocommit=True) as connection:
        for name in ("qm_service", "qm_admin", "qm_operator", "qm_user", "qm_owner", "qm_reader"):
            connection.execute(sql.SQL("drop role {}").format(sql.Identifier(name)))


def test_a_dump_of_an_older_server_is_restored(
    debian_server: Server, embedded_server: Server, filled: Database, tmp_path: Path
):
    dump = tmp_path / "dump"
    with debian_server.empty() as original, embedded_server.empty() as copy:
        apply.install(original.dsn)
        with original.connect() as connection:
            run_script(connection, _DATA)
        # The server's own program: an older release of it does not know what a later fix stores.
        program = ["chroot", build_root(), "/usr/lib/postgresql/17/bin/pg_dump", "--format=custom"]
        with dump.open("wb") as file:
            subprocess.run([*program, original.dsn], stdout=file, check=True)
        restore(embedded_server, dump, copy, "pg_restore --single-transaction")
        assert_is_whole(copy, original, alike=filled)


def test_a_copy_from_a_template_is_an_installation_of_its_own(
    embedded_server: Server, filled: Database
):
    with embedded_server.temporary(filled.name) as copy:
        assert_is_whole(copy, filled)
        with filled.connect() as heard, copy.connect() as writer:
            heard.execute("listen qm_policy")
            writer.execute("select api.create_principal('eve')")
            writer.execute("select pg_notify('qm_policy', '')")
            assert [*heard.notifies(timeout=0)] == []
            found = heard.execute("select 1 from policy.principal where name = 'eve'").fetchall()
            assert found == []
