"""The engine knows no kind of card: its functions name none, not even as a default."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.each import for_each
from tests.support.kinds import SHIPPED, is_of_engine
from tests.support.sql_files import FUNCTION_FILES, code_of, relative

pytestmark = pytest.mark.lint

_OF_ENGINE = [path for path in FUNCTION_FILES if is_of_engine(path)]


@for_each(_OF_ENGINE, relative)
def test_a_function_of_the_engine_names_no_kind(path: Path):
    named = re.compile(rf"(?<=['{{,])({'|'.join(SHIPPED)})(?=['}},])")
    assert not named.findall(code_of(path.read_text(encoding="utf-8")))
