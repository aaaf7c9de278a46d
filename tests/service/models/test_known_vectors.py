"""The vectors that come with Quartermaster: complete, right, and only for the model that made them.

``make known-vectors`` runs this file with ``QM_WRITE_SNAPSHOTS=1``: vectors of texts that have not
changed are kept, the others are computed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Mapping
from pathlib import Path
from random import Random
from uuid import uuid4

import anyio
import numpy as np
import pytest

from quartermaster.doors.mcp.package_doors import place_doors
from quartermaster.models.known_vectors import KNOWN_VECTORS_FILE, read_known, write_known
from quartermaster.models.registry import load_embedding
from quartermaster.service import open_service
from quartermaster.settings.settings import Settings
from quartermaster_db.embedding import SentenceEncoder
from quartermaster_knowledge.expert_answers import keep_notes_loaded
from tests.support.database import Database, Server
from tests.support.lots import lots
from tests.support.model import cached_model_dir

ALL_TEXTS = "select distinct text_hash, embedding_text from search.card order by text_hash"


@pytest.fixture(scope="module")
def model() -> SentenceEncoder:
    folder = cached_model_dir()
    found = load_embedding(folder, folder.parents[1], threads=os.cpu_count() or 1)
    assert isinstance(found, SentenceEncoder)
    return found


@pytest.fixture(scope="module")
def texts(
    embedded_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Generator[dict[bytes, str]]:
    """All texts of an instance to which nobody has added anything, by their hash."""

    async def fill(database: Database) -> None:
        folder, runtime_dir = tmp_path_factory.mktemp("fresh"), cached_model_dir().parents[1]
        dsn = database.service_dsn
        async with open_service(Settings(), folder, runtime_dir, dsn, "up", uuid4()) as service:
            await place_doors(service)
            await keep_notes_loaded(service)

    with embedded_server.clone() as database:
        anyio.run(fill, database)
        with database.connect() as connection:
            yield dict(connection.execute(ALL_TEXTS).fetchall())


def test_every_text_of_a_fresh_instance_has_a_known_vector_and_no_other_text_has(
    texts: dict[bytes, str], model: SentenceEncoder
) -> None:
    known = read_known(model)
    if os.environ.get("QM_WRITE_SNAPSHOTS") and known.keys() != texts.keys():
        write_known(model, _completed(known, texts, model))
        known = read_known(model)
    missing = [text for key, text in texts.items() if key not in known]
    assert not missing, "`make known-vectors` adds them"
    assert known.keys() <= texts.keys(), "`make known-vectors` removes them"


def test_known_vectors_are_those_that_the_model_computes(
    texts: dict[bytes, str], model: SentenceEncoder
) -> None:
    known = read_known(model)
    drawn = Random(0).sample(sorted(known), lots(60))
    vectors = np.stack([known[key] for key in drawn])
    computed = model.embed([texts[key] for key in drawn])
    # Rounding alone leaves .9999, another kind of CPU .9998, and one that has AVX2 only, where sums
    # of the small integers are cut, .9987.
    assert (vectors * computed).sum(axis=1).min() > 0.998


@pytest.mark.parametrize(
    "other", [{"name": "x"}, {"trained": "0" * 64}, {"recipe": 0}, {"passage_prefix": "passage: "}]
)
def test_a_model_with_another_description_has_no_known_vectors(
    other: dict[str, object], tmp_path: Path
) -> None:
    folder = cached_model_dir()
    for file in ("model.onnx", "tokenizer.json"):
        (tmp_path / file).symlink_to(folder / file)
    described = json.loads((folder / "model.json").read_text())
    (tmp_path / "model.json").write_text(json.dumps(described))
    assert read_known(SentenceEncoder(tmp_path))
    (tmp_path / "model.json").write_text(json.dumps(described | other))
    assert read_known(SentenceEncoder(tmp_path)) == {}


def test_a_model_without_a_description_has_no_known_vectors(tiny_dir: Path) -> None:
    assert read_known(SentenceEncoder(tiny_dir)) == {}


def test_the_same_vectors_give_the_same_file(model: SentenceEncoder, tmp_path: Path) -> None:
    turned = dict(reversed(read_known(model).items()))
    write_known(model, turned, tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == KNOWN_VECTORS_FILE.read_bytes()


def _completed(
    known: Mapping[bytes, np.ndarray], texts: dict[bytes, str], model: SentenceEncoder
) -> dict[bytes, np.ndarray]:
    """Returns known vectors that are still needed, and those that were missing."""
    missing = {key: text for key, text in texts.items() if key not in known}
    computed = dict(zip(missing, model.embed([*missing.values()]), strict=True))
    return {key: known[key] for key in known.keys() & texts.keys()} | computed
