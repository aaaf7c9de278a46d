"""Models behind HTTP, against a real server on loopback."""

from __future__ import annotations

import logging
import socket
from collections.abc import Generator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stamina

from quartermaster.core import logs
from quartermaster.core.errors import QmError
from quartermaster.models.registry import open_embedding, open_reranker
from quartermaster.secrets.store import SecretStore
from quartermaster.settings.sections import EmbeddingSettings, RerankerSettings
from quartermaster_db.embedding import SentenceEncoder
from quartermaster_db.reranking import CrossEncoder
from tests.support.cross_encoder import write_tiny_cross_encoder
from tests.support.model_server import KEY, ModelServer, running

TEXTS = ("open a ticket", "", "what time is it in Tokyo")


@pytest.fixture(autouse=True)
def no_waiting() -> Generator[None]:
    """Attempts follow each other at once."""
    with stamina.set_testing(True, attempts=3, cap=True):
        yield


@pytest.fixture
def every_line(capsys: pytest.CaptureFixture[str]) -> Generator[pytest.CaptureFixture[str]]:
    """What is logged, the HTTP client's own lines, too."""
    logs.configure("debug")
    logging.getLogger().setLevel(logging.DEBUG)
    yield capsys
    logs.configure("info")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[ModelServer]:
    from tests.support.model import cached_model_dir

    judge = write_tiny_cross_encoder(tmp_path_factory.mktemp("remote") / "judge")
    with running(ModelServer(SentenceEncoder(cached_model_dir()), CrossEncoder(judge))) as found:
        yield found


@pytest.fixture
def secrets(server: ModelServer, tmp_path: Path) -> SecretStore:
    server.failures.clear()
    server.requests.clear()
    server.answer = None
    store = SecretStore(tmp_path)
    store.put("models", KEY)
    return store


def embedding(server: ModelServer, **changes: Any) -> EmbeddingSettings:
    given = {"provider": "api_remote", "model": "minilm", "url": server.url}
    return EmbeddingSettings(**given | {"api_key": "secret:models"} | changes)


def reranker(server: ModelServer, **changes: Any) -> RerankerSettings:
    given = {"provider": "api_remote", "model": "judge", "url": server.url}
    return RerankerSettings(**given | {"api_key": "secret:models"} | changes)


def test_vectors_are_those_of_the_model_behind(server: ModelServer, secrets: SecretStore) -> None:
    model = open_embedding(embedding(server, batch_size=2), Path(), secrets)
    assert (model.name, model.dimension) == ("minilm", 384)
    assert isinstance(server.encoder, SentenceEncoder)
    np.testing.assert_allclose(model.embed(TEXTS), server.encoder.embed(TEXTS), atol=1e-6)
    inputs = [body["input"] for path, body in server.requests if path == "/v1/embeddings"]
    assert inputs[1:] == [list(TEXTS[:2]), list(TEXTS[2:])]
    assert model.embed([]).shape == (0, 384)


def test_a_dimension_that_is_set_is_not_asked_for_and_held(
    server: ModelServer, secrets: SecretStore
) -> None:
    model = open_embedding(embedding(server, dimension=8), Path(), secrets)
    assert (model.dimension, server.requests) == (8, [])
    with pytest.raises(QmError, match="384 dimensions, not 8") as caught:
        model.embed(TEXTS)
    assert (caught.value.code, caught.value.slug) == ("QM422", "dimension_mismatch")


def test_prefixes_are_those_of_the_settings(server: ModelServer, secrets: SecretStore) -> None:
    options = embedding(server, dimension=384, query_prefix="query: ", passage_prefix="passage: ")
    model = open_embedding(options, Path(), secrets)
    assert (model.goal_text("où est-il"), model.passage_prefix) == ("query: où est-il", "passage: ")


@pytest.mark.parametrize("field", ["documents", "texts"])
def test_scores_are_those_of_the_model_behind(
    server: ModelServer, secrets: SecretStore, field: str
) -> None:
    model = open_reranker(reranker(server, documents_field=field), Path(), secrets)
    assert model
    assert isinstance(server.judge, CrossEncoder)
    texts = ["red", "green green", "blue"]
    np.testing.assert_allclose(model.score("red", texts), server.judge.score("red", texts), 1e-6)
    assert server.requests[0][1][field] == texts
    pairs = [("red", "green"), ("red", "blue"), ("blue", "red")]
    np.testing.assert_allclose(model.score_pairs(pairs), server.judge.score_pairs(pairs), 1e-6)
    assert [body["query"] for _, body in server.requests[1:]] == ["red", "blue"]
    assert model.score("red", []).shape == (0,)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again(
    server: ModelServer, secrets: SecretStore, status: int
) -> None:
    model = open_embedding(embedding(server, dimension=384), Path(), secrets)
    server.failures[:] = [(status, {"retry-after": "0"}), (status, {})]
    assert model.embed(["hello"]).shape == (1, 384)
    assert len(server.requests) == 3


