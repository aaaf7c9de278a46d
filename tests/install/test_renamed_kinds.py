"""Every shipped kind under another name: what is generic works all the same."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import psycopg
import pytest

from quartermaster.install import apply, discover
from tests.support.database import SERVICE_PASSWORD, SETUP, Database, Server, run_script
from tests.support.kinds import ENGINE, renamed
from tests.support.sql_files import ROOT
from tests.support.tap import run_file

pytestmark = pytest.mark.install

SQL_TESTS = ROOT / "tests" / "sql"
FILES = sorted(
    path
    for domain in (*ENGINE, *(f"api/{name}" for name in ENGINE))
    for path in (SQL_TESTS / domain).rglob("*.sql")
)


@pytest.fixture(scope="module")
def database(
    embedded_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Generator[Database]:
    if embedded_server.pgtap is None:
        pytest.skip("pgTAP is not there: run scripts/test-prerequisites.sh")
    copy = tmp_path_factory.mktemp("renamed")
    source = discover.database_folder()
    for folder in ("extensions", "migrations", "functions", "sql"):
        for path in (source / folder).rglob("*"):
            if path.is_file() and path.suffix in {".sql", ".py", ".txt"}:
                text = path.read_text(encoding="utf-8")
                target = copy / path.relative_to(source)
                target.parent.mkdir(parents=True, exist_ok=True)
                is_engine = path.relative_to(source).parts[:2] in {("functions", e) for e in ENGINE}
                is_python = path.suffix == ".py"
                keeps = is_python or (is_engine and path.name != "put_matcher.sql")
                target.write_text(text if keeps else renamed(text), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch, embedded_server.empty() as database:
        patch.setattr(discover, "database_folder", lambda: copy)
        apply.install(database.dsn, service_password=SERVICE_PASSWORD)
        with database.connect() as connection:
            connection.execute("create schema tap")
            connection.execute("set search_path = tap, public")
            connection.execute("set client_min_messages = warning")
            run_script(connection, embedded_server.pgtap.read_text())
            connection.execute("grant usage on schema tap to public")
            connection.execute("reset search_path")
            for path in sorted(SETUP.glob("*.sql")):
                run_script(connection, renamed(path.read_text(encoding="utf-8")))
        yield database


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(SQL_TESTS).as_posix())
def test_generic_behaviour_needs_no_name(database: Database, path: Path, tmp_path: Path):
    copy = tmp_path / path.name
    copy.write_text(renamed(path.read_text(encoding="utf-8")), encoding="utf-8")
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute("set search_path = tap, public")
        failure = run_file(connection, copy)
    if failure:
        pytest.fail(failure, pytrace=False)
