"""Every function has its tests."""

from __future__ import annotations

import pytest

from tests.support.each import for_each
from tests.support.sql_files import FUNCTION_FILES, FunctionFile, place_of

pytestmark = pytest.mark.sql


@for_each([FunctionFile(path) for path in FUNCTION_FILES], lambda file: file.name)
def test_every_function_has_a_folder_of_tests(file: FunctionFile):
    folder = place_of(file.path).joinpath("tests", "sql", *file.parts)
    assert any(folder.glob("*.sql"))
