"""Search by meaning with psql alone: the vector is computed inside the database."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest

from tests.support.database import Database, Server
from tests.support.model import cached_model_dir

pytestmark = pytest.mark.sql

Connection = psycopg.Connection[tuple[object, ...]]


@pytest.fixture(scope="module")
def model_dir(sql_server: Server) -> Generator[Path]:
    """The model where the server's user may read it."""
    if sql_server.programs is None:
        # The Debian server sees this folder under the same path.
        yield cached_model_dir()
        return
    place = Path(tempfile.mkdtemp(prefix="qm-model-"))
    place.chmod(0o755)
    target = place / "model"
    shutil.copytree(cached_model_dir(), target)
    for path in (target, *target.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    yield target
    shutil.rmtree(place)


@pytest.fixture(scope="module")
def embedded(schema: Database, model_dir: Path) -> Generator[Connection]:
    """A transaction in which the catalog is embedded and a user asks. Its session has the model."""
    with psycopg.connect(schema.dsn) as connection:
        row = connection.execute("select core.has_capability('plpython3u')").fetchone()
        if not (row and row[0]):
            pytest.skip("this server has no PL/Python (libpython3.11 is missing)")
        connection.execute("select t.make_catalog(), t.make_principal('alice')")
        connection.execute("select api.put_model('minilm', 384, true, %s)", [str(model_dir)])
        connection.execute(
            "select core.report_capability('embed', true, 'search by meaning', 'the service', null)"
        )
        connection.execute(
            "select search.store_embeddings('minilm', array_agg(u.kind), array_agg(u.text_hash),"
            " array_agg(search.embed(u.embedding_text, %s, true)))"
            " from search.claim_unembedded('minilm', 100) as u",
            [str(model_dir)],
        )
        connection.execute("select t.read_as('alice')")
        yield connection
        connection.rollback()


@pytest.fixture
def catalog(embedded: Connection) -> Generator[Connection]:
    """The same; what a test changes is taken back."""
    with embedded.transaction(force_rollback=True):
        yield embedded


def test_a_goal_in_other_words_finds_the_tool(catalog: Connection):
    row = catalog.execute(
        "select name, scores ->> 'sources'"
        " from api.select_tools('which hour is it in Japan', explain => true)"
    ).fetchone()
    assert row
    assert row[0] == "time__get_current_time"
    assert "dense" in str(row[1])


def test_a_goal_in_another_language_is_embedded_in_english_and_a_name_is_not(catalog: Connection):
    [(alike, unlike)] = catalog.execute(
        "select search.embed_goal(words) operator(ext.=) search.embed_goal(english),"
        " search.embed_goal(words, p_is_name => true) operator(ext.<>) search.embed_goal(english)"
        " from (values ('zeig mir die Rechnungen', 'show me the invoices')) as v (words, english)"
    ).fetchall()
    assert alike
    assert unlike


def test_the_vector_has_the_models_dimension_and_length_one(catalog: Connection):
    row = catalog.execute(
        "select ext.vector_dims(v), ext.vector_norm(v) from search.embed_goal('anything') as v"
    ).fetchone()
    assert row
    assert row[0] == 384
    assert float(str(row[1])) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(
    "change",
    [
        "update core.capability set installed = false where name = 'embed'",
        "select api.put_model('minilm', 384, true, '/nowhere')",
    ],
    ids=["no capability", "no model folder"],
)
def test_without_a_model_words_answer_and_a_notice_says_so(
    catalog: Connection, change: LiteralString
):
    notices: list[str] = []
    catalog.add_notice_handler(lambda notice: notices.append(notice.message_primary or ""))
    catalog.execute("select t.act_as_superuser()")
    catalog.execute(change)
    catalog.execute("select t.read_as('alice')")
    row = catalog.execute(
        "select name, scores ->> 'sources' from api.select_tools('current time', explain => true)"
    ).fetchone()
    assert row
    assert row[0] == "time__get_current_time"
    assert "dense" not in str(row[1])
    assert any("cannot embed" in notice for notice in notices)
    assert not any("/nowhere" in notice for notice in notices)
