"""Runs each pgTAP file: one file, one behaviour, one test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import NEWEST
from tests.support.each import for_each
from tests.support.kinds import TESTS_OF_ENGINE
from tests.support.tap import TapSession

pytestmark = pytest.mark.sql

HERE = Path(__file__).parent
FILES = sorted(path for path in HERE.rglob("*.sql") if path.parent.name != "_setup")


def name_of(path: Path) -> str:
    return path.relative_to(HERE).with_suffix("").as_posix()


def run(session: TapSession, path: Path) -> None:
    if failure := session.run(path.read_text(encoding="utf-8")):
        pytest.fail(failure, pytrace=False)


@pytest.mark.parametrize(
    "path", [path for path in FILES if path not in TESTS_OF_ENGINE], ids=name_of
)
def test_sql(session: TapSession, path: Path):
    run(session, path)


@pytest.mark.parametrize("sql_server", [NEWEST], indirect=True)
@pytest.mark.parametrize("path", TESTS_OF_ENGINE, ids=name_of)
def test_sql_of_the_engine(session: TapSession, path: Path):
    """On the other server, these run with renamed kinds (tests/install/test_renamed_kinds.py)."""
    run(session, path)


@for_each(FILES, name_of)
def test_a_file_leaves_nothing_behind(path: Path):
    text = path.read_text(encoding="utf-8")
    assert re.match(r"(--[^\n]*\n)*begin;\n", text), "the first statement is begin"
    assert text.endswith("select * from finish();\nrollback;\n")
    assert re.search(r"^select plan\(\d+\);$", text, re.MULTILINE)
    assert not re.search(r"^(commit|end);", text, re.MULTILINE)
