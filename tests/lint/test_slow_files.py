"""The list of slow test files is true, and its thirds are."""

from __future__ import annotations

import pytest

from tests.support.hooks import TOGETHER_BY_FILE
from tests.support.rotation import THIRDS, slow_files, third_of, thirds
from tests.support.sql_files import ROOT

pytestmark = pytest.mark.lint


def test_each_slow_file_is_there():
    gone = [path for path in slow_files() if not (ROOT / path).is_file()]
    assert not gone, "take them out of tests/support/slow_files.tsv"


def test_each_slow_file_is_in_one_third_and_those_that_share_something_in_the_same():
    seconds = slow_files()
    found = thirds(seconds)
    assert sorted(path for third in found for path in third) == sorted(seconds)
    for group in set(TOGETHER_BY_FILE.values()):
        files = {path for path in seconds if TOGETHER_BY_FILE.get(path) == group}
        assert not files or any(files <= third for third in found)


def test_the_thirds_take_about_equally_long():
    seconds = slow_files()
    sums = [sum(map(seconds.__getitem__, third)) for third in thirds(seconds)]
    assert max(sums) < 1.1 * min(sums)


def test_commits_choose_each_third():
    assert {third_of(f"{number:08x}aa") for number in range(THIRDS)} == set(range(THIRDS))
    assert third_of("") == 0