def test_a_server_that_stays_busy_is_given_up(server: ModelServer, secrets: SecretStore) -> None:
    model = open_embedding(embedding(server, dimension=384), Path(), secrets)
    server.failures[:] = [(503, {})] * 9
    with pytest.raises(QmError) as caught:
        model.embed(["hello"])
    assert (caught.value.code, caught.value.slug) == ("QM503", "model_unavailable")
    assert len(server.requests) == 3


def test_a_refusal_is_final(server: ModelServer, secrets: SecretStore) -> None:
    model = open_embedding(embedding(server, dimension=384), Path(), secrets)
    server.failures[:] = [(400, {})]
    with pytest.raises(QmError, match="status 400") as caught:
        model.embed(["hello"])
    assert (caught.value.code, caught.value.slug) == ("QM502", "model_refused")
    assert len(server.requests) == 1


def test_a_wrong_key_shows_nowhere(
    server: ModelServer, secrets: SecretStore, every_line: pytest.CaptureFixture[str]
) -> None:
    secrets.put("models", "sk-another-key-entirely")
    with pytest.raises(QmError, match="status 401") as caught:
        open_embedding(embedding(server), Path(), secrets)
    logged = every_line.readouterr().err
    shown = f"{caught.value}{caught.value!r}{logged}"
    assert "httpcore" in logged
    assert "sk-another" not in shown
    assert "wrong key" in shown


def test_a_key_that_does_not_exist_is_named(server: ModelServer, secrets: SecretStore) -> None:
    with pytest.raises(QmError) as caught:
        open_embedding(embedding(server, api_key="env:NO_SUCH_KEY"), Path(), secrets)
    assert caught.value.slug == "secret_not_found"
    with pytest.raises(QmError) as caught:
        open_embedding(embedding(server, api_key="sk-given-by-mistake"), Path(), secrets)
    assert caught.value.slug == "secret_locator_invalid"
    assert "mistake" not in str(caught.value).replace("by mistake", "")


def test_no_server_is_unavailable(secrets: SecretStore) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
    options = EmbeddingSettings(provider="api_remote", model="m", url=url)
    with pytest.raises(QmError, match="does not answer") as caught:
        open_embedding(options, Path(), secrets)
    assert caught.value.slug == "model_unavailable"


def test_a_server_that_hangs_is_left_after_the_timeout(
    server: ModelServer, secrets: SecretStore
) -> None:
    model = open_embedding(embedding(server, dimension=8, request_timeout_s=0.1), Path(), secrets)
    server.is_held = True
    try:
        with pytest.raises(QmError, match="ReadTimeout"):
            model.embed(["hello"])
    finally:
        server.is_held = False


@pytest.mark.parametrize(
    "answer",
    [
        {},
        [],
        {"data": "none"},
        {"data": []},
        {"data": [{"index": 0}]},
        {"data": [{"index": 0, "embedding": "AAAA"}]},
        {"data": [{"index": 0, "embedding": [0.0, 0.0]}]},
        {"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0]}]},
    ],
)
def test_an_answer_without_the_vectors_is_refused(
    server: ModelServer, secrets: SecretStore, answer: Any
) -> None:
    server.answer = answer
    with pytest.raises(QmError) as caught:
        open_embedding(embedding(server), Path(), secrets)
    assert (caught.value.code, caught.value.slug) == ("QM502", "model_answer_invalid")


@pytest.mark.parametrize(
    "answer",
    [
        {},
        "no",
        {"results": [{"index": 0, "relevance_score": 0.5}]},
        {"results": [{"index": 0}, {"index": 1}]},
        [{"index": 0, "score": 1.0}, {"index": 1, "score": None}],
    ],
)
def test_an_answer_without_every_score_is_refused(
    server: ModelServer, secrets: SecretStore, answer: Any
) -> None:
    server.answer = answer
    model = open_reranker(reranker(server), Path(), secrets)
    assert model
    with pytest.raises(QmError) as caught:
        model.score("goal", ["a", "b"])
    assert caught.value.slug == "model_answer_invalid"


@pytest.mark.parametrize(
    "options",
    [
        EmbeddingSettings(provider="api_remote"),
        EmbeddingSettings(query_prefix="query: "),
        RerankerSettings(provider="api_remote", model="judge"),
        RerankerSettings(provider="onnx_local"),
    ],
)
def test_half_a_setting_is_refused(
    options: EmbeddingSettings | RerankerSettings, secrets: SecretStore, tmp_path: Path
) -> None:
    section = "embedding" if isinstance(options, EmbeddingSettings) else "reranker"
    with pytest.raises(QmError, match=section) as caught:
        _open(options, tmp_path, secrets)
    assert (caught.value.slug, bool(caught.value.hint)) == ("settings_invalid", True)


def _open(
    options: EmbeddingSettings | RerankerSettings, runtime_dir: Path, secrets: SecretStore
) -> object:
    if isinstance(options, EmbeddingSettings):
        return open_embedding(options, runtime_dir, secrets)
    return open_reranker(options, runtime_dir, secrets)
