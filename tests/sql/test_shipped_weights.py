"""An installation brings the weights that ship, and leaves alone those that were learned here."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from tests.support.database import ROOT, run_script

pytestmark = pytest.mark.sql

Connection = psycopg.Connection[tuple[object, ...]]
_TOOL = (ROOT / "sql" / "kinds" / "tool.sql").read_text(encoding="utf-8")


def _large(connection: Connection) -> dict[str, Any]:
    found = connection.execute(
        "select c.feature, c.weight from search.coefficient as c"
        " where c.kind = 'tool' and c.profile = 'minilm-tools-4' and c.part = 'large'"
    )
    return {str(feature): weight for feature, weight in found.fetchall()}


@pytest.mark.parametrize("large", [{}, {"large": {"intercept": -2, "dense": 3}}])
def test_learned_weights_stay(rolled_back: Connection, large: dict[str, Any]):
    own = {"score": {"intercept": -1, "dense": 2}, **large}
    rolled_back.execute(
        "select search.put_coefficients('tool', 'minilm-tools-4', %s)", (Jsonb(own),)
    )
    run_script(rolled_back, _TOOL)
    assert _large(rolled_back) == large.get("large", {})


def test_an_installation_leaves_shipped_weights_as_they_are(rolled_back: Connection):
    shipped = _large(rolled_back)
    assert shipped["lexical_coverage"] == 3
    run_script(rolled_back, _TOOL)
    assert _large(rolled_back) == shipped
