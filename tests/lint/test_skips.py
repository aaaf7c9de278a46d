"""What does not run on a machine is told in the last lines of a run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.sql_files import ROOT

pytestmark = pytest.mark.lint

_TESTS = """
import pytest

@pytest.mark.parametrize("number", [1, 2])
def test_of_root(number):
    pytest.skip("needs root: starts a server of another user")

def test_of_bubblewrap():
    pytest.skip("bubblewrap is not there")

def test_of_no_such_case():
    pytest.skip("the handshake revisions know no input-required result")
"""


def test_the_last_lines_count_and_name_what_did_not_run(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(_TESTS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "tests.support.skips", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    report = done.stdout
    assert "3 tests did not run on this machine" in report
    assert (
        "2  needs root: starts a server of another user\n       to run them: run make test"
        in report
    )
    assert "1  bubblewrap is not there\n       to run them: run scripts/test-prere" in report
    assert "handshake" not in report
