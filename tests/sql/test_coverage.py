"""Every function has its tests."""

from __future__ import annotations

import pytest

from tests.support.each import for_each
from tests.support.sql_files import FUNCTION_FILES, FunctionFile, place_of, toml_members

pytestmark = pytest.mark.sql

THROUGH_OTHERS = toml_members("tests/sql/through_others.toml")


@for_each([FunctionFile(path) for path in FUNCTION_FILES], lambda file: file.name)
def test_every_function_has_a_folder_of_tests(file: FunctionFile):
    folder = place_of(file.path).joinpath("tests", "sql", *file.parts)
    has_tests = any(folder.glob("*.sql"))
    assert has_tests or file.name in THROUGH_OTHERS
    assert not (has_tests and file.name in THROUGH_OTHERS)
