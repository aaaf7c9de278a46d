"""Runs the pgTAP files of the core."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.fixtures import NEWEST
from tests.support.kinds import TESTS_OF_ENGINE
from tests.support.pgtap import pgtap_tests, run
from tests.support.tap import TapSession

pytestmark = pytest.mark.sql

HERE = Path(__file__).parent
test_sql, test_a_file_leaves_nothing_behind = pgtap_tests(HERE, apart=TESTS_OF_ENGINE)


@pytest.mark.parametrize("sql_server", [NEWEST], indirect=True)
@pytest.mark.parametrize(
    "path", TESTS_OF_ENGINE, ids=lambda path: path.relative_to(HERE).with_suffix("").as_posix()
)
def test_sql_of_the_engine(session: TapSession, path: Path):
    """On the other server, these run with renamed kinds (tests/install/test_renamed_kinds.py)."""
    run(session, path)
