"""Runs each pgTAP file on each server: one file, one behaviour, one test."""

from __future__ import annotations

import re
from collections.abc import Generator
from pathlib import Path

import psycopg
import pytest

from tests.support.database import Database, Server
from tests.support.tap import run_file

pytestmark = pytest.mark.sql

HERE = Path(__file__).parent
FILES = sorted(path for path in HERE.rglob("*.sql") if path.parent.name != "_setup")
each_file = pytest.mark.parametrize(
    "path", FILES, ids=lambda path: path.relative_to(HERE).with_suffix("").as_posix()
)


@pytest.fixture(scope="module")
def tap_database(sql_server: Server) -> Generator[Database]:
    """One database for all files: each leaves it as it was."""
    if sql_server.pgtap is None:
        pytest.skip("pgTAP is not there: run scripts/test-prerequisites.sh")
    with sql_server.clone() as database:
        yield database


@pytest.mark.parametrize(
    "path", FILES, ids=lambda p: p.relative_to(HERE).with_suffix("").as_posix()
)
def test_sql(tap_database: Database, path: Path):
    with psycopg.connect(tap_database.dsn, autocommit=True) as connection:
        connection.execute("set search_path = tap, public")
        connection.execute("set plpgsql.extra_errors = 'all'")
        failure = run_file(connection, path)
    if failure:
        pytest.fail(failure, pytrace=False)


@pytest.mark.parametrize(
    "path", FILES, ids=lambda p: p.relative_to(HERE).with_suffix("").as_posix()
)
def test_a_file_leaves_nothing_behind(path: Path):
    text = path.read_text(encoding="utf-8")
    assert re.match(r"(--[^\n]*\n)*begin;\n", text), "the first statement is begin"
    assert text.endswith("select * from finish();\nrollback;\n")
    assert re.search(r"^select plan\(\d+\);$", text, re.MULTILINE)
    assert not re.search(r"^(commit|end);", text, re.MULTILINE)
