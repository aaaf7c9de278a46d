"""The cell of tests/install/matrix.py that demands most; `make test-install-matrix` tries all."""

from __future__ import annotations

import pytest

from tests.install.matrix import Cell, tried
from tests.install.test_managed import require

pytestmark = [pytest.mark.install, pytest.mark.slow]


def test_every_step_works_or_has_its_sentence_and_the_reader_of_the_shop_is_never_refused():
    cell = Cell(is_shared=True, administrator="create role only", server="postgresql-17")
    require(cell.server)
    outcome = tried(cell)
    assert (outcome.wrong, outcome.reader.refusals) == ("", [])
    assert outcome.is_right
    assert outcome.sentences["install"].startswith("without `--shared`: others use the database")
