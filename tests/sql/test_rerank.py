"""Reranking with psql alone: the scores are computed inside the database."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import psycopg
import pytest

from quartermaster.install.service_access import try_reranking
from quartermaster_db.reranking import CrossEncoder
from tests.support.cross_encoder import write_tiny_cross_encoder
from tests.support.database import Database

pytestmark = pytest.mark.sql

Connection = psycopg.Connection[tuple[object, ...]]


@pytest.fixture(scope="module")
def model_dir() -> Generator[Path]:
    """A reranker where the server's user may read it."""
    place = Path(tempfile.mkdtemp(prefix="qm-model-"))
    target = write_tiny_cross_encoder(place / "tiny")
    for path in (place, target, *target.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    yield target
    shutil.rmtree(place)


@pytest.fixture
def asking(database: Database, model_dir: Path) -> Generator[Connection]:
    """A user's session in a database whose reranker was tried."""
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        row = connection.execute("select core.has_capability('plpython3u')").fetchone()
        if not (row and row[0]):
            pytest.skip("this server has no PL/Python (libpython3.11 is missing)")
        if (reason := try_reranking(database.dsn, model_dir)) and "No such file" in reason:
            pytest.skip("this server does not see the files of this machine")
        connection.execute("select t.make_principal('alice'), t.act_as('alice')")
        yield connection


def test_scores_are_those_of_the_model(asking: Connection, model_dir: Path):
    texts = ["green", "", "blue red blue"]
    row = asking.execute("select api.rerank('red', %s)", [texts]).fetchone()
    assert row
    assert row[0] == pytest.approx(CrossEncoder(model_dir).score("red", texts).tolist())


def test_no_text_has_no_score_and_a_missing_one_counts_as_empty(asking: Connection):
    row = asking.execute(
        "select api.rerank('red', '{}'),"
        " api.rerank('red', array[null]) = api.rerank('red', array[''])"
    ).fetchone()
    assert row == ([], True)


def test_a_reranker_that_is_gone_is_reported(asking: Connection, database: Database):
    reason = try_reranking(database.dsn, None)
    assert reason
    with pytest.raises(psycopg.Error) as caught:
        asking.execute("select api.rerank('red', array['green'])")
    assert caught.value.sqlstate == "QM501"
    assert caught.value.diag.message_detail == reason
